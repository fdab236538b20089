"""Tests of `analysis/comparing/shared.py`: what several Runs share."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from tests.analysis.comparing.test_comparison import SPEC, run
from tests.analysis.comparing.test_identity import rewritten
from tests.analysis.seen import seen
from triptych import api
from triptych.analysis.comparing.shared import align, facets_apart, left_out_lines
from triptych.records import Item
from triptych.store.folder import RunFolder


def test_forms_apart_are_facets_with_one_value_a_run() -> None:
    assert facets_apart([run("A", "1", "fixed"), run("B", "1", "mixed")]) == {"form": ("fixed", "mixed")}
    assert facets_apart([run("A", "1", "fixed"), run("B", "1", "fixed")]) == {}


def test_runs_that_share_units_or_have_several_forms_stay_as_they_are() -> None:
    same = [run("A", "10", "fixed"), run("B", "01", "fixed")]
    assert align(same) == tuple(same)
    both = run("A", "10", "fixed")
    both = seen("A", [*both.scores, *run("A", "10", "other").scores], spec=SPEC)
    assert align([both, run("B", "10", "mixed")])[0] is both


def test_two_units_of_one_instance_are_never_taken_for_each_other() -> None:
    doubled = run("A", "10", "fixed")
    doubled = seen("A", [structs.replace(s, instance="one") for s in doubled.scores], spec=SPEC)
    assert align([doubled, run("B", "10", "mixed")])[0] is doubled


def test_a_facet_that_only_one_run_has_divides_no_figure(run: RunFolder, tmp_path: Path) -> None:
    def change(item: Item) -> Item:
        return structs.replace(item, facets={**item.facets, "variant": "x"})

    other = rewritten(run, tmp_path / "other", change)
    found = api.compare([run.path, other.path], replicates=100)
    assert found.shared == len(list(run.items()))
    assert any(warning.startswith("the facet 'variant' of") for warning in found.warnings)
    assert all(e.coverage > 0 for e in found.section.estimates if e.measure == "difference" and e.value is not None)
    assert api.report([run.path, other.path], to=tmp_path / "report", formats=("md",))


def test_a_facet_that_a_run_lacks_divides_no_figure(tmp_path: Path) -> None:
    full = api.run("mcga/su", "baseline/first", out=tmp_path / "full").folder
    less = rewritten(full, tmp_path / "less", lambda item: structs.replace(item, facets={}), every=1)
    found = api.compare([full.path, less.path], replicates=100)
    assert found.shared and all(not e.slice for e in found.section.estimates if e.value is not None)
    assert {w.split("'")[1] for w in found.warnings if w.startswith("the facet")} == {"genre", "dynasty", "split"}
    api.analyse([full.path, less.path])


def test_what_is_left_out_is_a_sentence_for_each_reason() -> None:
    assert left_out_lines({"failed in A": 1, "the options differ": 1200}) == [
        "1 question of all Runs is left out: failed in A",
        "1,200 questions of all Runs are left out: the options differ",
    ]
