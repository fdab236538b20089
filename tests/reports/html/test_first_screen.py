"""The first screen: what is compared, with what each figure rests on and what is decided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.reports.samples import figure
from triptych.api import plan
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.published import published_basis
from triptych.records import Aggregate, Estimate, Section
from triptych.records.findings import finding
from triptych.reports.html.first_screen import Screen, screen
from triptych.reports.tables.book import Report
from triptych.reports.tables.matrix import Block, block, doubts, order_labels
from triptych.reports.tables.restrictions import remarks_of
from triptych.scoring.outcome import Scored
from triptych.store.folder import RunFolder


def cmdar(**tasks: float | None) -> list[Aggregate]:
    """Figures of CMDAR's Tasks; None for one whose judge is missing."""
    metrics = {"main": "acc", "multi": "em", "open": "judge_score"}
    return [
        figure(
            value,
            counts={"scored": 40} if value is not None else {"unavailable": 40},
            task=f"cmdar/{task}",
            metric=metrics[task],
            interval=None if value is None else (value - 5, value + 5),
            n=40 if value is not None else 0,
        )
        for task, value in tasks.items()
    ]


def compared(first: str, second: str, value: float, p: float) -> Section:
    """A comparison of two Runs on CMDAR's main Task over 40 Instances, with a smallest detectable difference of 10."""
    common: Any = {"task": "cmdar/main", "metric": "acc", "runs": (first, second)}
    around = (value - 5, value + 5)
    found = Estimate("difference", value, "points", n=40, interval=around, p_value=p, better="higher", **common)
    plan = Estimate("detectable", 10.0, "points", n=40, **common)
    t = Estimate("paired_t", 1.0, "", n=40, **common)
    return Section("significance", "Differences", "", (), (found, plan, t))


def made(sections: tuple[Section, ...] = (), **runs: list[Aggregate]) -> Block:
    """CMDAR's part of the matrix."""
    report = Report(load_benchmark("cmdar"), {label: {"official": own} for label, own in runs.items()})
    return block(report, "official", sections)


def test_every_headline_has_its_own_column_and_what_has_no_value_is_named() -> None:
    found = made(a=cmdar(main=40.0, multi=10.0, open=None), b=cmdar(main=60.0, multi=5.0, open=None))
    assert [column.heading for column in found.columns] == ["main accuracy", "multi exact match"]
    assert found.absent == ("open judge's score: 40 unavailable",)
    assert [(cell.text, cell.spread, cell.n) for cell in found.cells["a"]] == [
        ("40.0", "35.0–45.0", 40),
        ("10.0", "5.0–15.0", 40),
    ]
    assert [column.n for column in found.columns] == [40, 40]


def test_runs_are_in_order_of_their_mean_place() -> None:
    runs = {"worst": cmdar(main=10.0), "best": cmdar(main=90.0), "middle": cmdar(main=50.0)}
    assert order_labels([made(**runs)]) == ["best", "middle", "worst"]


def test_bold_follows_the_rule_of_the_tables_and_ranks_the_paired_test() -> None:
    a, b = cmdar(main=40.0), cmdar(main=51.0)
    sure = made((compared("a", "b", -10.0, 0.01),), a=a, b=b)
    assert [(own[0].rank, own[0].best) for own in sure.cells.values()] == [("2", False), ("1", True)]
    assert sure.summary == "b is better than a by 10.0 points on main accuracy (5.0 to 15.0, p 0.010, n 40)."
    close = made((compared("a", "b", -10.0, 0.01),), a=a, b=cmdar(main=50.0))  # their intervals meet at 45
    assert [(own[0].rank, own[0].best) for own in close.cells.values()] == [("2", False), ("1", False)]
    for found in (sure, close):
        rows = found.report.overview("official").rows
        assert [row.cells[0].best for row in rows] == [own[0].best for own in found.cells.values()]
    unsure = made((compared("a", "b", -4.0, 0.3),), a=a, b=cmdar(main=44.0))
    assert [(own[0].rank, own[0].best) for own in unsure.cells.values()] == [("1–2", False)] * 2
    # 40 Instances show 10 points: (10 / 4)^2 times as many show 4, so 250, which is 210 more
    assert unsure.summary == (
        "b is 4.0 points ahead of a on main accuracy (−1.0 to 9.0, p 0.30, n 40): undecided; about 210 further "
        "Instances would decide it."
    )


def test_a_difference_over_other_questions_than_the_scores_says_so() -> None:
    """The released results of two systems: 61.5 and 59.4 over all that each answered, 4.1 apart over what both did."""
    one = compared("a", "b", 4.1, 0.001)
    known = [structs.replace(e, values=(62.4, 58.3)) if e.measure == "difference" else e for e in one.estimates]
    apart = structs.replace(one, estimates=tuple(known))
    said = made((apart,), a=cmdar(main=61.5), b=cmdar(main=59.4)).summary
    assert said.endswith(
        "The difference is over the 40 questions that both Runs share, where a has 62.4 and b 58.3 on main accuracy; "
        "each score of the table is over all questions of its Run."
    )
    assert "questions that both Runs share" not in made((apart,), a=cmdar(main=62.4), b=cmdar(main=58.3)).summary


def test_many_pairs_are_counted_and_the_highest_run_is_named_first() -> None:
    pairs = [
        compared("low", "high", -10.0, 0.01),
        compared("low", "top", -12.0, 0.01),
        compared("high", "top", -9.0, 0.3),
    ]
    many = structs.replace(pairs[0], estimates=tuple(one for section in pairs for one in section.estimates))
    found = made((many,), low=cmdar(main=40.0), high=cmdar(main=50.0), top=cmdar(main=58.0))
    # 9 points need (10 / 9)^2 times the 40 Instances, and somewhat more for three tests: fewer than twice as many
    assert found.summary == (
        "main accuracy: no Run is better than all others; top, high share the first rank; 2 of 3 pairs of Runs are "
        "decided; twice as many Instances would decide about 1 more."
    )


def together(*sections: Section) -> Section:
    return structs.replace(sections[0], estimates=tuple(one for section in sections for one in section.estimates))


def test_the_sentence_calls_nobody_better_who_was_not_decided_to_be() -> None:
    """A is ahead of B, undecided; B is worse than C, and C than A: nobody is above A, which is not above B."""
    many = together(compared("a", "b", 9.0, 0.3), compared("b", "c", -9.0, 0.01), compared("c", "a", -9.0, 0.01))
    said = made((many,), a=cmdar(main=60.0), b=cmdar(main=50.0), c=cmdar(main=55.0)).summary
    assert "better than every other" not in said
    assert said.startswith("main accuracy: no Run is better than all others; none is significantly better than a;")


def scored(notes: tuple[str, ...] = (), counts: dict[str, int] | None = None, main: float = 50.0) -> Scored:
    return Scored({"official": cmdar(main=main)}, counts, notes)


INTERRUPTED = "unfinished: in the data 624, asked 56; the 568 Requests not asked yet are not counted"


def test_two_runs_alone_are_compared_over_what_they_share() -> None:
    report = Report(load_benchmark("cmdar"), {"part": scored((INTERRUPTED,)), "whole": scored(main=40.0)})
    found = block(report, "official", (compared("part", "whole", 10.0, 0.01),))
    assert found.summary.startswith("part is better than whole by 10.0 points")


def test_requests_without_a_reply_are_an_unfinished_run_unless_results_are_imported() -> None:
    def marks(model: str) -> tuple[str, ...]:
        manifest = structs.replace(plan("cmdar", "baseline/first").manifest, model=model, data="x")
        figures = [figure(50.0, counts={"scored": 44, "missing": 580}, task="cmdar/main", n=624)]
        folder = RunFolder(Path("r"), manifest)
        return remarks_of(load_benchmark("cmdar").spec, folder, figures).marks

    assert any(mark == "unfinished: asked 624, answered 44" for mark in marks("hf/m"))
    assert not any(mark.startswith("unfinished") for mark in marks("replay/m"))


def test_a_figure_without_an_answer_is_a_dash_and_few_units_are_called_few() -> None:
    skipped = [figure(0.0, counts={"skipped": 40}, task="cmdar/main")]
    few = [figure(100.0, counts={"scored": 4}, task="cmdar/main", n=4)]
    found = made(a=skipped, b=few)
    assert (found.cells["a"][0].text, found.cells["a"][0].lacks) == ("–", "40 skipped")
    assert found.cells["b"][0].spread == "too few (n 4)"


def test_three_counts_have_three_names() -> None:
    part = [figure(50.0, counts={"scored": 44, "missing": 680}, task="cmdar/main", n=44)]
    (cell,) = made(a=part).cells["a"]
    assert (cell.n, cell.part, cell.lacks) == (44, "asked 724, answered 44", "680 missing")


def test_a_reply_without_a_score_is_an_answer_all_the_same() -> None:
    """A judge is missing: nobody may read that the model didn't answer."""
    judged = [figure(50.0, counts={"scored": 67, "unavailable": 25}, task="cmdar/main", n=67)]
    both = [figure(50.0, counts={"scored": 60, "unavailable": 25, "failed": 7}, task="cmdar/main", n=60)]
    one, other = (made(a=judged, b=both).cells[label][0] for label in ("a", "b"))
    assert one.part == "25 of 92 not scored"
    assert other.part == "asked 92, answered 85; 25 of 92 not scored"


def test_n_is_in_the_heading_if_most_runs_have_it() -> None:
    def asked(n: int) -> list[Aggregate]:
        return [figure(50.0, counts={"scored": n}, task="cmdar/main", n=n)]

    (place,) = made(a=asked(40), b=asked(40), c=asked(38)).columns
    assert place.n == 40
    (place,) = made(a=asked(40), b=asked(38)).columns
    assert place.n == 0


@pytest.mark.parametrize(
    ("labels", "title"),
    [(["a"], "a on CMDAR"), (["a", "b"], "a and b on CMDAR"), (["a", "b", "c", "d"], "4 models on CMDAR")],
)
def test_the_title_says_what_was_compared(labels: list[str], title: str) -> None:
    one = made(**{label: cmdar(main=50.0) for label in labels})
    assert screen([one]).title == title and screen([one], "Mine").title == "Mine"


def test_baselines_are_not_counted_as_models() -> None:
    manifest = plan("cmdar", "baseline/first").manifest
    names = ["openai/a", "openai/b", "openai/c", "baseline/random"]
    folders = {name: RunFolder(Path("r"), structs.replace(manifest, model=name)) for name in names}
    report = Report(load_benchmark("cmdar"), {name: scored() for name in names}, folders=folders)
    assert screen([block(report, "official")]).title == "3 models and 1 baseline on CMDAR"


def test_a_matrix_that_is_too_wide_continues_below() -> None:
    blocks = [made(a=cmdar(main=50.0, multi=1.0))] * 8
    assert [len(row) for row in screen(blocks).matrices] == [7, 1]


def test_what_the_audit_says_against_a_run_is_next_to_its_name() -> None:
    twins = finding("mislabelled", "severe", "cmdar", "alike", file="runs", rows=["a", "b"])
    other = finding("skew", "severe", "cmdar", "the longest option is right", file="data", rows=["a"])
    told = doubts([twins, other], ["a", "b", "c"])
    assert told == {
        "a": ("replies as similar as repeats of b: is it another model?",),
        "b": ("replies as similar as repeats of a: is it another model?",),
    }


def over_a_part(why: str) -> tuple[Report, Section]:
    """CMDAR with two Runs over all questions and the best one over a part of them: picked, unfinished or averaged."""
    runs = {"low": cmdar(main=39.0), "high": cmdar(main=50.0), "part": cmdar(main=90.0)}
    if why == "unfinished":
        runs["part"] = [figure(90.0, counts={"scored": 44, "missing": 580}, task="cmdar/main", n=44)]
    if why == "partial average":
        runs["part"] = [structs.replace(one, parts=(6, 102)) for one in runs["part"]]
    pairs = [
        compared("low", "high", -10.0, 0.01),
        compared("low", "part", -50.0, 0.01),
        compared("high", "part", -40.0, 0.01),
    ]
    together = structs.replace(pairs[0], estimates=tuple(one for section in pairs for one in section.estimates))
    folders = {}
    for label in runs:
        manifest = structs.replace(plan("cmdar", "baseline/first").manifest, data="/d", items_file="")
        chosen = "picked" if why == "picked" and label == "part" else ""
        folders[label] = RunFolder(Path(label), structs.replace(manifest, items_file=chosen, data="mini"))
    return Report(load_benchmark("cmdar"), {k: {"official": own} for k, own in runs.items()}, folders=folders), together


@pytest.mark.parametrize("why", ["picked", "unfinished", "partial average"])
def test_a_run_over_a_part_stands_below_without_a_rank(why: str) -> None:
    report, pairs = over_a_part(why)
    found = block(report, "official", (pairs,))
    ranks = {label: (own[0].rank, own[0].among, own[0].best, own[0].apart) for label, own in found.cells.items()}
    assert ranks == {"low": ("2", 2, False, False), "high": ("1", 2, True, False), "part": ("", 2, False, True)}
    assert found.summary == (
        "high is better than low by 10.0 points on main accuracy (5.0 to 15.0, p 0.010, n 40). "
        "Not ranked, since over a part of the questions: part."
    )
    assert screen([found]).labels == ("high", "low", "part") and screen([found]).unranked_runs == {"part"}
    reasons = {
        "picked": "on a subset: a list of Items (--items)",
        "unfinished": "unfinished: asked 624, answered 44",
        "partial average": "partial average: 6 of 102 subtasks",
    }
    assert reasons[why] in (*(found.by_run or {}).get("part", ()), found.cells["part"][0].part)
    table = report.overview("official")
    assert [row.label for row in table.rows] == (["low", "high", "part"])
    assert not any(cell.best for row in table.rows if row.label == "part" for cell in row.cells)


def test_the_best_published_row_is_a_models_and_not_drawn_for_a_subset() -> None:
    (version, *_) = published_basis(load_benchmark("cmdar").folder / "published").data

    def folder(label: str, items: str = "") -> RunFolder:
        manifest = structs.replace(plan("cmdar", "baseline/first").manifest, model=f"replay/{label}", data="/d")
        return RunFolder(Path(label), structs.replace(manifest, data_sha256=version, items_file=items, filters={}))

    figures = [figure(50.0, counts={"scored": 1500}, task="cmdar/main", n=1500, interval=(48.0, 52.0))]
    runs = {"whole": {"official": figures}, "picked": {"official": figures}}
    folders = {"whole": folder("whole"), "picked": folder("picked", "a.txt")}
    (place,) = block(Report(load_benchmark("cmdar"), runs, folders=folders), "official").columns
    assert place.published is not None and place.published.beside == {"whole"} and not place.published.people
    assert place.published.value < 92
    assert (
        place.published.basis.startswith("best published model: ") and "; people: Human 92.7" in place.published.basis
    )


def test_a_run_that_was_interrupted_is_not_over_all_questions() -> None:
    """Its Items are those asked so far: the counts alone don't show that more were planned."""
    note = "unfinished: in the data 624, asked 56; the 568 Requests not asked yet are not counted"
    runs: dict[str, Any] = {
        "whole": Scored({"official": cmdar(main=40.0)}),
        "cut": Scored({"official": cmdar(main=90.0)}, notes=[note]),
    }
    found = block(Report(load_benchmark("cmdar"), runs), "official")
    assert found.by_run == {"cut": (note,)} and found.cells["cut"][0].apart and not found.cells["whole"][0].apart


def test_what_concerns_a_run_on_every_benchmark_is_said_once() -> None:
    told = {"a": ("settings differ between the Runs: temperature 1",)}
    one = made(a=cmdar(main=50.0), b=cmdar(main=40.0))
    both = [replace(one, by_run=told), replace(one, by_run=told)]
    (matrix,) = screen(both).matrices
    assert Screen.notes(matrix, "a") == ["settings differ between the Runs: temperature 1"]
    assert Screen.notes((*matrix[:1], one), "a") == ["CMDAR: settings differ between the Runs: temperature 1"]
    assert Screen.notes(matrix, "b") == []
