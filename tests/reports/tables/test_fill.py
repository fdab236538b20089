"""Layouts are filled with the right figures, and say what they are over."""

from __future__ import annotations

import io

import pytest
from msgspec import structs
from rich.console import Console

from tests.reports.samples import FAMILIES, OVERALL, SLICED, column, figure, run
from triptych.benchmarks.published import Basis, Differs
from triptych.records import Aggregate, Column, Layout, RowSlice, Table
from triptych.reports.files.csv_files import notes_csv, table_csv
from triptych.reports.files.latex import latex
from triptych.reports.files.markdown import markdown
from triptych.reports.html.tables import html_table as shown_in_html
from triptych.reports.tables.fill import RunRemarks, fill, is_empty, without_empty
from triptych.reports.tables.marks import OTHER_DATA, OTHER_SETTINGS
from triptych.reports.tables.published import PublishedRows
from triptych.reports.terminal.tables import print_table

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
    rows = fill(layout, runs, remarks=part).rows
    assert [(row.label, row.cells[0].best) for row in rows] == [("x", True), ("y", False), ("picked", False)]
    alike = dict.fromkeys(runs, RunRemarks(("on the built-in mini set",)))
    assert [row.cells[0].best for row in fill(layout, runs, remarks=alike).rows] == [True, False, False]


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
        assert [row.cells[0].best for row in fill(layout, runs, remarks=told).rows] == [bold, False]


def test_a_figure_that_was_never_measured_is_a_dash() -> None:
    layout = Layout("t", "T", (Column("WER", "toy", "wer", better="lower"),))
    never = figure(100.0, counts={"skipped": 6}, metric="wer", n=6)
    judged = figure(100.0, counts={"unavailable": 6}, metric="wer", n=6)
    wrong = figure(100.0, counts={"scored": 6}, metric="wer", n=6)
    table = fill(layout, {"a": [never], "b": [judged], "c": [wrong]})
    assert [(row.cells[0].value, row.cells[0].note) for row in table.rows] == [
        (None, "6 skipped"),
        (None, "6 unavailable"),
        (100.0, ""),
    ]


def test_a_mean_over_models_has_no_baseline() -> None:
    layout = Layout("t", "T", (Column("acc", "toy", "acc"),), means=("all",))
    runs = {name: [figure(value)] for name, value in (("a", 60.0), ("b", 80.0), ("baseline/random", 10.0))}
    table = fill(layout, runs, remarks={"baseline/random": RunRemarks(baseline=True)})
    mean = table.rows[-1]
    assert (mean.label, mean.cells[0].value) == ("mean of 2 models", 70.0)


def published(
    cells: dict[str, dict[str, float | None]], systems: dict[str, dict[str, str]] | None = None, **basis: object
) -> PublishedRows:
    found = PublishedRows(systems or {}, Basis(**basis))  # type: ignore[arg-type]
    found["T1"] = cells
    return found


def everywhere(table: Table) -> list[str]:
    """The table in every format."""
    out = io.StringIO()
    print_table(table, Console(file=out, width=160, highlight=False, emoji=False, markup=False))
    html = shown_in_html(table)
    return [
        out.getvalue(),
        markdown(table),
        latex(table),
        table_csv([table]) + notes_csv([table]),
        f"{html.notes} {html.footnotes}",
    ]


ONE = Layout("main", "Main", (column("CER", metric="cer.spaced"), column("Acc")), paper="T1")
RATES: list[Aggregate] = [figure(8.0, metric="cer"), figure(70.0)]


def test_a_printed_figure_by_another_metric_is_left_out_and_said() -> None:
    theirs = published({"Qwen": {"CER": 4.4, "Acc": 80.0}})
    alike = fill(ONE, {"m": [figure(4.0, metric="cer.spaced"), figure(70.0)]}, theirs)
    assert [cell.value for cell in alike.rows[0].cells] == [4.4, 80.0] and not alike.notes
    table = fill(ONE, {"m": RATES}, theirs)
    assert [cell.value for cell in table.rows[0].cells] == [None, 80.0]
    for text in everywhere(table):
        assert (
            "published values not shown: CER: the paper reports cer.spaced, the Runs are scored by cer"
            in text.replace("\n", " ")
        ), text


def test_a_row_of_which_nothing_is_alike_is_not_shown_at_all() -> None:
    table = fill(ONE, {"m": RATES}, published({"Qwen": {"CER": 4.4}}))
    assert [row.label for row in table.rows] == ["m"] and "cer.spaced" in table.notes[0]


def test_the_rule_of_the_printed_figures_is_named_under_another_protocol() -> None:
    theirs = published({"Qwen": {"Acc": 80.0}}, protocols=("official",))
    runs = {"m": [figure(70.0)]}
    assert not fill(ONE, runs, theirs, protocol="official").notes
    (note,) = fill(ONE, runs, theirs, protocol="standard").notes
    assert note == "The paper's rows are scored by protocol official, the Runs by protocol standard"


def test_what_was_measured_on_something_else_gets_a_footnote_or_is_left_out() -> None:
    cells: dict[str, dict[str, float | None]] = {"Human": {"Acc": 90.0}, "Qwen": {"Acc": 80.0}, "Other": {"Acc": 1.0}}
    theirs = published(
        cells,
        differs=(
            Differs("people saw a part", tables=("T1",), models=("Human",)),
            Differs("another test set", models=("Other",), columns=("Acc",), left_out=True),
            Differs("elsewhere", tables=("T9",)),
            Differs("another rule", models=("Qwen",), protocols=("standard",)),
        ),
    )
    table = fill(ONE, {"m": [figure(70.0)]}, theirs)
    assert [(row.label, row.marks) for row in table.rows] == [
        ("Human", ("people saw a part",)),
        ("Qwen", ()),
        ("m", ()),
    ]
    assert table.notes == ("published values not shown: Acc: another test set",)
    for text in everywhere(table):
        assert "people saw a part" in text


MODALITIES = Layout(
    "modalities",
    "By modality",
    (column("fix", {"prompts": "fixed"}, published="fix|QA"),),
    rows=(RowSlice("Audio", {"modality": "audio"}), RowSlice("Text", {"modality": "text"})),
    paper="T1",
    about=("size",),
)


def test_a_system_stands_under_the_modality_that_it_was_asked_in() -> None:
    theirs = published(
        {"Speech": {"fix|QA": 30.0}, "Words": {"fix|QA": 40.0}},
        {"Speech": {"modality": "audio", "size": "7B"}, "Words": {"modality": "text"}},
    )
    own = [figure(value, {"modality": m, "prompts": "fixed"}) for m, value in (("audio", 20.0), ("text", 25.0))]
    table = fill(MODALITIES, {"m": own}, theirs, remarks={"m": RunRemarks(about={"size": "3B"})})
    assert [(row.sub, row.label, row.cells[0].value, row.about) for row in table.rows] == [
        ("Audio", "Speech", 30.0, ("7B",)),
        ("Audio", "m", 20.0, ("3B",)),
        ("Text", "Words", 40.0, ("",)),
        ("Text", "m", 25.0, ("3B",)),
    ]
    assert table.about == ("size",)
    assert fill(MODALITIES, {"m": own}).about == ()  # nothing known of any: no column
    more = structs.replace(MODALITIES, about=("type", "size"))
    assert fill(more, {"m": own}, theirs).about == ("size",)
    for text in everywhere(table)[:4]:
        assert "3B" in text and "7B" in text and "size" in text


def test_what_follows_from_printed_columns_is_shown_where_all_of_them_are() -> None:
    sums = structs.replace(column("gap"), published_sum={"A": 1.0, "B": -1.0})
    layout = Layout("sums", "Sums", (sums,), paper="T1")
    table = fill(layout, {"m": [figure(0.0)]}, published({"x": {"A": 71.0, "B": 58.9}, "y": {"A": 71.0, "B": None}}))
    assert [(row.label, row.cells[0].value) for row in table.rows if row.origin == "published"] == [
        ("x", pytest.approx(12.1))
    ]


def test_a_run_of_the_mini_set_has_no_rank_among_the_papers_rows() -> None:
    layout = Layout("r", "R", (column("Acc"), structs.replace(column("Rank"), rank=True)), paper="T1")
    theirs = published({"Qwen": {"Acc": 80.0, "Rank": 1.0}})
    runs, told = {"m": [figure(90.0)], "k": [figure(70.0)]}, {"m": RunRemarks(("on the built-in mini set",))}
    ranks = {row.label: row.cells[1].value for row in fill(layout, runs, theirs, remarks=told).rows}
    assert ranks == {"Qwen": 1.0, "m": None, "k": 2.0}
    assert {row.label: row.cells[1].value for row in fill(layout, runs, remarks=told).rows} == {"k": 1.0, "m": None}
    alike = dict.fromkeys(runs, told["m"])
    assert {row.label: row.cells[1].value for row in fill(layout, runs, remarks=alike).rows} == {"m": 1.0, "k": 2.0}


def test_a_runs_marks_stand_in_every_format() -> None:
    table = fill(OVERALL, {"m": run(50), "k": run(40)}, remarks={"m": RunRemarks(("on the built-in mini set",))})
    terminal, md, tex, table_file, html = everywhere(table)
    assert "m¹" in terminal and "| m¹ |" in md and r"m\textsuperscript{1} &" in tex and "k¹" not in terminal + md
    assert table_file.splitlines()[2].endswith(",on the built-in mini set")
    assert "main,official,m,on the built-in mini set" in table_file
    for text in (terminal, md, tex, html):
        assert text.count("on the built-in mini set") == 1


def test_what_holds_for_every_row_is_said_once_without_numbers() -> None:
    mini = RunRemarks(("on the built-in mini set", "on a subset: --limit 2"))
    table = fill(OVERALL, {"m": run(50), "k": run(40)}, remarks={"m": mini, "k": mini})
    terminal, md, tex, _, html = everywhere(table)
    for text in (terminal, md, tex, html):
        assert text.count("On the built-in mini set; on a subset: --limit 2") == 1
    assert "¹" not in terminal + md and "textsuperscript" not in tex and html.endswith(" ()")


def test_what_the_same_rows_bear_has_one_number() -> None:
    mini = "on the built-in mini set"
    told = {
        "m": RunRemarks((mini, "on a subset: --limit 2")),
        "k": RunRemarks((mini, "on a subset: --limit 2", "on a subset: genre=诗")),
    }
    terminal, md, *_ = everywhere(fill(OVERALL, {"m": run(50), "k": run(40), "w": run(30)}, remarks=told))
    for text in (terminal, md):
        assert f"¹ {mini}; on a subset: --limit 2" in text and "² on a subset: genre=诗" in text and "³" not in text
        assert "m¹" in text and "k¹·²" in text and "w¹" not in text


def test_a_row_without_figures_takes_no_note_from_the_others() -> None:
    """A Run of guesses has no costs: its empty row leaves the note one on the table."""
    told = {"m": RunRemarks(("on the built-in mini set",))}
    terminal, *_ = everywhere(fill(OVERALL, {"m": run(50), "none": []}, remarks=told))
    assert "On the built-in mini set" in terminal and "¹" not in terminal
