"""Several Runs with one budget, resumed as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from triptych.experiment.judging import JudgePlan
from triptych.experiment.plan import Plan
from triptych.experiment.plan_file import read_plan, wanted_runs
from triptych.experiment.planning import PlanArguments
from triptych.experiment.series import Ended, Step, execute_series
from triptych.experiment.several import WantedRun, crossed, made_ready
from triptych.records.checked_calls import checked_arguments
from triptych.running.estimate import RunEstimate, estimate

if TYPE_CHECKING:
    from triptych.benchmarks import Benchmark
    from triptych.running.loop import RunOptions

__all__ = ["Ended", "SeveralResult", "WantedRun", "crossed", "estimate_many", "plan_of_file", "run_many"]


@dataclass(frozen=True)
class SeveralResult:
    """How several Runs ended.

    Attributes:
        runs: One for each Run, in the order in which they were wanted.
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


@checked_arguments
def run_many(
    wanted: Iterable[WantedRun],
    *,
    out: Path | str | None = None,
    options: RunOptions | None = None,
    protocols: Sequence[str] | None = None,
    judges: JudgePlan | None = None,
) -> SeveralResult:
    """Carry out several Runs with one budget, resuming earlier sessions; finished Runs aren't asked again.

    Args:
        wanted: The Runs; `crossed` makes one for each model on each benchmark, `plan_of_file` those of a plan file.
        out: The folder of all Runs; None for `runs`.
        options: Concurrency, retries, time-outs, engine; its budget is for all Runs, judges and sessions together.
        protocols: Protocols to score by; None for all of each benchmark.
        judges: Judges for Tasks that need one: see `plan_judges`.

    Returns:
        How each Run ended. A later error of one Run is in its `error`, and the others go on.

    Raises:
        SpecError, DataError: If a Run can't be planned; every Run is checked before the first Request.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> wanted = triptych.crossed(["cmdar/main"], ["baseline/longest", "baseline/random"], limit=8)
        >>> with TemporaryDirectory() as folder:
        ...     several = triptych.run_many(wanted, out=folder)
        >>> several.code, [ended.result.outcome.counts for ended in several.runs]
        (0, [{'answered': 8}, {'answered': 8}])
    """
    from triptych.reports.report import write_tables
    from triptych.running.loop import RunOptions
    from triptych.scoring.runs import load_summary

    options = options or RunOptions()
    done: list[Ended] = []
    for ended in execute_series(
        made_ready([*wanted], out=out, options=options, judges=judges), options=options, protocols=protocols
    ):
        if ended.result is not None and ended.result.scores:
            write_tables(ended.result.folder, load_summary(ended.result.folder))
        done.append(ended)
    return SeveralResult(tuple(done))


@checked_arguments
def estimate_many(
    wanted: Iterable[WantedRun], *, out: Path | str | None = None, options: RunOptions | None = None
) -> list[tuple[Step, Plan, RunEstimate]]:
    """Plan and check several Runs, and estimate what each would take; nothing is asked.

    Args:
        wanted: The Runs: see `run_many`.
        out: The folder of all Runs; None for `runs`. Runs that are finished there cost nothing.
        options: Concurrency, prices and the budget; None for the defaults.

    Returns:
        For each Run that has something to ask: the step, its plan, and the estimate of Requests, tokens, cost and time.

    Raises:
        SpecError: If an argument is wrong.
        DataError: If data are missing or malformed.

    Example:
        >>> import triptych
        >>> wanted = triptych.crossed(["cmdar/main"], ["baseline/random"], limit=8)
        >>> [(step, plan, estimate)] = triptych.estimate_many(wanted)
        >>> estimate.requests, estimate.usd
        (8, 0.0)
    """
    from triptych.media.payload import MediaReader
    from triptych.running.loop import RunOptions
    from triptych.running.prices import load_prices

    options = options or RunOptions()
    prices = load_prices(options.prices, options.price)
    prices = prices.in_batches() if options.batch else prices
    estimates = []
    for step in made_ready([*wanted], out=out, options=options, judges=None):
        if isinstance(step.ready, Plan):
            ready = step.ready
            media = MediaReader(ready.data)
            estimates.append(
                (step, ready, estimate(ready.requests(), ready.adapter, media, prices, options.concurrency))
            )
    return estimates


@checked_arguments
def plan_of_file(
    path: Path | str,
    *,
    models: Sequence[str] = (),
    opened: Callable[[str, Mapping[str, str]], str | Benchmark] | None = None,
    **usual: Unpack[PlanArguments],
) -> list[WantedRun]:
    """Return the Runs of a plan file.

    Args:
        path: The plan file (`triptych.toml`).
        models: Models of the groups that name none.
        opened: Returns the benchmark for a name or path in the file; None for built-in and installed benchmarks and
            question files.
        usual: Arguments of `plan` for the groups that don't set them.

    Returns:
        The Runs in the order of the file, for `run_many` and `estimate_many`.

    Raises:
        SpecError: If the file can't be read, or a key or benchmark is unknown.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "triptych.toml")
        ...     _ = file.write_text('[[runs]]\\nbenchmark = ["cmdar/main"]\\nmodel = ["baseline/random"]\\n')
        ...     [wanted.model for wanted in triptych.plan_of_file(file)]
        ['baseline/random']
    """
    return wanted_runs(read_plan(path), usual, opened or _opened, models)


def _opened(name: str, stated: Mapping[str, str]) -> str | Benchmark:
    from triptych.benchmarks import own_questions

    return own_questions(name, stated) or name
