"""Several Runs with one budget, resumed as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from triptych.api.runs import check_how
from triptych.experiment.judging import JudgePlan
from triptych.experiment.plan import Plan
from triptych.experiment.plan_file import read_plan, wanted_runs
from triptych.experiment.planning import PlanArguments
from triptych.experiment.series import Ended, Step, carry_out_series
from triptych.experiment.several import WantedRun, crossed, made_ready
from triptych.records.arguments import refuse_text
from triptych.running.estimate import RunEstimate, estimate

if TYPE_CHECKING:
    from triptych.benchmarks import Benchmark
    from triptych.running.loop import RunOptions

__all__ = ["Ended", "SeveralResult", "WantedRun", "crossed", "estimate_many", "plan_of_file", "run_many"]


@dataclass(frozen=True)
class SeveralResult:
    """How several Runs ended, in the order in which they were wanted.

    `code`: the largest exit code among them: 0 done, 1 something failed or was not asked, 2 an error, 130 interrupted.
    """

    runs: tuple[Ended, ...]

    @property
    def code(self) -> int:
        """The exit code of all Runs together."""
        return max((one.code for one in self.runs), default=0)

    @property
    def cost_usd(self) -> float | None:
        """Dollars of this session, without judges; None if the price of an answer is unknown."""
        costs = [one.result.outcome.cost_usd for one in self.runs if one.result is not None]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


def run_many(
    wanted: Sequence[WantedRun],
    *,
    out: Path | str | None = None,
    options: RunOptions | None = None,
    protocols: Sequence[str] | None = None,
    judges: JudgePlan | None = None,
) -> SeveralResult:
    """Carry out several Runs, resuming earlier sessions; finished Runs aren't asked again.

    `wanted`: see `crossed` for every model on every benchmark. `out`: the folder of all Runs [`runs`]. The budget in
    `options` is over all Runs, judges and sessions. Every Run is planned and checked before the first Request: then
    SpecError and DataError are raised. Later errors of one Run are in its `error`, and the others go on.
    """
    from triptych.reports.report import write_tables
    from triptych.running.loop import RunOptions
    from triptych.scoring.runs import load_summary

    check_how(options, protocols, judges)
    options = options or RunOptions()
    done: list[Ended] = []
    for ended in carry_out_series(
        made_ready(wanted, out=out, options=options, judges=judges), options=options, protocols=protocols
    ):
        if ended.result is not None and ended.result.scores:
            write_tables(ended.result.folder, load_summary(ended.result.folder))
        done.append(ended)
    return SeveralResult(tuple(done))


def estimate_many(
    wanted: Sequence[WantedRun], *, out: Path | str | None = None, options: RunOptions | None = None
) -> list[tuple[Step, Plan, RunEstimate]]:
    """Plan and check several Runs, and estimate each; nothing is asked. Raises SpecError, DataError."""
    from triptych.media.payload import MediaReader
    from triptych.running.loop import RunOptions
    from triptych.running.prices import load_prices

    check_how(options, None, None)
    options = options or RunOptions()
    prices = load_prices(options.prices, options.price)
    prices = prices.in_batches() if options.batch else prices
    estimates = []
    for step in made_ready(wanted, out=out, options=options, judges=None):
        if isinstance(step.ready, Plan):
            ready = step.ready
            media = MediaReader(ready.data)
            estimates.append(
                (step, ready, estimate(ready.requests(), ready.adapter, media, prices, options.concurrency))
            )
    return estimates


def plan_of_file(
    path: Path | str,
    *,
    models: Sequence[str] = (),
    opened: Callable[[str, Mapping[str, str]], str | Benchmark] | None = None,
    **usual: Unpack[PlanArguments],
) -> list[WantedRun]:
    """Return the Runs of a plan file (`triptych.toml`). `models`, `usual`: for groups that don't name their own.

    Raises SpecError for a file that can't be read, and for unknown keys and benchmarks.
    """
    refuse_text(models=models)
    return wanted_runs(read_plan(path), usual, opened or _opened, models)


def _opened(name: str, stated: Mapping[str, str]) -> str | Benchmark:
    from triptych.benchmarks import own_questions

    return own_questions(name, stated) or name
