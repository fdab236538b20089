"""Consistency inside an Instance: counted by hand, invariant where it must be, and on the released results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from tests.analysis.seen import seen
from tests.scoring.toy import make_spec
from triptych.analysis.forms.consistency import consistency
from triptych.analysis.observed import Observed
from triptych.benchmarks.spec import Contrast, Variation
from triptych.metrics.choice import LETTERS
from triptych.protocols.protocol import Cell, Figure
from triptych.records import Estimate, Item, Score, Section

FORMS = ("read", "heard", "seen")
CONTRAST = Contrast("read_to_heard", "text replaced by audio", (("read", "heard"),))


def aggregate(cells: Sequence[Cell], sums: Any) -> Any:
    """One pooled figure, in per cent."""
    total = sums.sum(axis=-2)
    yield Figure("toy", "acc", {}, 100 * total[..., 0] / total[..., 1], tuple(range(len(cells))))


def asked(said: Mapping[str, str], keys: str = "AAAAAAAA", **more: Any) -> Observed:
    """Letters said in each form, an Instance a place: `{"read": "AB", "heard": "A?"}`; `?` failed, ` ` not asked."""
    spec = structs.replace(make_spec(), variations=(Variation("form", "form", FORMS, contrasts=(CONTRAST,)),))
    scores, items = [], []
    for form, letters in said.items():
        for n, letter in enumerate(letters):
            if letter == " ":
                continue
            facets, unit, lost = {"form": form}, f"a/{form}/{n}", letter == "?"
            scores.append(
                Score(
                    unit,
                    "toy/a",
                    "acc",
                    "failed" if lost else "scored",
                    float(letter == keys[n]),
                    1.0,
                    None if lost else letter,
                    f"a/{n}",
                    facets=facets,
                )
            )
            items.append(
                Item(
                    unit, "toy/a", (), labels=LETTERS, answer="letter", target=keys[n], instance=f"a/{n}", facets=facets
                )
            )
    return seen("m", scores, spec=spec, items=items, aggregate=aggregate, **more)


def only(run: Observed) -> Section:
    (section,) = consistency(run, replicates=200)
    return section


def the(section: Section, measure: str, **slice_: str) -> Estimate:
    return next(e for e in section.estimates if e.measure == measure and slice_.items() <= e.slice.items())


def test_all_right_agreement_and_flips_by_hand() -> None:
    #            0 1 2 3: all right, read alone, two right, none
    section = only(asked({"read": "AAAB", "heard": "ABAC", "seen": "ABBD"}))
    assert the(section, "all_right").value == pytest.approx(25.0)
    assert the(section, "none_right").value == pytest.approx(25.0)
    # pairs that agree: instance 0 all three, 1 one, 2 one, 3 all three: 8 of 12
    assert the(section, "agreement").value == pytest.approx(100 * 8 / 12)
    assert the(section, "all_right.by_luck").value == pytest.approx(100 * 0.75 * 0.5 * 0.25)
    flip = the(section, "flip.read_to_heard")
    assert flip.value == pytest.approx(100 / 3) and flip.n == 3
    assert the(section, "flip", right="heard", wrong="seen").value == pytest.approx(50.0)
    assert the(section, "difference.read_to_heard").value == pytest.approx(-25.0)
    # the same place picked: read-heard 0, 2; read-seen 0; heard-seen 0, 1: 5 of 12
    assert the(section, "same_pick").value == pytest.approx(100 * 5 / 12)


def cohen(first: Sequence[object], second: Sequence[object]) -> float:
    """Cohen's kappa from its definition."""
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = sum(first.count(k) * second.count(k) for k in set(first) | set(second)) / n**2
    return (observed - chance) / (1 - chance)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("ABCD"), st.sampled_from("ABCD"), st.sampled_from("ABCD")), min_size=8, max_size=40
    )
)
def test_two_forms_beyond_luck_are_cohens_kappa(rows: list[tuple[str, str, str]]) -> None:
    read, heard, keys = ("".join(column) for column in zip(*rows, strict=True))
    section = only(asked({"read": read, "heard": heard}, keys))
    right: tuple[Sequence[object], Sequence[object]] = (
        [a == k for a, k in zip(read, keys, strict=True)],
        [a == k for a, k in zip(heard, keys, strict=True)],
    )
    picks: tuple[Sequence[object], Sequence[object]] = (list(read), list(heard))
    for measure, (first, second) in {"agreement.beyond_luck": right, "same_pick.beyond_luck": picks}.items():
        found = the(section, measure)
        if len(set(first)) == len(set(second)) == 1:
            assert found.value is None or first != second
        else:
            assert found.value == pytest.approx(cohen(first, second))


def test_a_constant_letter_is_consistent_by_habit_alone() -> None:
    section = only(asked(dict.fromkeys(FORMS, "BBBBBBBB"), "ABCDABCD"))
    assert the(section, "agreement").value == 100.0
    assert the(section, "all_right").value == pytest.approx(25.0)
    assert the(section, "agreement.beyond_luck").value == pytest.approx(1.0), "luck alone is fooled by it"
    habit = the(section, "agreement.beyond_habit")
    assert habit.value is None and "chance alone" in habit.reason
    assert the(section, "same_pick.beyond_luck").value is None
    assert the(section, "constant.all_right").value == pytest.approx(25.0)


def test_answers_by_lot_are_no_better_than_luck_or_habit() -> None:
    rng = np.random.default_rng(0)
    draw = ["".join(rng.choice(list("ABCD"), 4000, p=[0.4, 0.3, 0.2, 0.1])) for _ in range(3)]
    keys = "".join(rng.choice(list("ABCD"), 4000))
    section = only(asked({"read": draw[0], "heard": draw[1]}, keys))
    for measure in ("agreement.beyond_habit", "same_pick.beyond_luck", "agreement.beyond_luck"):
        found = the(section, measure)
        assert found.value == pytest.approx(0, abs=0.06)
        assert found.interval and found.interval[0] <= found.value <= found.interval[1]  # type: ignore[operator]


def test_answers_that_could_not_be_read_make_no_picks_agree_beyond_luck() -> None:
    """Each form picks A half of the time it can be read, and a third is unread in both forms: luck still gives half."""
    run = asked({"read": "AABB" + "AABB" + "????", "heard": "ABAB" + "????" + "ABAB"}, "A" * 12)
    scores = [structs.replace(s, status="unparsed") if s.status == "failed" else s for s in run.scores]
    section = only(replace(run, scores=tuple(scores)))
    assert the(section, "same_pick").value == pytest.approx(50.0)
    assert the(section, "same_pick.beyond_luck").value == pytest.approx(0.0)


def test_what_cannot_be_paired_is_named_and_left_out() -> None:
    section = only(asked({"read": "AAAAA", "heard": "A?A  ", "seen": "AAA A"}))
    listing, named = section.listings
    told = {row[0]: (row[1], row[2]) for row in listing.rows}
    assert told == {
        "asked in read only: no other form to pair it with": ("1", "a/read/3"),
        "no answer that could be scored in heard": ("1", "a/1"),
        "not asked in heard: counts only in pairs of the other forms": ("1", "a/4"),
    }
    assert {row[0] for row in named.rows} == {"a/read/3", "a/1", "a/4"} and named.total == 3
    whole = the(section, "all_right")
    assert whole.n == 2 and whole.coverage == pytest.approx(2 / 4)
    assert the(section, "agreement").n == 4


@settings(max_examples=10, deadline=None)
@given(st.lists(st.text("ABCD?", min_size=3, max_size=3), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_order_and_names_of_instances_do_not_matter(rows: list[str], random: Any) -> None:
    said = {form: "".join(row[n] for row in rows) for n, form in enumerate(FORMS)}
    random.shuffle(rows)
    shuffled = {form: "".join(row[n] for row in rows) for n, form in enumerate(FORMS)}
    for one, other in zip(*(only(asked(way)).estimates for way in (said, shuffled)), strict=True):
        assert (one.measure, one.n, one.slice) == (other.measure, other.n, other.slice)
        assert one.value == (None if other.value is None else pytest.approx(other.value))


def test_degenerate_runs_give_reasons() -> None:
    assert consistency(asked({"read": "AB"})) == []
    (one,) = consistency(asked({"read": "A", "heard": "B"}), replicates=50)
    assert the(one, "agreement").value == 0.0 and the(one, "agreement").interval is None
    (silent,) = consistency(asked({"read": "?", "heard": "?"}), replicates=50)
    assert not [e for e in silent.estimates if e.measure == "agreement"]
    assert silent.sentences == ("No Instance has answers in two forms that could be scored.",)
    nothing = the(only(asked({"read": "BB", "heard": "AB"})), "flip.read_to_heard")
    assert nothing.value is None and nothing.reason == "nothing was right in read"
