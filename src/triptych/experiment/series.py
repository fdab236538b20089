"""Several Runs carried out one after the other: with one budget over all, one progress display, resumed as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.errors import TriptychError
from triptych.experiment.execution import RunResult, execute_plan
from triptych.experiment.judging import JudgePlan
from triptych.experiment.plan import Plan
from triptych.running.tally import Tally
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal

if TYPE_CHECKING:
    from triptych.running.loop import Ledger, RunOptions
    from triptych.running.several_progress import Board


@dataclass(frozen=True)
class Step:
    """One Run of a series. `label`: its name in the progress display. `out`: its folder. `planned`: its Requests.

    `ready`: its plan, or a function that makes it when the earlier Runs are done (it reads their replies).
    """

    label: str
    out: Path
    planned: int
    ready: Plan | Callable[[], Plan]
    judges: JudgePlan | None = None


@dataclass(frozen=True)
class Ended:
    """How one of several Runs ended.

    Attributes:
        step: The Run as it was planned.
        result: Its result; None if there is none.
        error: Why there is no result; None if there is one, or if the Run was not begun.
        skipped: Why the Run was not begun; empty otherwise.
    """

    step: Step
    result: RunResult | None = None
    error: TriptychError | None = None
    skipped: str = ""

    @property
    def code(self) -> int:
        """The exit code: 0 if all Requests have a reply, 1 if some failed or were not sent, 2 for an error."""
        if self.result is None:
            return 2 if self.error else 1
        outcome = self.result.outcome
        if outcome.interrupted:
            return 130
        return 2 if outcome.fatal else int(bool(outcome.stopped or outcome.counts.get("failed")))


def execute_series(
    steps: Sequence[Step], *, options: RunOptions, protocols: Sequence[str] | None = None
) -> Iterator[Ended]:
    """Carry out the Runs in order, and yield each when it has ended. One that earlier sessions finished isn't asked.

    The budget in `options` is over all Runs, their judges and all sessions: what is in the journals of each is counted.
    After a Run whose model can't be reached, or that raised an error, the next one of another model goes on; the other
    Runs of that model are skipped. After an interruption, or if the budget is spent, no further Run is begun: the
    others are yielded as skipped.
    """
    board = board_of(steps, options)
    purse = _Purse([step.out for step in steps], options)
    unreachable: dict[str, str] = {}
    over = ""
    for number, step in enumerate(steps):
        over = over or ("" if _is_done(step, options) else purse.spent_words())
        ended = Ended(step, skipped=over) if over else _execute_step(step, number, board, purse, protocols, unreachable)
        purse.forget(step.out)
        over = over or _reason_to_end(ended)
        if board is not None:
            board.note_end(number, _state(ended))
        yield ended


def _execute_step(
    step: Step,
    number: int,
    board: Board | None,
    purse: _Purse,
    protocols: Sequence[str] | None,
    unreachable: dict[str, str],
) -> Ended:
    ready = step.ready if isinstance(step.ready, Plan) else step.ready()
    done = _is_done(step, purse.options)
    asked_at = f"{ready.adapter.name} {ready.adapter.endpoint}"
    if not done and asked_at in unreachable:
        return Ended(step, skipped=f"{ready.adapter.name} could not be asked before: {unreachable[asked_at]}")
    options = purse.left_for(step.out)
    if board is not None:
        options = replace(options, progress=board.run_progress(number))
    judges = step.judges
    if judges is not None and judges.options is not None:
        judge_options = replace(judges.options, budget_usd=options.budget_usd, budget_tokens=options.budget_tokens)
        judges = replace(judges, options=judge_options)
    try:
        result = execute_plan(ready, out=step.out, options=options, protocols=protocols, judges=judges, finished=done)
    except TriptychError as error:
        return Ended(step, error=error)
    if result.outcome.fatal:
        unreachable[asked_at] = (result.outcome.stopped or "").partition("\n")[0]
    return Ended(step, result)


def board_of(steps: Sequence[Step], options: RunOptions) -> Board | None:
    """Return the display of all Runs; None if none is wanted, or a display of the caller's is given."""
    from triptych.running.several_progress import Board

    if options.progress is not True or len(steps) < 2:
        return None
    already = [min(step.planned, _entries(step, options)) for step in steps]
    return Board([step.label for step in steps], [step.planned for step in steps], already)


def _is_done(step: Step, options: RunOptions) -> bool:
    return _entries(step, options) >= step.planned


def _entries(step: Step, options: RunOptions) -> int:
    """Return the number of a Run's Requests that need not be asked."""
    if not (step.out / "manifest.json").is_file():
        return 0
    return len(RunFolder.open(step.out).done(options.retry_statuses))


def _reason_to_end(ended: Ended) -> str:
    """Return why no further Run is begun; empty if the next one goes on."""
    result = ended.result
    if result is None:
        return ""
    judging = getattr(result.scores, "judging", None)
    if result.outcome.interrupted or (judging is not None and judging.interrupted):
        return "interrupted"
    return "" if result.outcome.fatal else result.outcome.stopped or ""


def _state(ended: Ended) -> str:
    if ended.result is None:
        return "error" if ended.error else "not begun"
    outcome = ended.result.outcome
    if outcome.interrupted or outcome.stopped:
        return "interrupted" if outcome.interrupted else "stopped"
    return "done" if outcome.counts else "done before"


class _Purse:
    """The budget over the Runs of a series. Spending is what their journals record; each is read again when it has
    changed."""

    def __init__(self, places: Iterable[Path], options: RunOptions) -> None:
        self.options, self._places = options, list(places)
        self._tallies: dict[Path, Tally] = {}
        self._limited = options.budget_usd is not None or options.budget_tokens is not None

    def forget(self, path: Path) -> None:
        """Read a Run's journals again, since it was asked."""
        self._tallies.pop(path, None)

    def left_for(self, path: Path) -> RunOptions:
        """Return the options of a Run: its budget is what the others have left."""
        if not self._limited:
            return self.options
        usd, tokens = self._spent_amounts([other for other in self._places if other != path])
        budget_usd, budget_tokens = self.options.budget_usd, self.options.budget_tokens
        return replace(
            self.options,
            budget_usd=None if budget_usd is None else max(0.0, budget_usd - usd),
            budget_tokens=None if budget_tokens is None else max(0, budget_tokens - tokens),
        )

    def spent_words(self) -> str:
        """Return that the budget is spent; empty if something is left."""
        if not self._limited:
            return ""
        usd, tokens = self._spent_amounts(self._places)
        of_usd, of_tokens = self.options.budget_usd, self.options.budget_tokens
        if of_usd is not None and usd >= of_usd:
            return f"the budget is spent ({usd:.4f} of {of_usd:g} USD)"
        if of_tokens is not None and tokens >= of_tokens:
            return f"the budget is spent ({tokens:,} of {of_tokens:,} tokens)"
        return ""

    def _spent_amounts(self, places: Iterable[Path]) -> tuple[float, int]:
        wanted = list(places)
        self._tallies |= {folder: spent_in(folder) for folder in wanted if folder not in self._tallies}
        tallies = [self._tallies[unit] for unit in wanted]
        return sum(tally.spent_usd for tally in tallies), sum(tally.spent_tokens for tally in tallies)


def spent_in(location: Path) -> Tally:
    """Return what a Run has spent of a budget in all sessions: on its Responses, media read first, and judges."""
    from triptych.running.readings import journals

    tally = Tally()
    if not (location / "manifest.json").is_file():
        return tally
    folder = RunFolder.open(location)
    verdicts = [ReplyJournal(path.parent, path.stem) for path in sorted(folder.verdicts_path.glob("*.jsonl"))]
    ledgers: list[Ledger] = [folder, *journals(folder), *verdicts]
    for ledger in ledgers:
        for response in ledger.history():
            if not response.cached:
                tally.spend(response)
    return tally
