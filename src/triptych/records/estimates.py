"""Estimate and Section: what every analysis returns, and what terminal, Markdown, HTML, figures and JSON show.

How to use it
-------------
An analysis turns stored Runs into Sections; a Section holds Estimates; whoever shows them needs nothing else.

    Estimate("agreement.pairwise", 71.3, "%", n=412, counted="Instances", interval=(68.2, 74.4), coverage=0.98,
             runs=("openai/a",), task="xmodbench/perception/general", slice={"pair": "audio_text · text_audio"},
             signatures=("bench:xmodbench@1|…",), label="Same answer in both forms")
    Estimate("disparity", None, "points", n=0, counted="Instances", reason="no Instance was asked in both forms")

- A value that can't be had is None with a `reason` in words, never a 0; the same for an interval that makes no sense.
- `table_of` lays Estimates out as the Table that the reports' renderers take (rows by one key, columns by another).
- What is text and no number (Items left out, questions that only one model got right) stands in a `Listing`.
- JSON: `msgspec.to_builtins(section)`; fields at their defaults are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec

from triptych.records.tables import Table, TableCell, TableRow

Better = Literal["higher", "lower", "zero", ""]


class Estimate(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One number with all that it rests on.

    measure     what was measured, an id in lower case: `accuracy`, `difference`, `flip.text_right_audio_wrong`
    value       in `unit`; None where it can't be had, and `reason` says why
    unit        `%` (0 to 100), `points` (differences of per cent), `p` (a probability, 0 to 1), `questions` (a count),
                or empty: a number of its own (a correlation, a statistic)
    n           how many of `counted` the value is made of
    interval    from low to high at `level`; None where none makes sense, or it can't be had
    coverage    the share, 0 to 1, of what the value should be made of that had an answer and could be used
    p_value     two-sided, of what `test` names; `p_adjusted` after Holm, where several were tested together
    runs        the labels of the Runs that it is about, in the order in which the words name them
    signatures  one for each of `runs`: what the scores behind it depend on
    label       a heading in words; `note` what a reader must know beside it
    better      which way is good; empty where neither is
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
    counts: dict[str, int] = {}
    label: str = ""
    better: Better = ""
    digits: int = 1
    note: str = ""
    reason: str = ""


class Listing(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table of texts. `total`: how many rows there would be, where only the first are listed."""

    id: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int | None = None
    note: str = ""


class Section(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one analysis found: the chapter of a report.

    id           `consistency`, `robustness`, `ablation`, `significance`, `agreement`, `error_kinds`, `cost` …; where
                 there are several of a kind, with what tells them apart: `consistency.direction`
    explanation  what is measured and how to read it, for somebody who has not read a paper on it
    sentences    the findings in words, most important first
    estimates    every number; `tables` are chosen ones laid out, `listings` are texts
    notes        what was left out and why, and what limits the finding
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
        """Its estimates as flat rows for a data frame: interval as `low` and `high`, slices as `slice.NAME`, and lists
        joined by ` & `."""
        return [_flat(estimate) for estimate in self.estimates]

    def _repr_markdown_(self) -> str:
        """What a notebook shows: the findings in words."""
        told = [f"- {sentence}" for sentence in self.sentences] + [f"> {note}" for note in self.notes]
        return "\n".join([f"**{self.title}**", "", *told])


def _flat(estimate: Estimate) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(estimate, name) for name in estimate.__struct_fields__}
    low, high = found.pop("interval") or (None, None)
    slices = {f"slice.{name}": value for name, value in found.pop("slice").items()}
    counts = {f"counts.{name}": value for name, value in found.pop("counts").items()}
    joined = {name: " & ".join(found[name]) for name in ("runs", "signatures")}
    return {**found, **joined, "low": low, "high": high, **slices, **counts}


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
    """Estimates as a Table, rows and columns in the order in which they first come; of two in one place the first.

    `columns`: theirs instead, where the order matters. A place without an Estimate is an empty cell that says so; one
    without a value carries its reason.
    """
    places: dict[tuple[str, str], Estimate] = {}
    for estimate in estimates:
        places.setdefault((row(estimate), column(estimate)), estimate)
    rows = list(dict.fromkeys(name for name, _ in places))
    columns = list(columns or dict.fromkeys(name for _, name in places))
    filled = [_filled(name, [places.get((name, heading)) for heading in columns]) for name in rows]
    return Table(id, title, tuple(columns), tuple(filled), protocol=protocol, notes=(note,) if note else ())


def _filled(name: str, own: Sequence[Estimate | None]) -> TableRow:
    """A row; its coverage is the lowest of its cells'."""
    known = [e.coverage for e in own if e is not None and e.coverage is not None]
    return TableRow(name, tuple(map(_cell, own)), coverage=min(known, default=None))


def _cell(estimate: Estimate | None) -> TableCell:
    if estimate is None:
        return TableCell(None, note="nothing to compute it from")
    return TableCell(
        estimate.value,
        estimate.digits,
        n=estimate.n,
        units=estimate.n,
        interval=estimate.interval,
        note=estimate.reason or estimate.note,
    )
