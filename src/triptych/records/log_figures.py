"""LogFigure: a figure that another harness's log states of its own samples."""

from __future__ import annotations

import msgspec

STORED = "stored:"  # the engine of an Intermediate that carries a score of the log: `stored:exact_match`
LIKELIHOOD = "loglikelihood:"  # … an option's log-likelihood: `loglikelihood:B`
LOG_NOTE = "log"  # … what the harness noted about how it scored the reply
READ_BY_HARNESS = "extracted"  # the engine of the one that carries what the harness read out of the reply


class LogFigure(msgspec.Struct, frozen=True, omit_defaults=True):
    """An aggregate as the log holds it, in the log's own unit (mostly 0 to 1). `value`: None if the log has something
    else than a finite number there (NaN, null).

    `task`, `filter`: those of the samples that it is about (facets `log_task` and `filter`); `metric`: the name that
    their scores carry. `aggregation`: `mean` where the log says that it is one, another name where it is not one, empty
    where the log doesn't tell. `n`: how many samples it is of, where the log tells. `scale`: 100 for a figure in
    percent of scores from 0 to 1. `stderr`: its standard error as the log states it, in the figure's unit. `digits`:
    number of decimals to which the log rounds it; None if it has all. `of`: number of samples of the whole data set, if
    the log tells.
    """

    task: str
    metric: str
    value: float | None
    filter: str = ""
    aggregation: str = ""
    n: int | None = None
    scale: float = 1.0
    stderr: float | None = None
    digits: int | None = None
    of: int | None = None

    @property
    def name(self) -> str:
        """The metric with its filter, as lm-eval writes it: `exact_match,strict-match`."""
        return f"{self.metric},{self.filter}" if self.filter else self.metric
