"""Whatever the width, nothing is cut: every value, interval and count of a table is on the screen."""

from __future__ import annotations

import io
import re

from rich.cells import cell_len
from rich.console import Console

from tests.reports.samples import column, figure
from triptych.records import Layout, Table
from triptych.reports.tables.fill import fill
from triptych.reports.terminal.tables import print_table


def shown(table: Table, width: int) -> str:
    out = io.StringIO()
    print_table(table, Console(file=out, width=width, highlight=False, emoji=False, markup=False))
    return out.getvalue()


def test_chinese_is_aligned() -> None:
    layout = Layout("x", "X", (column("人物身份", {"k": "1"}), column("场景", {"k": "2"})))
    table = fill(layout, {"模型甲": [figure(1.5, {"k": "1"}), figure(2.5, {"k": "2"})], "b": [figure(3.5, {"k": "1"})]})
    lines = [line for line in shown(table, 80).splitlines() if re.search(r"\d\.5", line)]
    assert len({cell_len(line[: re.search(r"\d\.5", line).end()]) for line in lines}) == 1  # type: ignore[union-attr]


def test_markup_in_names_is_shown_as_it_is() -> None:
    layout = Layout("x", "[bold]X[/bold]", (column("[red]h"),), note=":smile: [link=x]")
    text = shown(fill(layout, {"[i]m": [figure(1)]}), 80)
    for part in ("[bold]X[/bold]", "[red]h", "[i]m", ":smile: [link=x]"):
        assert part in text
