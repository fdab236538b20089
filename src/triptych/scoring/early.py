"""A Run scored while its connections are checked for the last time, which takes as long as an answer.

The check may withdraw answers, which changes the journal: the scores are then out of date, as after any later change,
and are computed again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from triptych.benchmarks.registry import Benchmark
from triptych.scoring.outcome import Scored, choose
from triptych.scoring.queue import NAME as QUEUE
from triptych.scoring.runs import is_outdated, score_run
from triptych.store.folder import RunFolder

_log = logging.getLogger(__name__)
_MODULES = (
    "triptych.scoring.stored.corpus",
    "triptych.scoring.stored.collecting",
    "triptych.scoring.comparing",
    "numpy.random",
)
_OF_CHOICES = "triptych.metrics.replies.reading"


def modules_for(benchmark: Benchmark) -> tuple[str, ...]:
    """Return the modules that `score_run` imports on first use."""
    has_choices = any(task.answer != "text" for task in benchmark.spec.tasks)
    return (*_MODULES, _OF_CHOICES) if has_choices else _MODULES


class EarlyScores:
    """The scores of a Run whose answers are all in its journal, and may still be withdrawn."""

    def __init__(self, folder: RunFolder, protocols: Sequence[str] | None) -> None:
        self._folder, self._protocols = folder, protocols
        self._scores: Scored | None = None

    def is_possible(self, benchmark: Benchmark) -> bool:
        """Return whether scoring needs no encoder and changes only scores: there is no file of people's decisions."""
        compares = any(protocol.compares for protocol in choose(benchmark, self._protocols).values())
        return not compares and not (self._folder.path / QUEUE).exists()

    def score(self) -> None:
        """Score the Run. An error is left to the scoring at the end, which meets it again."""
        try:
            self._scores = score_run(self._folder, self._protocols)
        except Exception as error:  # noqa: BLE001
            _log.info("not scored while the connections were checked: %s", error)

    def valid_scores(self) -> Scored | None:
        """Return the scores; None if there are none or the journal has changed since."""
        return None if self._scores is None or is_outdated(self._folder) else self._scores
