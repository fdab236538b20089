"""Tests of `reports/plots/stack.py`: shares of a whole, one bar per Run."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.reports.plots.figures import drawn, words
from triptych.records import Table, TableCell, TableRow
from triptych.reports.plots.stack import HATCHES, STATUS
from triptych.reports.plots.text_style import PARTS, colour

pytest.importorskip("matplotlib")


def of(headings: Sequence[str], **rows: Sequence[float | None]) -> Table:
    made = tuple(TableRow(label, tuple(TableCell(value, 0) for value in row)) for label, row in rows.items())
    return Table("t", "T", tuple(headings), made)


def test_counts_are_scaled_to_a_hundred_percent_and_lie_next_to_each_other() -> None:
    (ax,) = drawn("stack", of(("scored", "failed", "refused"), a=[30, 10, None], b=[1, 1, 2])).figure.axes
    bars = [(round(bar.get_y() + bar.get_height() / 2), bar.get_x(), bar.get_width()) for bar in ax.patches]
    assert [bar for bar in bars if bar[0] == 0] == [(0, 0, 75), (0, 75, 25), (0, 100, 0)]
    assert [bar for bar in bars if bar[0] == 1] == [(1, 0, 25), (1, 25, 25), (1, 50, 50)]
    assert ax.get_xlim() == (0, 100)


def test_shares_that_have_room_carry_their_number() -> None:
    (ax,) = drawn("stack", of(("scored", "failed", "refused"), a=[87, 7, 6])).figure.axes
    assert [text.get_text() for text in ax.texts] == ["87", "7"]


def test_statuses_have_the_colours_of_the_page() -> None:
    (ax,) = drawn("stack", of(("scored", "failed"), a=[3, 1])).figure.axes
    from matplotlib.colors import to_hex

    assert [to_hex(bar.get_facecolor()) for bar in ax.patches] == [colour("right").lower(), colour("wrong").lower()]
    assert set(STATUS.values()) <= {"right", "wrong", "unsure", "lost", "muted"}


def test_more_kinds_than_colours_are_distinguished_by_a_hatch() -> None:
    kinds = [f"kind {n}" for n in range(PARTS + 2)]
    (ax,) = drawn("stack", of(kinds, a=[1.0] * len(kinds))).figure.axes
    looks = {(bar.get_facecolor(), bar.get_hatch()) for bar in ax.patches}
    assert len(looks) == len(kinds)
    assert [bar.get_hatch() or "" for bar in ax.patches] == [HATCHES[n // PARTS] for n in range(len(kinds))]


def test_names_and_kinds_are_written_and_the_first_run_is_on_top() -> None:
    drawing = drawn("stack", of(("听错", "misread"), 模型甲=[3, 1], b=[1, 1]))
    assert {"模型甲", "b", "听错", "misread", "share, %"} <= set(words(drawing.svg()))
    (ax,) = drawing.figure.axes
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "the axis runs downwards"


def test_bars_of_several_slices_have_one_legend() -> None:
    rows = (
        TableRow("a", (TableCell(3, 0), TableCell(1, 0)), sub="speech"),
        TableRow("a", (TableCell(1, 0), TableCell(1, 0)), sub="music"),
    )
    drawing = drawn("stack", Table("t", "T", ("x", "y"), rows))
    assert [ax.get_title(loc="left") for ax in drawing.figure.axes] == ["speech", "music"]
    assert words(drawing.svg()).count("x") == words(drawing.svg()).count("y") == 1
