"""Progress of several Runs at once: a line for each Run, and one for all of them."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from triptych.running.progress import clock
from triptych.running.tally import Tally

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

MARGIN = 5  # lines of the terminal that are left for the title, the sum and the prompt


@dataclass
class Row:
    """One Run on the board. `already`: Requests that earlier sessions completed. `tally`: of its present session."""

    label: str
    planned: int
    already: int = 0
    state: str = "waiting"
    tally: Tally | None = None
    before: list[Tally] = field(default_factory=list)  # of media read first

    @property
    def done_count(self) -> int:
        """Requests that need not be asked any more, as far as is known."""
        if self.tally is None:
            return self.already
        return self.tally.already + self.tally.responses

    @property
    def failed(self) -> int:
        """Requests of this session without an answer."""
        return self.tally.counts["failed"] if self.tally else 0

    @property
    def usd(self) -> float:
        """Dollars spent in this session, on answers of known price."""
        return sum(tally.usd for tally in self._tallies)

    @property
    def unpriced(self) -> int:
        """Answers of unknown price in this session."""
        return sum(tally.unpriced for tally in self._tallies)

    @property
    def _tallies(self) -> list[Tally]:
        return [*self.before, *filter(None, [self.tally])]

    @property
    def remaining(self) -> int:
        """Requests that are still to be asked; none after the Run's end."""
        return max(0, self.planned - self.done_count) if self.state in ("waiting", "asking") else 0


class Board:
    """The lines of all Runs of a series. `of(n)` is the progress display of the n-th, for its run loop."""

    def __init__(self, labels: list[str], planned: list[int], already: list[int], *, live: bool | None = None) -> None:
        self.rows: list[Row] = [Row(*facts) for facts in zip(labels, planned, already, strict=True)]
        self.live: bool = sys.stderr.isatty() if live is None else live

    def run_progress(self, number: int) -> RowProgress:
        """Return the display for the Run with this number."""
        return RowProgress(self, number)

    def note_end(self, number: int, state: str) -> None:
        """Note how a Run ended: done, stopped, interrupted, finished before."""
        self.rows[number].state = state

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until all Runs are done, at the mean rate of the Requests so far; None without a basis.

        The Run that is asked has its own rate; the others have that of all Requests of this session.
        """
        tallies = [row.tally for row in self.rows if row.tally and row.tally.responses]
        responses = sum(tally.responses for tally in tallies)
        if not responses:
            return None
        mean = sum(tally.finished_s for tally in tallies) / responses
        total = 0.0
        for row in self.rows:
            run_seconds = row.tally.remaining_s if row.state == "asking" and row.tally else None
            total += row.remaining * mean if run_seconds is None else run_seconds
        return total

    def line(self, number: int) -> str:
        """Return the Run's line for a log."""
        row = self.rows[number]
        return ", ".join(
            [f"[{number + 1}/{len(self.rows)}] {row.label}: {row.done_count:,}/{row.planned:,}", *facts(row)]
        )

    def sum_line(self) -> str:
        """Return the line about all Runs."""
        done, planned = sum(row.done_count for row in self.rows), sum(row.planned for row in self.rows)
        words = [f"all: {done:,}/{planned:,}"]
        words += [f"{failed:,} failed"] if (failed := sum(row.failed for row in self.rows)) else []
        words.append(money(sum(row.usd for row in self.rows), sum(row.unpriced for row in self.rows)))
        left = self.seconds_left
        return ", ".join([*words, *([f"{clock(left)} to go"] if left else [])])

    def grid(self, height: int) -> Table:
        """Return the board as a table of at most `height` lines, with the Run that is asked in it."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        grid = Table("", "done", "failed", "price", "to go", box=box.SIMPLE_HEAD, pad_edge=False)
        current = next((n for n, row in enumerate(self.rows) if row.state == "asking"), 0)
        room = max(1, height - MARGIN)
        first = max(0, min(current - room // 2, len(self.rows) - room))
        for row in self.rows[first : first + room]:
            style = {"asking": "bold", "waiting": "dim"}.get(row.state, "")
            cells = [row.label, f"{row.done_count:,}/{row.planned:,}", f"{row.failed:,}", money(row.usd, row.unpriced)]
            grid.add_row(*(Text(cell) for cell in [*cells, remaining_text(row)]), style=style)
        if hidden := len(self.rows) - room:
            grid.caption = f"{hidden} more Runs" if hidden > 0 else None
        return grid


class RowProgress:
    """The display of one Run of a board, as the run loop calls it."""

    def __init__(self, board: Board, number: int) -> None:
        self.board: Board = board
        self.number: int = number
        self.every_s: float = 0.25 if board.live else 5.0
        self._live: Live | None = None
        self._shown = ""

    def start(self, model: str, tally: Tally) -> None:
        """Show that the Run's Requests are being sent. It is called again if media were read first."""
        row = self.board.rows[self.number]
        row.before += [row.tally] if row.tally else []
        row.tally, row.state = tally, "asking"
        if self.board.live:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        if tally.note:
            self._print(f"{row.label}: {tally.note}")
        self.refresh()

    def refresh(self) -> None:
        """Show the board again; in a log only what has changed."""
        if self._live is not None:
            from rich.console import Group
            from rich.text import Text

            grid = self.board.grid(self._live.console.height)
            self._live.update(Group(grid, Text(self.board.sum_line())), refresh=True)
            return
        text = f"{self.board.line(self.number)}; {self.board.sum_line()}"
        row = self.board.rows[self.number]
        changed = f"{row.done_count} {row.tally.in_batches if row.tally else 0}"
        if changed != self._shown:
            self._shown = changed
            self._print(text)

    def finish(self) -> None:
        """Show the last state; a live board is removed, since a table follows."""
        row = self.board.rows[self.number]
        if row.tally:
            row.tally.stop_clock()
        self.refresh()
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _print(self, line: str) -> None:
        if self._live is not None:
            self._live.console.print(line, style="yellow", markup=False)
            return
        with suppress(BrokenPipeError):  # the reader has gone; this is no reason to stop
            print(line, file=sys.stderr, flush=True)  # noqa: T201


def facts(row: Row) -> list[str]:
    """Return failures, price and remaining time of a Run in words."""
    words = [f"{row.failed:,} failed"] if row.failed else []
    words += [f"{row.tally.in_batches:,} in batches"] if row.tally and row.tally.in_batches else []
    return [*words, money(row.usd, row.unpriced), *filter(None, [remaining_text(row)])]


def remaining_text(row: Row) -> str:
    """Return the remaining time of the Run that is asked, or the state of another."""
    if row.state != "asking" or row.tally is None:
        return row.state
    left = row.tally.remaining_s
    return "" if left is None else f"{clock(left)} to go" if left else f"in {clock(row.tally.seconds)}"


def money(usd: float, unpriced: int) -> str:
    """Return dollars as text; says so if a price is unknown."""
    if unpriced:
        return f"> ${usd:.4f}" if usd else "price unknown"
    return f"${usd:.4f}" if usd else "$0"
