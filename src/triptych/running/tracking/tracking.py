"""Track a Run: pass its progress and figures to trackers, from a thread of their own, so that no service delays a Run.

A tracker that raises an error is reported once and gets nothing more; the Run goes on.
"""

from __future__ import annotations

import queue
import re
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from triptych.records import Aggregate, RunManifest
from triptych.running.progress import Progress
from triptych.running.tally import Tally
from triptych.running.tracking.steps import step_in, step_texts
from triptych.running.tracking.trackers import TRACKERS, Tracked, Tracker, check_tracker
from triptych.secrets import scrub
from triptych.store.folder import RunFolder

EVERY_S = 10.0  # seconds between two reports of progress
PATIENCE_S = 60.0  # seconds that the end of a Run waits for trackers
_PATH_OR_ADDRESS = re.compile(r"/|~|\.\.?[/\\]|[A-Za-z]:[/\\]|\\\\|.*://", re.DOTALL)  # how a path or an address begins
_CONFIG = (
    "benchmark",
    "benchmark_version",
    "data_sha256",
    "tasks",
    "model",
    "revision",
    "conditions",
    "prompt",
    "seed",
    "repeats",
    "limit",
    "sample",
    "filters",
    "name",
    "packing",
    "as_in",
    "shard",
    "code_version",
)


class Tracking:
    """The trackers of one Run."""

    def __init__(self, words: Sequence[str], run: Tracked) -> None:
        self.words: Sequence[str] = words
        self.run: Tracked = run
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._open: dict[str, Tracker] = {}
        self._waiting = threading.Event()  # set while a report of progress is in the queue
        self._latest: dict[str, float] = {}
        self._thread = threading.Thread(target=self._work, name="trackers", daemon=True)
        self._thread.start()
        self._jobs.put(self._open_trackers)

    def display(self, inner: Progress) -> Progress:
        """Return a display that shows what `inner` does and reports the tally from time to time."""
        return _Reported(inner, self)

    def progress(self, tally: Tally) -> None:
        """Report the tally; an earlier report that still waits is sent with the values of this one."""
        self._latest = values_of(tally)
        if not self._waiting.is_set():
            self._waiting.set()

            def send() -> None:
                self._waiting.clear()
                values = self._latest
                self._call_each(lambda tracker: tracker.progress(values))

            self._jobs.put(send)

    def figures(self, scores: Mapping[str, Sequence[Aggregate]]) -> None:
        """Report the figures of all protocols."""
        figures_by_name = named_figures(scores)
        if figures_by_name:
            self._jobs.put(lambda: self._call_each(lambda tracker: tracker.figures(figures_by_name)))

    def end(self, state: str) -> None:
        """Report how the session ended, and wait until everything was sent."""
        self._jobs.put(lambda: self._call_each(lambda tracker: tracker.end(state)))
        self._jobs.put(None)
        self._thread.join(PATIENCE_S)
        if self._thread.is_alive():
            names = ", ".join(self._open)
            warnings.warn(
                f"{names}: not everything was sent within {PATIENCE_S:.0f} s; the Run is complete", stacklevel=2
            )

    def _open_trackers(self) -> None:
        for word in self.words:
            self._try(word, self._open_tracker)

    def _open_tracker(self, word: str) -> None:
        name, where = check_tracker(word)
        self._open[word] = TRACKERS[name][0](self.run, where)

    def _call_each(self, report: Callable[[Tracker], None]) -> None:
        for word in list(self._open):
            self._try(word, lambda trackers: report(self._open[trackers]))

    def _try(self, word: str, call: Callable[[str], None]) -> None:
        try:
            call(word)
        except Exception as error:  # noqa: BLE001 (a service may raise anything; the Run is worth more than its log)
            self._open.pop(word, None)
            what = f"--track {word}: {type(error).__name__}: {scrub(str(error))}; the Run goes on without it"
            warnings.warn(what, stacklevel=2)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


class _Reported:
    """A display that also reports its tally."""

    def __init__(self, inner: Progress, tracking: Tracking) -> None:
        self.inner, self.tracking = inner, tracking
        self.every_s: float = inner.every_s
        self._last = -EVERY_S

    def start(self, model: str, tally: Tally) -> None:
        """Begin the display."""
        self.tally = tally
        self.inner.start(model, tally)

    def refresh(self) -> None:
        """Refresh the display, and report if the last report is long enough ago."""
        self.inner.refresh()
        if time.monotonic() - self._last >= EVERY_S:
            self._last = time.monotonic()
            self.tracking.progress(self.tally)

    def finish(self) -> None:
        """End the display, and report the last tally."""
        self.inner.finish()
        self.tracking.progress(self.tally)


def values_of(tally: Tally) -> dict[str, float]:
    """Return the numbers of a tally that trackers get: `usd`, or how many replies are `unpriced` if the price of any is
    unknown.
    """
    values: dict[str, float] = {"done": tally.already + tally.responses, "asked": tally.responses}
    values |= {status: count for status, count in sorted(tally.counts.items()) if count}
    values |= {
        "failed": tally.counts["failed"],
        "retries": tally.retries,
        "input_tokens": tally.input_tokens,
        "output_tokens": tally.output_tokens,
        "seconds": round(tally.seconds, 3),
    }
    values |= {"unpriced": tally.unpriced} if tally.unpriced else {"usd": round(tally.usd, 6)}
    return values | ({"planned": tally.planned} if tally.planned is not None else {})


def named_figures(scores: Mapping[str, Sequence[Aggregate]]) -> dict[str, Aggregate]:
    """Return figures by name: `official/BENCH/TASK/acc`, `…/acc/direction=audio_text`."""
    aggregates: dict[str, Aggregate] = {}
    for protocol, figures in scores.items():
        for one in figures:
            slice_ = ",".join(f"{name}={value}" for name, value in sorted(one.slice.items()))
            aggregates["/".join(filter(None, [protocol, one.task, one.metric, slice_]))] = one
    return aggregates


def config_of(manifest: RunManifest) -> dict[str, Any]:
    """Return what identifies a Run, for trackers. Paths and endpoints of this computer are left out."""
    import msgspec

    values = msgspec.to_builtins(manifest)
    config = {name: values[name] for name in _CONFIG if values.get(name) not in (None, "", [], {})}
    settings = {f"settings.{name}": x for name, x in manifest.model_settings.items() if not _is_place(name, x)}
    return config | settings | {f"decoding.{name}": value for name, value in manifest.decoding.items()}


def _is_place(name: str, value: object) -> bool:
    """Return whether a setting says where something is: a path or an address."""
    return isinstance(value, str) and (name == "path" or _PATH_OR_ADDRESS.match(value) is not None)


@contextmanager
def tracking(words: Sequence[str], folder: RunFolder, label: str) -> Iterator[Tracking | None]:
    """Track a Run while it is carried out; None without trackers. The caller reports the end if there is no error."""
    from triptych.records.hashing import short_hash

    if not words:
        yield None
        return
    step = step_in(step_texts(folder.manifest))
    key = short_hash(folder.manifest.identity() | {"shard": folder.manifest.shard})
    run = Tracked(key, label, folder.path, config_of(folder.manifest), step[1] if step else None)
    tracking_ = Tracking(words, run)
    try:
        yield tracking_
    except BaseException as error:
        tracking_.end(f"error: {type(error).__name__}")
        raise
