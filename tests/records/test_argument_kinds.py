"""Tests of `records/argument_kinds.py`: what annotations accept, and what is said about anything else."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triptych.errors import SpecError
from triptych.records.argument_kinds import by_head, value_of


class Plan:
    """A class of the name that an annotation has."""


class Folder:
    """Something with a path."""

    def __fspath__(self) -> str:
        return "runs/a"


PLAN = Plan()
PATHS = "PathLike[str] | str | Iterable[PathLike[str] | str]"


def checked(value: Any, annotation: str) -> Any:
    return value_of("it", value, ast.parse(annotation, mode="eval").body)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        ("str", np.str_("a"), "a"),
        ("str | None", None, None),
        ("int", np.int64(3), 3),
        ("float | None", 2, 2),
        ("bool", np.bool_(True), True),
        ("bool | int", True, True),
        ("Path | str", "a", "a"),
        ("Path | str", Folder(), Path("runs/a")),
        (PATHS, "runs", "runs"),
        (PATHS, (one for one in ["a", Folder()]), ("a", Path("runs/a"))),
        ("Sequence[str]", np.array(["a", "b"]), ("a", "b")),
        ("Iterable[Sequence[str]]", [(), ("blind",)], [(), ("blind",)]),
        ("Iterable[tuple[str, str]]", [["a", "b"]], [("a", "b")]),
        ("tuple[float, float] | None", (1, 5), (1, 5)),
        ("Mapping[str, Iterable[str]] | None", {"a": iter(["x"])}, {"a": ("x",)}),
        ("Mapping[str, Any]", {"a": np.float32(0.5)}, {"a": 0.5}),
        ("Plan | str", PLAN, PLAN),
        ("Callable[[str], None]", print, print),
        ("Sequence[Literal['a', 'b']]", ["c"], ["c"]),
    ],
)
def test_values_of_the_kind_are_pythons_own(annotation: str, value: Any, expected: Any) -> None:
    got = checked(value, annotation)
    assert got == expected and type(got) is type(expected)


@pytest.mark.parametrize(
    ("annotation", "value", "said", "fix"),
    [
        ("str", None, "it must be a text", None),
        ("str", 5, "it must be a text", None),
        ("int", True, "it must be a whole number", None),
        ("bool", "no", "it must be True or False", None),
        ("bool", 1, "it must be True or False", None),
        ("float", "1", "it must be a number", None),
        ("Path | str", 3, "it must be a path or a text", None),
        ("Path | str", "", "it must be a path or a text", None),
        ("PathLike[str] | str", "a\0b", "it must be a path or a text", None),
        (PATHS, None, "it must be a path or a text or a list of paths", None),
        (PATHS, [None], "it[0] must be a path or a text", None),
        ("Sequence[str]", "blind", "it must be a list of texts", "it=['blind']"),
        ("Sequence[str]", {"blind": 1}, "it must be a list of texts", None),
        ("Sequence[str]", ["a", None], "it[1] must be a text", None),
        ("Sequence[Path | str]", Path("a"), "it must be a list of paths", "it=['a']"),
        ("Iterable[Sequence[str]]", ["blind"], "it must be lists of texts", "it=[['blind']]"),
        ("Iterable[Sequence[str]]", "blind", "it must be a list of lists", "it=['blind']"),
        ("Iterable[tuple[str, str]]", ["ab"], "it[0] must be a pair", None),
        ("Mapping[str, Iterable[str]]", {"a": "x"}, "it['a'] must be a list of texts", "it={'a': ['x']}"),
        ("Mapping[str, Iterable[str]]", {"a": None}, "it['a'] must be a list of texts", "it={'a': [None]}"),
        ("Mapping[str, Iterable[str]]", ["a=x"], "it must be a dict of lists", None),
        ("Mapping[str, int]", {"a": 1.5}, "it['a'] must be a whole number", None),
        ("Mapping[str, int]", {1: 1}, "a name in it must be a text", None),
        ("JudgePlan | None", ["x"], "it must be judges of plan_judges", 'it=plan_judges(["openai/NAME"])'),
        ("EncoderSettings | None", "cpu", "it must be EncoderSettings", None),
        ("Sequence[WantedRun]", "cmdar", "it must be a list of Runs", None),
        ("Callable[[str], None]", "print", "it must be a function", None),
    ],
)
def test_another_value_is_refused_by_its_name(annotation: str, value: Any, said: str, fix: str | None) -> None:
    with pytest.raises(SpecError) as error:
        checked(value, annotation)
    assert error.value.problem == said
    assert error.value.fix == (fix.replace("it=plan", "judges=plan") if fix else None)


def test_alternatives_are_found_by_their_names() -> None:
    assert [*by_head(ast.parse("Path | str | Mapping[str, Any] | None", mode="eval").body)] == [
        "Path",
        "str",
        "Mapping",
        "None",
    ]
