"""Estimate and Section: the results of all analyses, as shown in the terminal, Markdown, HTML, plots and JSON.

How to use it
-------------
An analysis turns stored Runs into Sections, and a Section contains Estimates. Renderers need nothing else.

    Estimate("agreement.pairwise", 71.3, "%", n=412, counted="Instances", interval=(68.2, 74.4), coverage=0.98,
             runs=("openai/a",), task="xmodbench/perception/general", slice={"pair": "audio_text · text_audio"},
             signatures=("bench:xmodbench@1|…",), label="Same answer in both forms")
    Estimate("disparity", None, "points", n=0, counted="Instances", reason="no Instance was asked in both forms")

- A value that can't be computed is None, not 0, and `reason` says why. An interval that makes no sense is None.
- `table_of` arranges Estimates as a Table for the renderers of reports (rows by one key, columns by another).
- Texts (Items left out, questions that only one model answered correctly) are in a `Listing`.
- JSON: `msgspec.to_builtins(section)`; fields with default values are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec

from triptych.records.tables import Table, TableCell, TableRow

Better = Literal["higher", "lower", "zero", ""]


class Estimate(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One number with everything needed to interpret it.

    measure     id of the quantity, in lower case: `accuracy`, `difference`, `flip.text_right_audio_wrong`
    value       the number, in `unit`; None if it can't be computed (see `reason`)
    unit        `%` (0 to 100), `points` (differences of percentages), `p` (probability, 0 to 1), `questions` (a count),
                or empty for a dimensionless number (a correlation, a statistic)
    n           number of `counted` things (Units, Instances …) that the value is computed from
    interval    lower and upper limit at the confidence `level`; None if not available or not meaningful
    coverage    share, 0 to 1, of the things the value should be computed from that had an answer and could be used
    p_value     two-sided p-value of `test`; `p_adjusted` is corrected by Holm's method if several were tested together
    runs        labels of the Runs, in the order in which texts name them
    signatures  one for each of `runs`: what their scores depend on
    values      of a difference: the scores of the two Runs over the Units behind it
    label       heading for people; `note`: what readers must know next to the value
    better      which direction is better; empty if neither
    """

    measure: str
    value: float | None
    unit: str = ""
    n: int = 0
    counted: str = "Units"
    interval: tuple[float, float] | None = None
    level: float = 0.95
    coverage: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    test: str = ""
    task: str = ""
    slice: dict[str, str] = {}
    protocol: str = ""
    metric: str = ""
    runs: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    counts: dict[str, int] = {}
    label: str = ""
    better: Better = ""
    digits: int = 1
    note: str = ""
    reason: str = ""


class Listing(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table of texts. `total`: the number of rows if only the first ones are listed."""

    id: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int | None = None
    note: str = ""


class Section(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The findings of one analysis: a chapter of a report.

    Attributes:
        id: `consistency`, `robustness`, `ablation`, `significance`, `agreement`, `error_kinds`, `cost` …; with a suffix
            if there are several of a kind: `consistency.direction`.
        title: Heading.
        explanation: What is measured and how to read it, for readers without prior knowledge.
        sentences: Findings in words, the most important first.
        estimates: All numbers, each with its unit, interval and count.
        tables: A selection of the numbers, arranged for readers.
        listings: Texts, such as the questions that only one model answered correctly.
        notes: What was left out and why, and limitations.
        benchmark: Name of the benchmark.
        protocol: Name of the protocol.
    """

    id: str
    title: str
    explanation: str
    sentences: tuple[str, ...] = ()
    estimates: tuple[Estimate, ...] = ()
    tables: tuple[Table, ...] = ()
    listings: tuple[Listing, ...] = ()
    notes: tuple[str, ...] = ()
    benchmark: str = ""
    protocol: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """Return the estimates as flat rows for a data frame: `low` and `high` for the interval, `slice.NAME` for
        slices, and lists joined by ` & `.
        """
        return [_flat(estimate) for estimate in self.estimates]

    def _repr_markdown_(self) -> str:
        """The findings in words, for notebooks."""
        lines = [f"- {sentence}" for sentence in self.sentences] + [f"> {note}" for note in self.notes]
        return "\n".join([f"**{self.title}**", "", *lines])


def _flat(estimate: Estimate) -> dict[str, Any]:
    fields: dict[str, Any] = {name: getattr(estimate, name) for name in estimate.__struct_fields__}
    low, high = fields.pop("interval") or (None, None)
    slices = {f"slice.{name}": value for name, value in fields.pop("slice").items()}
    counts = {f"counts.{name}": value for name, value in fields.pop("counts").items()}
    joined = {name: " & ".join(fields[name]) for name in ("runs", "signatures")}
    return {**fields, **joined, "low": low, "high": high, **slices, **counts}


Key = Callable[[Estimate], str]


def table_of(
    id: str,
    title: str,
    estimates: Iterable[Estimate],
    *,
    row: Key,
    column: Key,
    columns: Sequence[str] = (),
    protocol: str = "",
    note: str = "",
) -> Table:
    """Arrange Estimates as a Table, with rows and columns in order of first appearance.

    Of several Estimates for one cell, the first is shown. A cell without an Estimate is empty and says so; a cell
    without a value shows the reason. `columns`: the headings in order, if given.
    """
    places: dict[tuple[str, str], Estimate] = {}
    for estimate in estimates:
        places.setdefault((row(estimate), column(estimate)), estimate)
    rows = list(dict.fromkeys(name for name, _ in places))
    columns = list(columns or dict.fromkeys(name for _, name in places))
    filled = [_filled(name, [places.get((name, heading)) for heading in columns]) for name in rows]
    return Table(id, title, tuple(columns), tuple(filled), protocol=protocol, notes=(note,) if note else ())


def _filled(name: str, estimates: Sequence[Estimate | None]) -> TableRow:
    """Return a row; its coverage is the lowest coverage of its cells."""
    coverages = [e.coverage for e in estimates if e is not None and e.coverage is not None]
    return TableRow(name, tuple(map(_cell, estimates)), coverage=min(coverages, default=None))


def _cell(estimate: Estimate | None) -> TableCell:
    if estimate is None:
        return TableCell(None, note="no data to compute it from")
    return TableCell(
        estimate.value,
        estimate.digits,
        n=estimate.n,
        units=estimate.n,
        interval=estimate.interval,
        note=estimate.reason or estimate.note,
        plain=True,
    )
