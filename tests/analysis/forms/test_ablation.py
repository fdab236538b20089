"""Tests of `analysis/forms/ablation.py`: ablation."""

from __future__ import annotations

import pytest

from tests.analysis.comparing.test_comparison import column
from tests.analysis.forms.test_robustness import all_of, manifest, variant
from tests.analysis.seen import seen
from tests.scoring.toy import item
from triptych.analysis.forms.ablation import ablation, chance, is_ablation
from triptych.metrics.choice import LETTERS
from triptych.records import Item, text


def test_what_an_input_is_worth_is_the_paired_difference() -> None:
    base, blind = variant("1111111000"), variant("1110000000", "blind")
    assert is_ablation(blind) and not is_ablation(base)
    section = ablation(base, [blind])
    contribution = next(e for e in all_of(section, "contribution") if e.task == "toy")
    assert contribution.value == pytest.approx(40.0) and contribution.n == 10
    assert contribution.interval and contribution.interval[0] > 0
    assert [e.value for e in all_of(section, "score") if e.task == "toy"] == pytest.approx([70.0, 30.0])
    assert section and "m scores 70.0, and 30.0 under blind" in section.sentences[0]
    assert ablation(base, []) is None


def test_blind_over_other_questions_has_no_difference() -> None:
    other = seen("x", column("11", start=50), manifest=manifest(model="m", conditions=("blind",)))
    section = ablation(variant("11"), [other])
    assert section and section.estimates[0].value is None


def test_guessing_is_one_in_the_number_of_options() -> None:
    two = Item("toy/a/0", "toy/a", (), ((text("x"),), (text("y"),)), answer="option", target="x")
    four = item("toy/a/1", labels=LETTERS)
    found = chance(seen("m", column("10"), items=[two, four]))
    assert found and found.value == pytest.approx(100 * (1 / 2 + 1 / 4) / 2)
    assert chance(seen("m", column("1"), items=[Item("toy/a/0", "toy/a", ())])) is None
