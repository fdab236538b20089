"""Scores of another harness's log: as it holds them, or read anew from the replies that it holds."""

from __future__ import annotations

from triptych.metrics.metric import Metric

METRICS = (
    Metric(
        id="score.stored",
        name="score in the log x 100",
        better="higher",
        unit="%",
        range=(0.0, 100.0),
        statistics=("sum of scores", "units"),
        source="the log: its rule is that harness's; Inspect's C, P, I, N are 1, 0.5, 0, 0",
    ),
    Metric(
        id="score.read",
        name="right replies, read anew",
        better="higher",
        unit="%",
        range=(0.0, 100.0),
        statistics=("right", "units"),
        source="one letter, or the target's text, read out of the reply",
    ),
)
