"""A Run scored while its answers are awaited, and while its connections are checked for the last time.

While the model is asked, `step` scores answers that are in the journal (`scoring.stored.growing`). When all are there,
`score` scores the others and writes the files, during the last check of the connections, which may take as long as an
answer. The check may withdraw answers, which changes the journal: the scores are then out of date, as after any later
change, and are computed again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from triptych.benchmarks.registry import Benchmark
from triptych.scoring.outcome import Scored, choose
from triptych.scoring.queue import NAME as QUEUE
from triptych.scoring.runs import is_outdated, score_run
from triptych.store.folder import RunFolder

if TYPE_CHECKING:
    from triptych.scoring.stored.growing import GrowingScores

MAX_GROWING_UNITS = 200_000  # some 60 MB of ids, places and columns
_log = logging.getLogger(__name__)
_MODULES = (
    "triptych.scoring.stored.corpus",
    "triptych.scoring.stored.collecting",
    "triptych.scoring.stored.growing",
    "triptych.scoring.comparing",
    "numpy.ma",
    "numpy.random",
)
_OF_CHOICES = "triptych.metrics.replies.reading"


def modules_for(benchmark: Benchmark) -> tuple[str, ...]:
    """Return the modules that `score_run` imports on first use."""
    has_choices = any(task.answer != "text" for task in benchmark.spec.tasks)
    return (*_MODULES, _OF_CHOICES) if has_choices else _MODULES


class EarlyScores:
    """The scores of a Run whose answers come in, and may still be withdrawn."""

    def __init__(self, folder: RunFolder, protocols: Sequence[str] | None) -> None:
        self._folder, self._protocols = folder, protocols
        self._scores: Scored | None = None
        self._benchmark: Benchmark | None = None
        self._growing: GrowingScores | None = None

    def is_possible(self, benchmark: Benchmark) -> bool:
        """Return whether scoring needs no encoder and changes only scores: there is no file of people's decisions."""
        compares = any(protocol.compares for protocol in choose(benchmark, self._protocols).values())
        return not compares and not (self._folder.path / QUEUE).exists()

    def can_grow(self, benchmark: Benchmark, planned: int) -> bool:
        """Return whether answers can be scored one by one, and prepare it: a new Run, each Item asked once."""
        manifest, journal = self._folder.manifest, self._folder.path / "responses.jsonl"
        is_new = not self._folder.is_packed and not (journal.exists() and journal.stat().st_size)
        if is_new and manifest.repeats == 1 and not manifest.uneven and planned <= MAX_GROWING_UNITS:
            self._benchmark = benchmark
        return self._benchmark is not None

    def step(self) -> bool:
        """Score a few answers in about half a millisecond, in the thread that asks; return False if too few are there.

        An error is left to the scoring at the end, which meets it again.
        """
        from triptych.scoring.stored.growing import GrowingScores

        if self._benchmark is None:
            return False
        try:
            if self._growing is None:
                self._growing = GrowingScores(self._folder, choose(self._benchmark, self._protocols), self._benchmark)
            return self._growing.step()
        except Exception as error:  # noqa: BLE001
            _log.info("answers are not scored while others are awaited: %s", error)
            self._give_up()
            return False

    def score(self) -> None:
        """Score the Run. An error is left to the scoring at the end, which meets it again."""
        try:
            self._finish()
            self._scores = score_run(self._folder, self._protocols, growing=self._growing)
        except Exception as error:  # noqa: BLE001
            _log.info("not scored while the connections were checked: %s", error)
        self._give_up()

    def valid_scores(self) -> Scored | None:
        """Return the scores; None if there are none or the journal has changed since."""
        if self._growing is not None:
            self.score()  # no connections were to be checked
        return None if self._scores is None or is_outdated(self._folder) else self._scores

    def _finish(self) -> None:
        """Score the answers that are left."""
        try:
            if self._growing is not None:
                self._growing.finish()
        except Exception as error:  # noqa: BLE001
            _log.info("all answers are scored at the end: %s", error)
            self._give_up()

    def _give_up(self) -> None:
        if self._growing is not None:
            self._growing.close()
        self._growing = self._benchmark = None
