"""Runs that were asked one form each of the same questions: compared by Instance, told apart by the facet."""

from __future__ import annotations

from msgspec import structs

from tests.analysis.seen import seen
from tests.scoring.toy import item, make_spec, score
from triptych.analysis.comparing.comparison import compare_runs
from triptych.analysis.comparing.shared import align, facets_apart
from triptych.analysis.observed import Observed
from triptych.benchmarks.spec import Variation

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
