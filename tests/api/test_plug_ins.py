"""Tests of `api/plug_ins.py`: what each group's contract asks of an entry point, checked in this process."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest

from tests.cli.test_check_plugin import CONDITION, GOOD_METRIC, GOOD_MODEL, METRIC, MODEL, STAGE, package
from triptych.api.contracts.checking import checked, entry_points_of
from triptych.api.plug_ins import PlugInCheck, check_plug_ins
from triptych.benchmarks import load_benchmark
from triptych.errors import SpecError
from triptych.records import Item, text

Install = Callable[..., list[PlugInCheck]]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package with one entry point for each group, and check it."""

    def installed(model: str = "", **sources: str) -> list[PlugInCheck]:
        package(tmp_path, **{group: ("mine", source) for group, source in sources.items()})
        monkeypatch.syspath_prepend(tmp_path)
        importlib.invalidate_caches()
        try:
            return [checked(point, model) for point in entry_points_of("labplug")]
        finally:
            for name in [name for name in sys.modules if name.startswith("labplug_")]:
                del sys.modules[name]

    return installed


def faults(install: Install, group: str, source: str) -> tuple[str, ...]:
    (found,) = install(**{group: source})
    assert (found.kind, found.name, found.module) == (group, "mine", f"labplug_{group}")
    return found.faults


def test_results_are_in_the_order_of_the_groups_and_a_fault_in_one_is_no_fault_of_another(install: Install) -> None:
    found = install(
        conditions=CONDITION % "lambda arguments, seed: Upper()",
        metrics=METRIC.format(**{**GOOD_METRIC, "source": ""}),
        models=MODEL.format(**GOOD_MODEL),
    )
    assert {one.kind: bool(one.faults) for one in found} == {"models": False, "metrics": True, "conditions": False}
    again = [one.kind for one in found]
    from triptych.records.plug_ins import GROUPS

    assert again == [group.rpartition(".")[2] for group in GROUPS if group.rpartition(".")[2] in again]


def test_a_module_that_ends_the_process_is_a_fault_and_ends_nothing(install: Install) -> None:
    (fault,) = faults(install, "models", "import sys\nsys.exit('no licence')\n")
    assert "no licence" in fault


def test_a_model_that_takes_only_certain_names_is_a_note_with_the_option(install: Install) -> None:
    picky = (
        "from triptych.errors import SpecError\n"
        + MODEL.format(**GOOD_MODEL)
        + "\nmake_any = make\ndef make(name, settings):\n"
        "    if name != 'base':\n        raise SpecError('no model of this name', got=name)\n"
        "    return make_any(name, settings)\n"
    )
    (found,) = install(models=picky)
    assert found.faults == () and len(found.notes) == 1
    assert "no model of this name" in found.notes[0] and "--model NAME" in found.notes[0]
    assert not found.notes[0].startswith("note")


def test_the_name_of_a_model_is_passed_on(install: Install) -> None:
    source = MODEL.format(**GOOD_MODEL) + "\nmake_any = make\ndef make(name, settings):\n    assert name == 'base'\n"
    (found,) = install("base", models=source + "    return make_any(name, settings)\n")
    assert (found.faults, found.notes) == ((), ())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("Echo.__init__ = lambda self, name: setattr(self, 'name', '')", "name is empty"),
        ("Echo.revision = 7", "revision is int; expected str"),
        ("del Echo.endpoint", "the adapter has no attribute endpoint"),
        ("Echo.settings = {'api_key': 'x'}", "read keys from the environment"),
        ("Echo.accepts = {'text'}", "accepts is set; expected frozenset"),
        ("del Echo.close", "close is not a coroutine function"),
        ("SETTINGS = 'temperature'", "SETTINGS is str; expected the names"),
        ("del make", "there is no function make(name, settings)"),
    ],
)
def test_what_an_adapter_lacks_is_named(install: Install, change: str, words: str) -> None:
    found = faults(install, "models", f"{MODEL.format(**GOOD_MODEL)}\n{change}\n")
    assert [fault for fault in found if words in fault], found


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("METRICS = ({'id': 'vowels'},)", "METRICS holds dict, not Metric"),
        ("METRICS = (replace(METRICS[0], better='more'),)", "better is 'more'; expected higher or lower"),
        ("METRICS = (replace(METRICS[0], statistics=('vowels',)),)", "numerator and denominator"),
        ("METRICS = (replace(METRICS[0], statistics=('vowels', '')),)", "numerator and denominator"),
        ("METRICS = (replace(METRICS[0], id='词.f1'),)", "'词.f1'"),
    ],
)
def test_what_a_metric_lacks_is_named(install: Install, change: str, words: str) -> None:
    source = f"from dataclasses import replace\n{METRIC.format(**GOOD_METRIC)}\n{change}\n"
    (fault,) = faults(install, "metrics", source)
    assert words in fault


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("CONDITIONS = ['upper']", "CONDITIONS is list; expected a mapping of names"),
        ("CONDITIONS = {'upper': ('', lambda arguments, seed: None)}", "upper: the summary is empty"),
        ("CONDITIONS = {'upper': ('Capitals.', 'make')}", "upper: make is not a function"),
    ],
)
def test_what_a_condition_lacks_is_named(install: Install, source: str, words: str) -> None:
    (fault,) = faults(install, "conditions", source)
    assert words in fault


def test_what_a_stage_lacks_is_named(install: Install) -> None:
    source = f"{STAGE}two = Stage('mute', 1, (), (), None)\n"
    found = " ".join(faults(install, "stages", source))
    assert "mute: run is not a function" in found and "mute: it declares neither reads nor writes" in found


def test_a_package_without_entry_points_of_ours_is_told_which_there_are() -> None:
    with pytest.raises(SpecError, match="has no entry points of Triptych") as error:
        check_plug_ins("pytest")
    assert "triptych.models" in str(error.value) and "pyproject.toml" in str(error.value)
    with pytest.raises(SpecError, match="no package 'labplug' is installed"):
        check_plug_ins("labplug")


def test_an_entry_point_with_an_attribute_or_of_an_unknown_group_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, models=("mine", MODEL.format(**GOOD_MODEL)))
    (tmp_path / "labplug-1.0.dist-info" / "entry_points.txt").write_text(
        "[triptych.models]\nmine = labplug_models:Echo\n[triptych.model]\nmine = labplug_models\n[other]\nx = y\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    models, model = check_plug_ins("labplug")
    assert models.faults == (
        "the entry point names 'labplug_models:Echo'; expected a module, without :Echo: labplug_models",
    )
    assert model.kind == "model" and "did you mean 'triptych.models'?" in model.faults[0]


def test_a_model_that_accepts_any_setting_and_a_stage_without_docstring_are_notes(install: Install) -> None:
    source = MODEL.format(**GOOD_MODEL).replace("if settings:", "if False:")
    models, stages = install(models=source, stages=STAGE.replace(', about="All texts."', ""))
    assert models.faults == stages.faults == ()
    assert "no_such_setting" in models.notes[0] and "no docstring" in stages.notes[0]


RIVER = """
name = "river"
title = "Rivers"
version = "1"
summary = "Which river."
licence = "CC0-1.0"
languages = ["en"]
prompt = "plain"
protocols = ["official"]
slices = []
citation = {title = "Rivers", authors = "A", year = 2026}
prompts.plain = {source = "ours", content = ["{question}"]}
tasks = [{id = "name", answer = "text", metrics = ["em"]}]
"""


def test_a_benchmark_whose_name_is_not_its_entry_points_is_said_to_be_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, benchmarks=("rivers", ""))
    (tmp_path / "labplug_benchmarks.py").unlink()
    (tmp_path / "labplug_benchmarks").mkdir()
    (tmp_path / "labplug_benchmarks" / "__init__.py").touch()
    (tmp_path / "labplug_benchmarks" / "spec.toml").write_text(RIVER)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    try:
        (found,) = map(partial(checked, model=""), entry_points_of("labplug"))
    finally:
        sys.modules.pop("labplug_benchmarks", None)
    assert found.faults == ("spec.toml says name = 'river'; the entry point is 'rivers': the two must be equal",)


def test_slices_that_no_item_has_are_a_fault_if_a_facet_has_a_similar_name() -> None:
    from triptych.api.contracts.benchmarks import slice_names

    spec = msgspec.structs.replace(load_benchmark("cmdar").spec, slices=("contient", "century", "continent"))
    item = Item("i", "cmdar/main", (text("Which river?"),), target="Rhône", facets={"continent": "Europe"})
    misspelt, unseen = slice_names(spec, [item])
    assert "'contient'" in misspelt and "did you mean 'continent'?" in misspelt
    assert unseen.startswith("note: ") and "'century'" in unseen
