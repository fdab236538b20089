"""Tests of `analysis/forms/instances.py`: instances and the facet that varies."""

from __future__ import annotations

import pytest
from msgspec import structs

from tests.analysis.forms.test_consistency import asked, only, the
from triptych.analysis.forms.consistency import consistency
from triptych.analysis.forms.instances import REPEAT, contradiction, forms_of, variations
from triptych.analysis.observed import Observed
from triptych.records import Item, text


def test_forms_with_other_keys_contents_or_options_are_no_pair() -> None:
    one = Item("1", "t", (text("sea", "content"),), ((text("x"),), (text("y"),)), ("A", "B"), "letter", "A")
    assert contradiction([one, structs.replace(one, id="2")]) == ""
    assert "reference answers" in contradiction([one, structs.replace(one, target="B")])
    assert "contents" in contradiction([one, structs.replace(one, parts=(text("wood", "content"),))])
    assert "options" in contradiction([one, structs.replace(one, options=((text("x"),), (text("z"),)))])
    assert contradiction([structs.replace(one, answer="text"), structs.replace(one, answer="text", target="B")]) == ""
    run = asked({"read": "AA", "heard": "AA"})
    wrong = tuple(structs.replace(i, target="B") if i.id == "a/heard/1" else i for i in run.item_list)
    (section,) = consistency(structs_replace(run, wrong), replicates=50)
    assert "different reference answers" in section.listings[0].rows[0][0]


def structs_replace(run: Observed, items: tuple[Item, ...]) -> Observed:
    return Observed(run.label, run.benchmark, run.protocol, run.scores, run.aggregates, items)


def test_repeats_are_forms_too() -> None:
    run = asked({"read": "AB"})
    again = tuple(structs.replace(s, repeat=1, numerator=1.0) for s in run.scores)
    twice = Observed("m", run.benchmark, run.protocol, run.scores + again, run.aggregates, run.item_list)
    assert variations(twice) == [REPEAT]
    assert [len(g.scores) for g in forms_of(twice, REPEAT).groups] == [2, 2]
    assert the(only(twice), "agreement").value == pytest.approx(50.0)
