"""Showing how a Run goes, on standard error: a live bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from triptych.records import RESPONSE_STATUSES
from triptych.running.tally import Tally

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class Progress(Protocol):
    """Whoever shows a Run's progress. `refresh` is called every `every_s` seconds and reads the tally."""

    every_s: float

    def start(self, model: str, tally: Tally) -> None:
        """A sitting begins."""

    def refresh(self) -> None:
        """Time to show the tally again."""

    def finish(self) -> None:
        """The sitting ended."""


class Silence:
    """Shows nothing."""

    every_s = 1.0

    def start(self, model: str, tally: Tally) -> None:
        """Nothing."""

    def refresh(self) -> None:
        """Nothing."""

    def finish(self) -> None:
        """Nothing."""


class Lines:
    """A plain line every few seconds, for logs and pipes."""

    every_s = 5.0

    def start(self, model: str, tally: Tally) -> None:
        """Say what goes on."""
        self.model, self.tally = model, tally
        self._shown = -1
        resumed = f", {tally.already} already done" if tally.already else ""
        total = "?" if tally.planned is None else f"{tally.planned}"
        self._print(f"{total} Requests{resumed}")
        if tally.note:
            self._print(tally.note)

    def refresh(self) -> None:
        """A line, where something changed."""
        if self.tally.asked != self._shown:
            self._shown = self.tally.asked
            self._print(describe(self.tally))

    def finish(self) -> None:
        """The last line."""
        self.refresh()

    def _print(self, line: str) -> None:
        with suppress(BrokenPipeError):  # nobody reads any more: no reason to stop
            print(f"{self.model}: {line}", file=sys.stderr, flush=True)  # noqa: T201


class Bar:
    """A live bar by rich, and under it the counts."""

    every_s = 0.25

    def start(self, model: str, tally: Tally) -> None:
        """Draw the bar."""
        from rich.console import Console
        from rich.live import Live as RichLive
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Rich

        self.tally = tally
        self._bar: RichProgress = Rich(
            TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn()
        )
        self._task: TaskID = self._bar.add_task(model, total=tally.planned)
        self._live: Live = RichLive(console=Console(stderr=True), auto_refresh=False)
        self._live.start()
        if tally.note:
            self._live.console.print(tally.note, style="yellow", markup=False)
        self.refresh()

    def refresh(self) -> None:
        """Draw it again."""
        from rich.console import Group
        from rich.text import Text

        self._bar.update(self._task, completed=self.tally.already + self.tally.asked)
        told = Text("  " + describe(self.tally, short=True), style="dim")
        self._live.update(Group(self._bar.get_renderable(), told), refresh=True)

    def finish(self) -> None:
        """Leave the bar as it is."""
        self.refresh()
        self._live.stop()


def choose_progress(wanted: bool | Progress) -> Progress:
    """The display for True (a bar on a terminal, else lines), silence for False, or the object given."""
    if not isinstance(wanted, bool):
        return wanted
    if not wanted:
        return Silence()
    return Bar() if sys.stderr.isatty() else Lines()


def describe(tally: Tally, *, short: bool = False) -> str:
    """The tally in a line: done, status counts, time to go, tokens, cost."""
    done = tally.already + tally.asked
    told = [] if short else [f"{done}/{tally.planned}" if tally.planned is not None else f"{done}"]
    told += [f"{tally.counts[status]} {status}" for status in RESPONSE_STATUSES if tally.counts[status]]
    told += [f"{tally.retries} retries"] if tally.retries else []
    if (left := tally.remaining_s) is not None:
        told.append(f"{clock(left)} to go" if left else f"in {clock(tally.seconds)}")
    told.append(f"{thousands(tally.input_tokens)}+{thousands(tally.output_tokens)} tokens")
    return ", ".join([*told, cost(tally)])


def cost(tally: Tally) -> str:
    """The money in words: unknown prices are called so."""
    if not tally.unpriced:
        return f"${tally.usd:.4f}" if tally.usd else "$0"
    return f"> ${tally.usd:.4f}, price of {tally.unpriced} unknown" if tally.usd else "price unknown"


def clock(seconds: float) -> str:
    """`12 s`, `3:05`, `2:10:00`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{rest:02}"
    return f"{minutes}:{rest:02}" if minutes else f"{rest} s"


def thousands(count: int) -> str:
    """`950`, `12.3k`, `4.5M`."""
    if count >= 1_000_000:
        return f"{count / 1e6:.1f}M"
    return f"{count / 1e3:.1f}k" if count >= 10_000 else f"{count}"
