"""Tests of `records/checked_calls.py`: every public function is checked, and what a call without a fault gets."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

import pytest

import triptych
from triptych.errors import SpecError
from triptych.records.argument_kinds import by_head
from triptych.records.checked_calls import _ARGUMENTS, _kinds, checked_arguments, flags_are_named

FUNCTIONS = [getattr(triptych, name) for name in triptych.__all__ if inspect.isfunction(getattr(triptych, name))]
KNOWN = {
    "str",
    "Path",
    "PathLike",
    "int",
    "float",
    "bool",
    "None",
    "Any",
    "Callable",
    "Mapping",
    "Sequence",
    "Iterable",
    "tuple",
}
CLASSES = {
    "Benchmark",
    "EncoderSettings",
    "JudgePlan",
    "Literal",
    "Plan",
    "Recipe",
    "RunFolder",
    "RunOptions",
    "WantedRun",
}


class Arguments(TypedDict, total=False):
    limit: int | None
    tasks: Sequence[str]


@checked_arguments
def example(
    runs: Iterable[str], *, repeats: int = 1, to: str | None = None, filters: Mapping[str, int] | None = None
) -> tuple[Any, ...]:
    return [*runs], [*runs], repeats, to, filters


@checked_arguments
def passed_on(name: str, **what: Unpack[Arguments]) -> Any:
    return name, what


def test_a_generator_can_be_read_more_than_once() -> None:
    assert example(run for run in ["a", "b"])[:2] == (["a", "b"], ["a", "b"])


def test_none_stands_for_the_default() -> None:
    assert example([], repeats=None, to=None) == ([], [], 1, None, None)  # type: ignore[arg-type]
    assert passed_on("a", tasks=None, limit=None) == ("a", {"limit": None})  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="runs must be a list of texts"):
        example(None)  # type: ignore[arg-type]


def test_keywords_that_are_passed_on_are_checked() -> None:
    assert passed_on("a", tasks=(task for task in ["b"])) == ("a", {"tasks": ("b",)})  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="limit must be a whole number"):
        passed_on("a", limit="5")  # type: ignore[arg-type]


def test_a_misspelt_keyword_is_refused_with_the_nearest_name() -> None:
    wrong: Any
    for wrong, near in (
        (lambda: example([], repeat=2), "repeats"),  # type: ignore[call-arg]
        (lambda: passed_on("a", limt=2), "limit"),  # type: ignore[call-arg]
    ):
        with pytest.raises(TypeError, match=f"unexpected keyword argument .* did you mean '{near}'"):
            wrong()


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_every_public_function_is_checked_by_annotations_that_are_known(function: Callable[..., Any]) -> None:
    assert function.__code__.co_filename == example.__code__.co_filename, "@checked_arguments is missing"
    _, kinds = _kinds(inspect.unwrap(function))
    for kind in kinds.values():
        assert {*by_head(kind)} <= KNOWN | CLASSES


@checked_arguments
def refusing(limit: int, filters: Mapping[str, str]) -> None:
    raise SpecError("--limit and --filter are wrong", got="--out", where="--limit", fix="triptych run cmdar --limit 1")


def test_messages_name_arguments_in_python_and_flags_on_the_command_line() -> None:
    with pytest.raises(SpecError) as error:
        refusing(1, {})
    assert str(error.value) == (
        "limit and filters are wrong\n  got: --out\n  where: limit\n  what to do: triptych run cmdar --limit 1"
    )
    token = flags_are_named.set(True)
    try:
        with pytest.raises(SpecError, match=r"^--limit and --filter are wrong"):
            refusing(1, {})
    finally:
        flags_are_named.reset(token)


@checked_arguments
def told(make: Callable[[], SpecError], *, limit: int = 0, data: str = "") -> None:
    raise make()


@pytest.mark.parametrize(
    ("given", "python"),
    [
        ("--limit must be at least 1", "limit must be at least 1"),
        ("at most 1 (--limit)", "at most 1 (limit)"),
        ("remove --limit.", "remove limit."),
        ("--data DIR, a folder", "data=DIR, a folder"),
        ("unknown task '--limit'", "unknown task '--limit'"),
        ("it can't be --limit", "it can't be limit"),
        ("the folder runs/x--limit and ./--data/x", "the folder runs/x--limit and ./--data/x"),
        ("--limit-not and --limit2", "--limit-not and --limit2"),
        ("triptych run cmdar --limit 2", "triptych run cmdar --limit 2"),
    ],
)
def test_only_flags_are_renamed(given: str, python: str) -> None:
    with pytest.raises(SpecError) as error:
        told(lambda: SpecError(given, fix=given))
    assert (error.value.problem, error.value.fix) == (python, python)
    assert str(error.value) == f"{python}\n  what to do: {python}"


def test_what_the_caller_gave_is_never_renamed() -> None:
    with pytest.raises(SpecError) as error:
        told(lambda: SpecError("--limit is wrong", got="--limit", where="/tmp/a --limit b"))
    assert str(error.value) == "limit is wrong\n  got: --limit\n  where: /tmp/a --limit b"
    assert (error.value.got, error.value.where) == ("--limit", "/tmp/a --limit b")


def test_flags_with_another_name_are_flags_and_their_arguments_exist() -> None:
    names = {name for function in FUNCTIONS for name in _kinds(inspect.unwrap(function))[1]}
    pages = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    for flag, argument in _ARGUMENTS.items():
        assert f"`--{flag}" in pages and argument in names, flag


def test_the_command_line_names_its_flags(capsys: pytest.CaptureFixture[str]) -> None:
    from triptych.cli.main import main

    with pytest.raises(SystemExit):
        main(["run", "cmdar", "--model", "baseline/random", "--limit", "0"])
    assert "--limit must be at least 1" in capsys.readouterr().err
    with pytest.raises(SpecError, match=r"^limit must be at least 1"):
        triptych.run("cmdar", "baseline/random", limit=0)
