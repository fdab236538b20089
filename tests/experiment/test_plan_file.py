"""A plan of several Runs as a file: read strictly, and each group becomes its Runs."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from triptych.errors import SpecError
from triptych.experiment.plan_file import EXAMPLE, PLAN, Group, read_plan, wanted_runs


def plan(folder: Path, words: str | bytes) -> Path:
    path = folder / PLAN
    path.write_bytes(words if isinstance(words, bytes) else words.encode())
    return path


def runs(
    groups: tuple[Group, ...], models: tuple[str, ...] = (), **usual: Any
) -> list[tuple[Any, str, dict[str, Any]]]:
    opened: list[tuple[str, dict[str, str]]] = []

    def record(name: str, stated: Any) -> str:
        opened.append((name, dict(stated)))
        return name

    return [(one.benchmark, one.model, dict(one.what)) for one in wanted_runs(groups, usual, record, models)]


def test_the_example_of_the_messages_is_a_plan(tmp_path: Path) -> None:
    (group,) = read_plan(plan(tmp_path, EXAMPLE))
    assert group.benchmark == ("xmodbench", "sounds.csv") and group.conditions == ((), ("blind",))
    wanted = runs((group,))
    assert [(name, what["conditions"]) for name, _, what in wanted] == [
        ("xmodbench", ()),
        ("xmodbench", ("blind",)),
        ("sounds.csv", ()),
        ("sounds.csv", ("blind",)),
    ]


@pytest.mark.parametrize(
    ("words", "problem", "detail"),
    [
        ("", "the plan has no [[runs]]", "[[runs]]\n    benchmark"),
        ("runs = 3", "the plan has no [[runs]]", "expected"),
        ("runs = []", "the plan has no [[runs]]", "expected"),
        (
            "[[runs]]\nbenchmrk = 'cmdar'",
            "unknown key 'benchmrk'",
            "[[runs]] 1\n  what to do: did you mean 'benchmark'",
        ),
        ("[[runs]]\nmodel='a/b'\n[[runs]]\nsed = 1", "unknown key 'sed'", "[[runs]] 2"),
        ("[[runs]]\nlimit = '5'", "the plan is malformed", "limit"),
        ("[[runs]]\nconditions = ['blind']", "the plan is malformed", "conditions"),
        ("runs = [1]", "the plan is malformed", "runs"),
        ("[[runs]\n", "the plan is not valid TOML", "got"),
        (b"[[runs]]\nname = '\xff'", "", "triptych.toml"),
    ],
)
def test_faults_are_refused_with_the_place(tmp_path: Path, words: str | bytes, problem: str, detail: str) -> None:
    path = plan(tmp_path, words)
    with pytest.raises(SpecError) as refused:
        read_plan(path)
    assert problem in refused.value.problem and detail in str(refused.value) and str(path) in str(refused.value)


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "no.toml", tmp_path):
        with pytest.raises(SpecError) as refused:
            read_plan(path)
        assert str(path) in str(refused.value)


def test_a_file_of_windows_is_read(tmp_path: Path) -> None:
    (group,) = read_plan(plan(tmp_path, "\ufeff[[runs]]\r\nbenchmark = 'cmdar'\r\nmodel = 'baseline/first'\r\n"))
    assert (group.benchmark, group.model) == ("cmdar", "baseline/first")


def test_a_group_goes_before_the_options_of_the_command() -> None:
    group = Group(
        "cmdar",
        ("openai/a", "baseline/first"),
        settings={"temperature": 0.5},
        base_url="http://h/v1",
        limit=3,
        filters={"category": "ER", "subtask": ("a", "b")},
        items="ids.txt",
        packing="audio",
    )
    usual = {"limit": 9, "seed": 4, "conditions": ("blind",), "settings": {"temperature": 1, "top_p": 0.9}}
    asked, baseline = (what for _, _, what in runs((group,), **usual, base_url="http://other/v1"))
    assert (asked["limit"], asked["seed"], asked["conditions"]) == (3, 4, ("blind",))
    assert asked["settings"] == {"temperature": 0.5, "top_p": 0.9, "packing": "audio"}
    assert (asked["base_url"], baseline["base_url"]) == ("http://h/v1", None), "a baseline has no endpoint"
    assert asked["filters"] == {"category": ("ER",), "subtask": ("a", "b")} and asked["items_file"] == "ids.txt"


def test_a_limit_of_0_and_an_empty_list_of_conditions_are_set() -> None:
    ((_, _, what),) = runs((Group("cmdar", "baseline/first", limit=0, seed=0, conditions=((),)),), limit=5, seed=7)
    assert (what["limit"], what["seed"], what["conditions"]) == (0, 0, ())


def test_models_of_the_command_are_for_groups_without_one() -> None:
    wanted = runs((Group("cmdar"), Group("mcga", "baseline/last")), ("baseline/first", "baseline/random"))
    assert [(name, model) for name, model, _ in wanted] == [
        ("cmdar", "baseline/first"),
        ("cmdar", "baseline/random"),
        ("mcga", "baseline/last"),
    ]


@pytest.mark.parametrize(("group", "lacking"), [(Group(model="a/b"), "benchmark"), (Group("cmdar"), "model")])
def test_a_group_that_names_no_benchmark_or_model_is_refused(group: Group, lacking: str) -> None:
    with pytest.raises(SpecError, match=rf"\[\[runs\]\] 2 names no {lacking}"):
        runs((Group("cmdar", "baseline/first"), group))


def test_a_question_file_is_opened_with_its_mapping() -> None:
    opened: list[tuple[str, dict[str, str]]] = []

    def record(name: str, stated: Any) -> str:
        opened.append((name, dict(stated)))
        return name

    table = tomllib.loads("a = {answer = 'key', id = 'nr'}")["a"]
    wanted_runs((Group(("q.csv", "cmdar"), "baseline/first", map=table, instance="clip"),), {}, record)
    assert opened == [(name, {"answer": "key", "id": "nr", "instance": "clip"}) for name in ("q.csv", "cmdar")]
