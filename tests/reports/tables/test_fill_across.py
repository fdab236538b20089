"""Tables with a column for each model, and rows with a metric and a unit of their own: XModBench's Tables 11 and 12 as
the paper prints them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from rich.console import Console

from triptych.benchmarks import load_benchmark
from triptych.records import Aggregate, Layout, Table
from triptych.reports.files.csv_files import table_csv
from triptych.reports.files.latex import latex
from triptych.reports.files.markdown import markdown
from triptych.reports.html.tables import html_table
from triptych.reports.tables.fill import fill
from triptych.reports.tables.published import load_published
from triptych.reports.terminal.tables import print_table

XMODBENCH = load_benchmark("xmodbench")
PUBLISHED = load_published(XMODBENCH.folder)


def layout(paper: str) -> Layout:
    (found,) = [layout for layout in XMODBENCH.spec.layouts if layout.paper == paper]
    return found


def figure(metric: str, slice_: dict[str, str], value: float, interval: tuple[float, float] | None = None) -> Aggregate:
    return Aggregate(
        protocol="official",
        task="xmodbench",
        metric=metric,
        slice=slice_,
        value=value,
        n=400,
        counts={"scored": 400},
        interval=interval,
    )


def dual() -> Table:
    own = [
        figure("acc", {"direction": "audio_text"}, 60.0, (55, 65)),
        figure("acc", {"direction": "vision_text"}, 70.0, (66, 74)),
        figure("acc", {"direction": "audiovision_text"}, 68.5, (64, 73)),
        figure("gain", {}, -1.5, (-3.0, 0.25)),
    ]
    return fill(layout("T12"), {"my-model": own}, PUBLISHED, protocol="official")


def cost() -> Table:
    six = "!audiovision_text"
    own = [
        figure("million_tokens", {"family": "perception", "direction": six}, 11.26),
        figure("million_tokens", {"direction": six}, 31.04),
        figure("hours", {"family": "perception", "direction": six}, 0.0123),
        figure("hours", {"direction": six}, 4.96),
    ]
    return fill(layout("T11"), {"my-model": own}, PUBLISHED, protocol="official")


def printed(table: Table, width: int = 140) -> list[list[str]]:
    out = io.StringIO()
    print_table(table, Console(file=out, width=width))
    return [line.split() for line in out.getvalue().splitlines()]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_table_12_has_a_column_for_each_model_and_the_gain_in_brackets() -> None:
    lines = [cells(line) for line in markdown(dual()).splitlines() if line.startswith("|")]
    assert lines[0] == ["", "*Gemini 1.5 Pro*", "*Gemini 2.0 Flash*", "*Gemini 2.5 Pro*", "my-model"]
    assert [line[0].split(" ↑")[0] for line in lines[2:]] == ["A to T", "V to T", "A+V to T", "coverage"]
    assert [line[1:4] for line in lines[2:5]] == [
        ["*52.76*", "*63.71*", "*70.99*"],
        ["*79.92*", "*85.20*", "*88.60*"],
        ["*82.53 (+2.61)*", "*79.84*", "*89.76*"],
    ], "as printed, where the paper gives the gain of one model only"
    assert lines[4][4].startswith("68.50 (−1.50, −3.00 to 0.25) [64.00–73.00")


def test_every_format_shows_table_12_as_printed() -> None:
    source = latex(dual())
    assert r" & \textit{Gemini 1.5 Pro} & \textit{Gemini 2.0 Flash} & \textit{Gemini 2.5 Pro} & my-model \\" in source
    line = next(line for line in source.splitlines() if line.startswith("A+V to T"))
    assert r"& 82.53 (+2.61) & 79.84 & 89.76 & 68.50 ($-$1.50, $-$3.00 to 0.25) \\" in line
    assert r"\begin{tabular}{lrrrr}" in source
    rows = list(csv.reader(io.StringIO(table_csv([dual()]))))
    assert rows[0][3:] == ["Gemini 1.5 Pro", "Gemini 2.0 Flash", "Gemini 2.5 Pro", "my-model"]
    by_name = {row[2]: row[3:] for row in rows}
    assert by_name["origin"] == ["published", "published", "published", "run"]
    assert by_name["Gain"] == ["2.61", "", "", "-1.5"] and by_name["Gain low"][3] == "-3.0"
    assert by_name["A+V to T"] == ["82.53", "79.84", "89.76", "68.5"]
    html = html_table(dual())
    assert html.across and [heading.text for heading in html.headings] == ["A to T", "V to T", "A+V to T"]
    said = printed(dual())
    (last,) = [line for line in said if line[:3] == ["A+V", "to", "T"]]
    assert last[3:9] == ["400", "82.53", "(+2.61)", "79.84", "89.76", "68.50"]


def test_a_table_with_a_column_for_each_model_that_is_too_wide_for_the_terminal_is_not_truncated() -> None:
    said = "\n".join(" ".join(line) for line in printed(dual(), width=50))
    assert "2.61" in said and "Gemini 2.5 Pro" in said and "100%" in said


def test_table_11_is_one_table_with_tokens_and_hours() -> None:
    lines = [cells(line) for line in markdown(cost()).splitlines() if line.startswith("|")]
    start = {(line[0].strip("*"), line[1]): line[2:8] for line in lines[2:] if line[1]}
    assert start["Gemini 2.5 Pro", "Token usage"] == [
        f"*{x}*" for x in ("26.0M", "13.5M", "25.1M", "4.3M", "14.0M", "82.9M")
    ]
    assert start["Qwen2.5-Omni", "Hours"] == [f"*{x}*" for x in ("6.3", "1.4", "1.4", "1.4", "2.1", "12.7")]
    assert list(start) == [
        ("Gemini 2.5 Pro", "Token usage"),
        ("Qwen2.5-Omni", "Hours"),
        ("my-model", "Token usage"),
        ("my-model", "Hours"),
    ]
    assert start["my-model", "Token usage"][0] == "11.3M" and start["my-model", "Hours"][5] == "5.0"
    assert start["my-model", "Hours"][0] == "0.012", "a small Run's sum is not printed as 0"


@pytest.mark.parametrize("form", [latex, lambda table: str(html_table(table)), lambda table: str(printed(table))])
def test_every_format_prints_the_unit_of_a_row(form: Callable[[Table], str]) -> None:
    assert "82.9M" in form(cost())
