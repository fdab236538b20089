"""Two Runs and more: by hand, by brute force, and by what must not matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from tests.analysis.comparing.columns import column, lost, the
from tests.analysis.seen import seen
from tests.scoring.toy import item, make_spec, protocol, random_scores, score
from triptych.analysis.analyse import analyse_observed
from triptych.analysis.comparing.comparison import compare_runs
from triptych.analysis.comparing.significance import mcnemar
from triptych.analysis.observed import Observed
from triptych.benchmarks.spec import Variation
from triptych.protocols.protocol import Cell, Figure


def test_a_comparison_by_hand() -> None:
    found = compare_runs([seen("A", column("1111100000")), seen("B", column("1100011000"))], replicates=2000)
    difference = the(found, "difference")
    assert difference.value == pytest.approx(10.0)
    assert difference.n == 10 and difference.coverage == 1.0
    assert the(found, "only_first").value == 3 and the(found, "only_second").value == 2
    assert the(found, "mcnemar.exact").p_value == mcnemar(3, 2)[0]  # type: ignore[index]
    assert "3 questions only A got right, 2 only B" in found.sentences[0]
    assert "do not differ significantly" in found.sentences[0]
    listed = {listing.title: listing.rows for listing in found.section.listings}
    assert [row[0] for row in listed["Only A got right"]] == ["toy/a/2", "toy/a/3", "toy/a/4"]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000))
def test_swapped_runs_change_the_sign_and_nothing_else(seed: int) -> None:
    a, b = seen("A", random_scores(seed)), seen("B", random_scores(seed + 5000))
    there, back = compare_runs([a, b], replicates=300), compare_runs([b, a], replicates=300)
    assert there.shared == back.shared
    for one, other in zip(there.section.estimates, back.section.estimates, strict=True):
        if one.measure == "difference" and one.value is not None:
            assert other.value == pytest.approx(-one.value)
            assert one.n == other.n and one.p_value == pytest.approx(other.p_value)
    assert the(there, "only_first").value == the(back, "only_second").value


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_scores_does_not_matter(seed: int, random: object) -> None:
    a, b = random_scores(seed), random_scores(seed + 5000)
    shuffled = list(a)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one = compare_runs([seen("A", a), seen("B", b)], replicates=200)
    other = compare_runs([seen("A", shuffled), seen("B", b)], replicates=200)
    assert {e.label: (e.value, e.interval, e.p_value) for e in one.section.estimates} == {
        e.label: (e.value, e.interval, e.p_value) for e in other.section.estimates
    }


def test_a_run_against_itself_is_equal() -> None:
    scores = random_scores(3)
    found = compare_runs([seen("A", scores), seen("B", scores)], replicates=200)
    assert {e.value for e in found.section.estimates if e.measure == "difference"} == {0.0}
    assert the(found, "difference").p_value == 1.0
    assert the(found, "mcnemar.exact").value is None
    assert the(found, "wilcoxon").reason == "no Instance differs"
    assert "are equal" in found.sentences[0]


def test_what_is_shared_is_compared_and_the_rest_told() -> None:
    a, b = seen("A", column("11111")), seen("B", column("000", start=3))
    found = compare_runs([a, b], replicates=200)
    assert (found.shared, [run.units for run in found.runs]) == (2, [5, 3])
    assert the(found, "difference").coverage == pytest.approx(2 / 6)


def test_an_unanswered_question_is_left_out_where_the_protocol_leaves_it_out() -> None:
    runs = [seen("A", column("11?1"), headline="answered"), seen("B", column("0011"), headline="answered")]
    found = compare_runs(runs, replicates=200)
    assert found.shared == 3 and list(found.lost.values()) == [1]
    charged = compare_runs([seen("A", column("11?1")), seen("B", column("0011"))], replicates=200)
    assert charged.shared == 4 and not charged.lost
    assert the(charged, "difference").value == pytest.approx(25.0)


def test_no_overlap_gives_none_and_a_reason() -> None:
    found = compare_runs([seen("A", column("11")), seen("B", column("11", start=7))], replicates=200)
    assert found.shared == 0
    (nothing,) = found.section.estimates
    assert nothing.value is None and "no question" in nothing.reason


def test_a_single_question_has_a_difference_and_no_interval() -> None:
    found = compare_runs([seen("A", column("1")), seen("B", column("0"))], replicates=200)
    difference = the(found, "difference")
    assert difference.value == 100.0 and difference.interval is None and "one Instance" in difference.reason
    assert the(found, "paired_t").value is None


def test_other_data_is_held_against_each_other_question_by_question() -> None:
    from msgspec import structs

    a, b = seen("A", column("1111")), seen("B", column("0000"))
    changed = tuple(structs.replace(i, target="C") if i.id.endswith("3") else i for i in b.item_list)
    b = type(b)(b.label, b.benchmark, b.protocol, b.scores, b.aggregates, changed)
    found = compare_runs([a, b], replicates=200)
    assert found.shared == 3
    assert found.lost == {"not the same question: the reference answer differs": 1}


def test_what_differs_beside_the_model_is_a_warning() -> None:
    sign = "bench:toy@1|data:{}|protocol:standard@1|model:m|cond:{}"
    runs = [
        seen("A", column("10"), signature=sign.format("x", "none")),
        seen("B", column("10"), signature=sign.format("y", "blind")),
    ]
    warnings = compare_runs(runs, replicates=200).warnings
    (data,) = [w for w in warnings if w.startswith("the data differs")]
    assert data.endswith(": only questions that are the same in all Runs are compared")
    assert any(w.startswith("the Condition differs (A: none; B: blind)") for w in warnings)


def test_ranks_are_ranges_and_not_false_order() -> None:
    rng = np.random.default_rng(0)
    strong = "".join("1" if x < 0.9 else "0" for x in rng.random(300))
    middle = ["".join("1" if x < 0.5 else "0" for x in rng.random(300)) for _ in range(2)]
    weak = "".join("1" if x < 0.1 else "0" for x in rng.random(300))
    runs = [seen(name, column(rights)) for name, rights in zip("SXYW", [strong, *middle, weak], strict=True)]
    found = compare_runs(runs, replicates=500)
    places = {rank.run: (rank.best, rank.worst) for rank in found.ranks if rank.figure.startswith("toy acc")}
    assert places == {"S": (1, 1), "X": (2, 3), "Y": (2, 3), "W": (4, 4)}
    adjusted = [e for e in found.section.estimates if e.measure == "difference" and e.task == "toy"]
    assert all(e.p_adjusted is not None and e.p_adjusted >= (e.p_value or 0) for e in adjusted if not e.slice)


def test_a_leaderboard_stands_in_the_section_too() -> None:
    runs = [seen("A", column("1" * 20)), seen("B", column("0" * 20)), seen("C", column("01" * 10))]
    section = compare_runs(runs, replicates=500).section
    (board,) = [listing for listing in section.listings if listing.id == "ranks"]
    assert [row[1:] for row in board.rows if row[0] == "toy acc"] == [
        ("1", "A", "100.0"),
        ("2", "C", "50.0"),
        ("3", "B", "0.0"),
    ]
    assert section.sentences[0].startswith("toy acc, best first: A 100.0 (rank 1); C 50.0 (rank 2); B 0.0 (rank 3).")


def test_a_report_says_what_compare_says() -> None:
    runs = [seen("A", random_scores(1)), seen("B", random_scores(2))]
    (section,) = analyse_observed(runs, ("significance",))
    assert section.estimates == compare_runs(runs).section.estimates


def test_repeats_of_a_unit_are_one_question() -> None:
    twice = [*column("10"), *(score(f"toy/a/{n}", 1.0, repeat=1) for n in range(2))]
    found = compare_runs([seen("A", twice), seen("B", column("00"))], replicates=200)
    assert the(found, "difference").value == pytest.approx(75.0)
    assert the(found, "difference").n == 2


@pytest.mark.parametrize("status", ["skipped", "missing", "unavailable", "judge_failed"])
def test_what_a_model_was_not_asked_is_no_defeat(status: str) -> None:
    """Eight questions that a baseline skips are no evidence against it: they are left out, and named."""
    text_only = [*lost(status, 8), *column("1010", start=8)]
    found = compare_runs([seen("A", column("111111111010")), seen("text", text_only)], replicates=200)
    assert found.shared == 4 and list(found.lost.values()) == [8]
    assert "text" in next(iter(found.lost))
    assert the(found, "difference").value == 0.0 and the(found, "only_first").value == 0


def test_answers_that_do_not_differ_tell_no_smallest_difference() -> None:
    found = compare_runs([seen("A", column("1100")), seen("B", column("1100"))], replicates=200)
    assert not [e for e in found.section.estimates if e.measure == "detectable"]
    assert not [x for x in found.section.listings if x.id.startswith("detectable")]


def test_runs_against_a_baseline() -> None:
    runs = [seen("good", column("1" * 30)), seen("base", column("10" * 15)), seen("bad", column("0" * 30))]
    found = compare_runs(runs, replicates=500, baseline=1)
    assert [e.runs for e in found.headlines] == [("good", "base"), ("bad", "base")]
    assert [e.runs[0] for e in found.worse] == ["bad"] and found.baseline == "base" and not found.ranks
    assert [e.p_adjusted is not None for e in found.headlines] == [True, True]
    assert not compare_runs(runs[:2], replicates=500, baseline=1).worse
    assert not compare_runs(runs, replicates=500).worse  # no baseline, nothing to be worse than


@pytest.mark.filterwarnings("error")
def test_an_infinite_figure_warns_nobody() -> None:
    """A ratio of two Tasks whose second is 0: no value, no interval, and no warning of NumPy."""

    def ratio(cells: Sequence[Cell], sums: Any) -> Iterator[Figure]:
        share = sums[..., 0] / sums[..., 1]
        yield Figure("toy", "acc", {}, share[..., 0] / share[..., 1], tuple(range(len(cells))))

    by = replace(protocol(), aggregate=ratio)
    none_right = column("0000", task="toy/b")
    runs = [seen(name, [*column(own), *none_right], by=by) for name, own in (("A", "1011"), ("B", "1101"))]
    found = compare_runs(runs, replicates=100)
    assert [e.value for e in found.section.estimates if e.measure == "difference"] == [None]


SPEC = structs.replace(make_spec(), variations=(Variation("form", "form"), Variation("voice", "voice")))


def run(label: str, rights: str, form: str, voice: str = "x") -> Observed:
    scores = [
        score(f"{form}/{voice}/{n}", float(r == "1"), instance=f"i{n}", facets={"form": form, "voice": voice})
        for n, r in enumerate(rights)
    ]
    return seen(label, scores, spec=SPEC)


def test_other_forms_of_the_same_questions_are_paired_by_instance() -> None:
    found = compare_runs([run("A", "1111100000", "fixed"), run("B", "1100011000", "mixed")], replicates=500)
    assert found.shared == 10 and found.section.estimates[0].value == 10.0
    assert any("form: A: fixed; B: mixed" in warning for warning in found.warnings)


def test_without_a_common_instance_there_is_no_comparison_and_a_reason() -> None:
    other = run("B", "10", "mixed")
    other = seen("B", [structs.replace(s, instance="other" + s.instance) for s in other.scores], spec=SPEC)
    found = compare_runs([run("A", "11", "fixed"), other], replicates=500)
    assert found.shared == 0 and "share no question" in found.sentences[0]


def test_questions_that_look_the_same_among_others_are_left_out() -> None:
    """Results made elsewhere may be over another set: of four letters one in four agrees by luck."""
    first = [score(f"toy/a/{n}", 1.0) for n in range(8)]
    second = [score(f"toy/a/{n}", 0.0) for n in range(8)]
    made = [
        [structs.replace(item(s.unit, "a"), target="ABCDABCD"[n]) for n, s in enumerate(first)],
        [structs.replace(item(s.unit, "a"), target="ABCCDABC"[n]) for n, s in enumerate(second)],
    ]
    found = compare_runs([seen("A", first, items=made[0]), seen("B", second, items=made[1])], replicates=200)
    assert found.shared == 0 and sorted(found.lost.values()) == [3, 5]


def test_a_few_corrected_keys_leave_the_rest_of_a_task_comparable() -> None:
    first, second = ([score(f"toy/a/{n}", value) for n in range(8)] for value in (1.0, 0.0))
    made = [
        [structs.replace(item(s.unit, "a"), target="ABCDABCD"[n]) for n, s in enumerate(first)],
        [structs.replace(item(s.unit, "a"), target="BBCDABCD"[n]) for n, s in enumerate(second)],
    ]
    found = compare_runs([seen("A", first, items=made[0]), seen("B", second, items=made[1])], replicates=200)
    assert found.shared == 7 and list(found.lost.values()) == [1]


def test_a_mean_of_parts_and_counts_of_questions_may_disagree() -> None:
    """A is ahead in the small task, B in the large one: the sentence says why both are true."""
    first = [score(f"toy/a/{n}", 1.0, task="toy/a") for n in range(4)]
    first += [score(f"toy/b/{n}", float(n < 12), task="toy/b") for n in range(40)]
    second = [score(f"toy/a/{n}", 0.0, task="toy/a") for n in range(4)]
    second += [score(f"toy/b/{n}", float(n < 24), task="toy/b") for n in range(40)]
    found = compare_runs([seen("A", first), seen("B", second)], replicates=200)
    total = next(s for s in found.sentences if s.startswith("toy acc"))
    assert "A is" in total and "the counts point the other way" in total
