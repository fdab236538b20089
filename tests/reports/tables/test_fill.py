"""Layouts are filled with the right figures, and say what they are over."""

from __future__ import annotations

from msgspec import structs

from tests.reports.samples import FAMILIES, OVERALL, SLICED, column, figure, run
from triptych.records import Aggregate, Column, Layout
from triptych.reports.tables.fill import RunRemarks, fill, is_empty, without_empty
from triptych.reports.tables.marks import OTHER_DATA, OTHER_SETTINGS

PUBLISHED = {
    "T1": {"Gemini": {"Speech": 50.0, "Last": 61.5, "Music": None}, "Unrelated": {"Nothing": 1.0}},
    "T2": {"Gemini": {"sp|A": 11.0, "T|sp": 12.0, "A": 99.0}},
}


def test_each_column_finds_its_figure() -> None:
    table = fill(OVERALL, {"m": run(50)})
    (row,) = table.rows
    assert table.headings == ("Speech", "Music", "Sound", "audio_text", "text_audio", "Avg")
    assert [cell.value for cell in row.cells] == [50, 51, 52, 50, 49, 50]
    assert (table.protocol, table.notes, row.label, row.origin) == ("official", ("A note.",), "m", "run")


def test_slices_of_rows_are_merged_into_columns() -> None:
    table = fill(SLICED, {"m": run(50), "k": run(20)})
    assert [(row.sub, row.label) for row in table.rows] == [
        (sub, label) for sub in ("Speech", "Music", "Sound") for label in "mk"
    ]
    assert [cell.value for cell in table.rows[2].cells] == [57, 58]
    assert table.rows[0].cells[0].interval == (46.8, 54.1)


def test_a_missing_figure_is_an_empty_cell_with_a_reason() -> None:
    table = fill(Layout("x", "X", (column("No", {"family": "none"}), column("Yes"))), {"m": [figure(None)]})
    assert [cell.value for cell in table.rows[0].cells] == [None, None]
    assert [cell.note for cell in table.rows[0].cells] == ["not in this Run", "no Unit to compute it from"]
    assert is_empty(table)
    assert not is_empty(fill(OVERALL, {"m": run(50)}))


def test_figures_made_of_fewer_tasks_are_told_once_for_the_runs_that_share_them() -> None:
    layout = Layout("x", "X", (column("Yes"), column("Part", {"family": "speech"})))
    whole, part = figure(50), structs.replace(figure(85, {"family": "speech"}), parts=(1, 3))
    table = fill(layout, {"m": [whole, part], "k": [whole, part], "all": [whole, structs.replace(part, parts=None)]})
    assert table.notes == ("partial average (m, k): Part 1 of 3 subtasks",)
    everyone = fill(layout, {"m": [whole, part], "k": [whole, part]})
    assert everyone.notes == ("partial average: Part 1 of 3 subtasks",), "no list of all that stand there"


def test_units_of_overlapping_columns_count_once() -> None:
    (row,) = fill(OVERALL, {"m": run(50)}).rows
    assert row.counts == {"scored": 54, "failed": 6}  # not 3 families + 2 directions + the total
    assert row.coverage == 0.9


def test_units_of_a_part_of_the_benchmark_are_those_of_its_columns() -> None:
    rows = fill(SLICED, {"m": run(50)}).rows
    assert [row.counts for row in rows] == [{"scored": 18, "failed": 2}] * 3
    part = Layout("p", "P", tuple(column(n, {"family": n}) for n in FAMILIES[:2]))
    assert fill(part, {"m": run(50)}).rows[0].counts == {"scored": 36, "failed": 4}


def test_figures_that_share_units_never_count_more_than_there_are() -> None:
    gaps = [figure(1, {"pair": p}, {"scored": 8}, metric="gap") for p in "abc"]
    layout = Layout("g", "G", tuple(column(p, {"pair": p}, metric="gap") for p in "abc"))
    assert fill(layout, {"m": [*gaps, figure(5, counts={"scored": 10})]}).rows[0].counts == {"scored": 10}


def test_several_metrics_of_the_same_units_count_once_by_the_least_answered() -> None:
    figures = [figure(1), figure(2, counts={"scored": 7, "judge_failed": 3}, metric="f1")]
    layout = Layout("g", "G", (column("Acc"), column("F1", metric="f1")))
    assert fill(layout, {"m": figures}).rows[0].counts == {"scored": 7, "judge_failed": 3}


def test_tasks_add_up() -> None:
    figures = [figure(1, task=f"toy/{t}", counts={"scored": n}) for t, n in (("a", 4), ("b", 6))]
    layout = Layout("t", "T", tuple(Column(t, f"toy/{t}", "acc") for t in "ab"))
    assert fill(layout, {"m": figures}).rows[0].counts == {"scored": 10}


def test_a_figure_over_the_benchmark_holds_those_of_its_tasks() -> None:
    figures = [figure(1, task="toy/a", counts={"scored": 4}), figure(2, counts={"scored": 9, "failed": 1})]
    layout = Layout("t", "T", (Column("a", "toy/a", "acc"), Column("all", "toy", "acc")))
    assert fill(layout, {"m": figures}).rows[0].counts == {"scored": 9, "failed": 1}


def test_published_rows_stand_beside_by_the_names_of_the_layout() -> None:
    table = fill(OVERALL, {"m": run(50)}, PUBLISHED)
    first, second = table.rows
    assert (first.label, first.origin, second.origin) == ("Gemini", "published", "run")
    assert [cell.value for cell in first.cells] == [50.0, None, None, None, None, 61.5]
    sliced = fill(SLICED, {"m": run(50)}, PUBLISHED)
    assert [cell.value for cell in sliced.rows[0].cells] == [11.0, 12.0]  # row|column and column|row
    assert [row.origin for row in sliced.rows] == ["published", "run", "run", "run"]


def apart(value: float | None, slice_: dict[str, str] | None = None, reach: float = 3.0) -> Aggregate:
    """A figure with an interval of this reach to each side."""
    return structs.replace(figure(value, slice_), interval=None if value is None else (value - reach, value + reach))


def test_the_best_run_is_marked_where_its_interval_is_better_than_all_others() -> None:
    layout = Layout(
        "b",
        "B",
        (
            column("Up", {"k": "1"}),
            column("Down", {"k": "2"}, better="lower"),
            column("Overlap", {"k": "3"}),
            column("None", {"k": "1"}, better=""),
        ),
    )
    values = {"w": (70, 10, 50), "x": (50, 20, 51), "y": (40, 30, 52), "z": (30, 40, 53)}
    runs = {name: [apart(v, {"k": str(k)}) for k, v in enumerate(own, 1)] for name, own in values.items()}
    rows = fill(layout, runs).rows
    assert [[cell.best for cell in row.cells] for row in rows] == [[True, True, False, False], *[[False] * 4] * 3]
    assert [[cell.second for cell in row.cells] for row in rows] == [
        [False] * 4,
        [True, True, False, False],
        [False] * 4,
        [False] * 4,
    ]
    three = fill(layout, {name: runs[name] for name in "wxy"}).rows
    assert three[0].cells[0].best and not any(cell.second for row in three for cell in row.cells)
    assert not any(cell.best for row in fill(layout, {"x": runs["x"]}).rows for cell in row.cells)
    without = {name: [structs.replace(own[0], interval=None)] for name, own in runs.items()}
    assert not any(row.cells[0].best for row in fill(layout, without).rows)


def test_a_run_of_a_part_of_the_questions_is_never_bold_above_whole_runs() -> None:
    layout = Layout("b", "B", (column("Up"),))
    runs = {"picked": [apart(90.0)], "x": [apart(60.0)], "y": [apart(40.0)]}
    part = {"picked": RunRemarks(("on a subset: a list of Items (--items)",))}
    rows = fill(layout, runs, told=part).rows
    assert [(row.label, row.cells[0].best) for row in rows] == [("x", True), ("y", False), ("picked", False)]
    alike = dict.fromkeys(runs, RunRemarks(("on the built-in mini set",)))
    assert [row.cells[0].best for row in fill(layout, runs, told=alike).rows] == [True, False, False]


def test_the_headline_is_told_or_read_off() -> None:
    lost = {"scored": 9, "failed": 1}
    assert fill(OVERALL, {"m": [figure(1, counts=lost, n=9)]}).headline == "answered"
    assert fill(OVERALL, {"m": [figure(1, counts=lost)]}).headline == "all"
    assert fill(OVERALL, {"m": [figure(1)]}).headline == ""
    assert fill(OVERALL, {"m": [figure(1)]}, headline="answered").headline == "answered"


def test_a_column_can_ask_for_the_runs_of_one_prompt() -> None:
    layout = Layout("p", "P", (column("v1", {"prompt": "v1"}), column("v2", {"prompt": "v2"})))
    runs = {
        name: [structs.replace(figure(n), signature=f"bench:b@1|prompt:open+{name}")]
        for n, name in ((1, "v1"), (2, "v2"))
    }
    assert [[cell.value for cell in row.cells] for row in fill(layout, runs).rows] == [[1, None], [None, 2]]
    assert is_empty(fill(layout, {"m": [figure(1)]}))


def test_a_rank_is_among_the_rows_that_have_one() -> None:
    layout = Layout("t", "T", (column("Score"), column("Rank", rank=True)), paper="T1")
    published = {
        "T1": {
            "best": {"Score": 90.0, "Rank": 1.0},
            "worse": {"Score": 50.0, "Rank": 2.0},
            "mean": {"Score": 70.0, "Rank": None},
        }
    }
    runs = {"x": [figure(60.0)], "y": [figure(95.0)], "none": []}
    table = fill(layout, runs, published)
    assert {row.label: row.cells[1].value for row in table.rows} == {
        "best": 1.0,
        "worse": 2.0,
        "mean": None,
        "x": 3.0,
        "y": 1.0,
        "none": None,
    }
    assert not any(row.cells[1].best for row in table.rows)


def test_what_is_made_of_fewer_tasks_is_not_the_best() -> None:
    layout = Layout("t", "T", (column("Score"),))
    runs = {"easy": [structs.replace(apart(99.0), parts=(6, 102))], "x": [apart(60.0)], "y": [apart(50.0)]}
    assert {row.label: row.cells[0].best for row in fill(layout, runs).rows} == {"easy": False, "x": True, "y": False}
    mini = {name: [structs.replace(own[0], parts=(60, 102))] for name, own in runs.items()}
    assert [row.cells[0].best for row in fill(layout, mini).rows] == [True, False, False]
    assert not any(row.cells[0].best for row in fill(layout, {k: runs[k] for k in ("easy", "x")}).rows)


def test_columns_without_a_value_are_named_below_the_table() -> None:
    layout = Layout("x", "X", (column("Yes"), column("No", {"family": "none"}), column("Nor", {"family": "nothing"})))
    table = without_empty(fill(layout, {"m": [figure(50)], "k": [figure(40)]}))
    assert table.headings == ("Yes",) and [len(row.cells) for row in table.rows] == [1, 1]
    assert len(table.columns) == 1
    assert table.notes[-1] == "columns without a value, not shown: No, Nor"
    empty = fill(Layout("x", "X", (column("No", {"family": "none"}),)), {"m": [figure(50)]})
    assert without_empty(empty) is empty, "an empty table stays one"


def test_runs_of_which_the_same_is_said_are_named_together() -> None:
    layout = Layout("x", "X", (column("Yes"), column("Part", {"family": "speech"})))
    own = [figure(50), structs.replace(figure(85, {"family": "speech"}, counts={"scored": 1, "failed": 3}), n=1)]
    table = fill(layout, dict.fromkeys("abcde", own) | {"f": [own[0]]})
    (note,) = [note for note in table.notes if note.startswith("lowest coverage")]
    assert note == "lowest coverage in a column: a, b and 3 others: Part 25.0% (1/4; 3 failed)"


def test_another_setting_is_no_reason_against_bold_and_other_data_are() -> None:
    layout = Layout("x", "X", (column("Yes"),))
    runs = {"good": [figure(80, interval=(75, 85))], "bad": [figure(20, interval=(15, 25))]}
    for mark, bold in ((f"{OTHER_SETTINGS}: temperature 1", True), (OTHER_DATA, False)):
        told = {"good": RunRemarks((mark,)), "bad": RunRemarks((f"{mark}0",))}
        assert [row.cells[0].best for row in fill(layout, runs, told=told).rows] == [bold, False]
