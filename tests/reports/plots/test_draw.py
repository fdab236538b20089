"""Tests of `reports/plots/draw.py`: draw a figure from its specification and a table, as SVG, PNG or PDF."""

from __future__ import annotations

import re
import zlib

import pytest
from msgspec import structs

from tests.reports.plots.figures import RUNS, drawn, table_of, words
from tests.reports.samples import FAMILIES, OVERALL, column, figure, run
from triptych.records import Column, Layout, Table, TableCell, TableRow
from triptych.reports.plots.draw import _drawn_table, draw
from triptych.reports.plots.spec import FigureSpec
from triptych.reports.tables.fill import RunRemarks, fill

pytest.importorskip("matplotlib")


def test_images_are_the_same_bytes_every_time() -> None:
    first, second = (drawn("bars", table_of("bars")) for _ in range(2))
    assert first.save("png") == second.save("png") and first.save("png").startswith(b"\x89PNG")
    assert first.save("pdf") == second.save("pdf") and first.save("pdf").startswith(b"%PDF")
    assert first.save("svg").startswith(b"<?xml")


def test_intervals_are_told_where_they_are_drawn() -> None:
    layout = Layout("x", "X", tuple(column(n, {"family": n, "direction": "audio_text"}) for n in FAMILIES))
    assert "thin lines show 95% intervals" in drawn("bars", fill(layout, RUNS)).caption


def test_what_cannot_be_compared_is_not_drawn() -> None:
    nothing = fill(OVERALL, {"m": [figure(None)]})
    assert draw(FigureSpec("f", "bars", "T"), nothing) is None
    one = fill(Layout("x", "X", (column("Yes"), column("No", {"k": "none"}))), {"m": [figure(3)]})
    assert draw(FigureSpec("f", "bars", "T"), one) is None
    assert draw(FigureSpec("f", "bars", "T", needs=("Last",)), table_of("bars")) is None
    assert draw(FigureSpec("f", "radar", "T"), fill(Layout("x", "X", OVERALL.columns[:3]), RUNS)) is None


def test_many_runs_become_a_heat_map_with_the_papers_best() -> None:
    many = {f"run {n}": run(20 + n) for n in range(7)}
    published = {"T1": {f"M{n}": {"Speech": float(n), "Music": 1.0} for n in range(30)}}
    drawing = drawn("bars", fill(OVERALL, many, published))
    shown = words(drawing.svg())
    assert "M29" in shown and "M14" in shown and "M13" not in shown
    assert "the 16 best of the paper's 30 models" in drawing.caption


def test_names_say_what_the_values_are_over_and_nothing_of_settings() -> None:
    table = table_of("bars")
    marks = {
        "a": ("settings differ between the Runs: temperature 0",),
        "b": ("unfinished: 568 of 624 Requests were not asked",),
    }
    rows = [structs.replace(table.rows[0], label=label, marks=own, origin="run") for label, own in marks.items()]
    (found, _) = _drawn_table(structs.replace(table, rows=tuple(rows)), {})
    assert [row.label for row in found.rows] == ["a", "b (unfinished)"]


def test_a_run_whose_values_are_all_zero_is_drawn_too() -> None:
    zero = [figure(0.0, {"family": name}) for name in FAMILIES]
    drawing = drawn("bars", fill(OVERALL, {"m": run(50), "even": zero}))
    assert "even" in words(drawing.svg()) and "even: Speech 0.0" in drawing.description


def test_a_caption_says_that_a_run_is_of_the_mini_set() -> None:
    told = {"m": RunRemarks(("on the built-in mini set",)), "k": RunRemarks()}
    one = drawn("bars", fill(OVERALL, {"m": run(50), "k": run(20)}, remarks=told))
    assert "m: on the built-in mini set" in one.caption
    both = drawn("bars", fill(OVERALL, {"m": run(50)}, remarks=told))
    assert "on the built-in mini set" in both.caption and "m: on" not in both.caption


def test_hostile_names_are_text() -> None:
    label = "<script>alert(1)</script> $x_1$ &"
    svg = drawn("bars", fill(OVERALL, {label: run(50), "k": run(20)})).svg()
    assert label in words(svg) and "<script>alert" not in svg


def test_chinese_is_drawn_with_the_font_that_ships(recwarn: pytest.WarningsRecorder) -> None:
    """matplotlib warns of every character that no font has."""
    layout = Layout("x", "X", (column("诗 Shi", {"family": "speech"}), column("詞赋", {"family": "music"})))
    drawing = drawn("bars", fill(layout, RUNS))
    assert {"诗 Shi", "詞赋"} <= set(words(drawing.svg())) and "replaced" not in drawing.caption
    assert any(b"TriptychCJK" in part for part in (drawing.save("pdf"), *_streams(drawing.save("pdf"))))
    drawn("heat", fill(OVERALL, {"杜甫 蜀相": run(50), "k": run(3)})).save("png")
    assert not [w for w in recwarn if "missing from" in str(w.message)]


def _streams(pdf: bytes) -> list[bytes]:
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    return [zlib.decompress(stream) for stream in found if stream[:1] == b"x"]


def test_error_rates_are_dots_and_scores_bars() -> None:
    from matplotlib.patches import Rectangle

    rows = tuple(
        TableRow(name, (TableCell(value, 1, n=50, interval=(value - 2, value + 2)),) * 2)
        for name, value in (("a", 20.0), ("b", 60.0))
    )
    for better, bars_drawn in (("lower", 0), ("higher", 4)):
        columns = tuple(Column(name, "t", "wer", better=better) for name in ("x", "y"))  # type: ignore[arg-type]
        (ax,) = drawn("bars", Table("t", "T", ("x", "y"), rows, columns=columns)).figure.axes
        wide = [one for one in ax.patches if isinstance(one, Rectangle) and one.get_width() > 5]
        dots = [one for one in ax.lines if one.get_marker() == "o"]
        assert (len(wide), len(dots)) == (bars_drawn, 4 - bars_drawn)


def test_runs_of_the_mini_set_are_never_drawn_with_published_rows() -> None:
    paper = TableRow("gpt", (TableCell(90.0), TableCell(91.0)), origin="published")
    mini = TableRow("a", (TableCell(20.0, n=9), TableCell(30.0, n=9)), marks=("on the built-in mini set, not on …",))
    whole = TableRow("b", (TableCell(50.0, n=900), TableCell(40.0, n=900)))
    columns = tuple(Column(name, "t", "acc") for name in ("x", "y"))
    for kind in ("heat", "bars"):
        alone = drawn(kind, Table("t", "T", ("x", "y"), (paper, mini), columns=columns))
        assert "are not drawn" in alone.caption and "gpt" not in alone.svg()
        assert "gpt" in drawn("heat", Table("t", "T", ("x", "y"), (paper, whole), columns=columns)).svg()
        both = drawn(kind, Table("t", "T", ("x", "y"), (mini, whole), columns=columns))
        assert "a (mini set)" in both.svg() and "b (" not in both.svg()
