"""Progress display on standard error: a live bar in a terminal, otherwise a plain line from time to time."""

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
    """A progress display. `refresh` is called every `every_s` seconds and reads the tally."""

    every_s: float

    def start(self, model: str, tally: Tally) -> None:
        """A session begins."""

    def refresh(self) -> None:
        """Show the tally again."""

    def finish(self) -> None:
        """The session has ended."""


class Silence:
    """Shows nothing."""

    every_s: float = 1.0

    def start(self, model: str, tally: Tally) -> None:
        """Nothing."""

    def refresh(self) -> None:
        """Nothing."""

    def finish(self) -> None:
        """Nothing."""


class Lines:
    """A plain line every few seconds, for logs and pipes."""

    every_s: float = 5.0

    def start(self, model: str, tally: Tally) -> None:
        """Print what is about to be done."""
        self.model: str = model
        self.tally: Tally = tally
        self._shown = (-1, 0)
        self._print(counts(tally))
        if tally.note:
            self._print(tally.note)

    def refresh(self) -> None:
        """Print a line if something has changed."""
        if (changed := (self.tally.responses, self.tally.in_batches)) != self._shown:
            self._shown = changed
            self._print(describe(self.tally))

    def finish(self) -> None:
        """Print the last line."""
        self.refresh()

    def _print(self, line: str) -> None:
        with suppress(BrokenPipeError):  # the reader has gone; this is no reason to stop
            print(f"{self.model}: {line}", file=sys.stderr, flush=True)  # noqa: T201


class Bar:
    """A live bar (by rich) with the counts below it."""

    every_s: float = 0.25

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
        if tally.already or 0 < tally.in_data != tally.planned:
            self._live.console.print(f"{model}: {counts(tally)}", style="dim", markup=False)
        if tally.note:
            self._live.console.print(tally.note, style="yellow", markup=False)
        self.refresh()

    def refresh(self) -> None:
        """Redraw the bar."""
        from rich.console import Group
        from rich.text import Text

        self._bar.update(self._task, completed=self.tally.already + self.tally.responses)
        line = Text("  " + describe(self.tally, short=True), style="dim")
        self._live.update(Group(self._bar.get_renderable(), line), refresh=True)

    def finish(self) -> None:
        """Leave the bar on the screen."""
        self.refresh()
        self._live.stop()


def choose_progress(wanted: bool | Progress) -> Progress:
    """Return the display for True (a bar in a terminal, otherwise lines), no display for False, or the given object."""
    if not isinstance(wanted, bool):
        return wanted
    if not wanted:
        return Silence()
    return Bar() if sys.stderr.isatty() else Lines()


def counts(tally: Tally) -> str:
    """Return the three counts of a Run before it goes on: `in the data 724, asked 100, answered before 44`."""
    parts = [f"in the data {tally.in_data:,}"] if tally.in_data else []
    parts += ["asked ?" if tally.planned is None else f"asked {tally.planned:,}"]
    answered = tally.already if tally.already_answered is None else tally.already_answered
    parts += [f"answered before {answered:,}"] if tally.already else []
    parts += [f"refused, truncated or skipped before {tally.already - answered:,}"] if answered < tally.already else []
    return ", ".join(parts)


def describe(tally: Tally, *, short: bool = False) -> str:
    """Return the tally in one line: done, counts by status, remaining time, tokens, cost."""
    done = tally.already + tally.responses
    parts = [] if short else [f"{done}/{tally.planned}" if tally.planned is not None else f"{done}"]
    parts += [f"{tally.counts[status]} {status}" for status in RESPONSE_STATUSES if tally.counts[status]]
    parts += [f"{tally.already} before"] if tally.already else []
    parts += [f"{tally.in_batches} in batches"] if tally.in_batches else []
    parts += [f"{tally.retries} retries"] if tally.retries else []
    if (left := tally.remaining_s) is not None:
        parts.append(f"{clock(left)} to go" if left else f"in {clock(tally.seconds)}")
    parts.append(f"{thousands(tally.input_tokens)}+{thousands(tally.output_tokens)} tokens")
    return ", ".join([*parts, cost(tally)])


def cost(tally: Tally) -> str:
    """Return the cost as text; says so if a price is unknown."""
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
