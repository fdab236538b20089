"""Tests of `analysis/analyse.py`: the one entry point."""

from __future__ import annotations

from tests.analysis.comparing.test_comparison import column
from tests.analysis.forms.test_robustness import manifest, variant
from tests.analysis.seen import seen
from triptych.analysis.analyse import analyse_observed


def test_what_applies_is_chosen_and_ids_are_told_apart() -> None:
    plain, shuffled, blind = variant("1100"), variant("1110", "shuffle"), variant("1000", "blind")
    rival = seen("n", column("0000"), manifest=manifest(model="n"))
    sections = analyse_observed([plain, shuffled, blind, rival])
    kinds = [section.id for section in sections]
    assert kinds == ["significance", "robustness", "ablation"]
    assert len(kinds) == len(set(kinds))
    only = analyse_observed([plain, shuffled], ("robustness",))
    assert [section.id for section in only] == ["robustness"]
    assert analyse_observed([plain]) == []
