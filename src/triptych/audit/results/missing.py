"""The share of a system's results that is missing, reported once, before its effect on single figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from triptych.audit.results.stored import tallies
from triptych.audit.results.systems import System
from triptych.records import Finding, FindingSeverity, finding

_MANY, _SOME = 20, 5  # number of lost replies from which a loss is severe or a warning, if its share is large enough
_SHOWN = 3  # number of Tasks named in a message


def check_lost(system: System) -> Iterator[Finding]:
    """Yield a finding on questions without a reply, over all Tasks, and one on results that cover a sample only.

    Questions that a model can't take (`skipped`) were not lost: Tasks without a figure and coverage name them.
    """
    yield from _unanswered(system)
    yield from _sample(system)


def _unanswered(system: System) -> Iterator[Finding]:
    unanswered = Counter([score.task for score in system.headline_scores if score.status in ("failed", "missing")])
    asked_of = Counter([score.task for score in system.headline_scores if score.status != "skipped"])
    skipped = len(system.headline_scores) - asked_of.total()
    if not unanswered:
        return
    share = unanswered.total() / asked_of.total()
    severity = _severity(share, unanswered.total())
    worst_tasks = sorted(unanswered, key=lambda task: -unanswered[task] / asked_of[task])[:_SHOWN]
    worst = ", ".join(f"{task.partition('/')[2]} {unanswered[task]:,} of {asked_of[task]:,}" for task in worst_tasks)
    named = f"most in {worst}" if len(unanswered) > _SHOWN else worst
    tasks = f", in {len(unanswered):,} of {len(asked_of):,} Tasks ({named})" if len(asked_of) > 1 else ""
    yield finding(
        "lost",
        severity,
        system.benchmark.name,
        f"{system.name}: {unanswered.total():,} of {asked_of.total():,} questions have no reply{tasks}"
        + (f"; not counted: {skipped:,} questions that were skipped, since the model can't take them" * bool(skipped)),
        file=str(system.path),
        rows=[system.name],
        columns=["all Tasks"],
        effect=f"{100 * share:.1f}% of the questions",
    )


def _severity(share: float, number: int) -> FindingSeverity:
    """Return the severity by share and number: one or two failures of a short Run mean little."""
    if share >= 0.1 and number >= _MANY:
        return "severe"
    return "warning" if share >= 0.01 and number >= _SOME else "note"


def _sample(system: System) -> Iterator[Finding]:
    if not system.sampled_tasks:
        return
    here, released = (sum(n) for n in zip(*system.sampled_tasks.values(), strict=True))
    smallest = min(system.sampled_tasks, key=lambda task: system.sampled_tasks[task][0])
    answered = tallies(system.headline_scores)[smallest].answered
    yield finding(
        "coverage",
        "warning",
        system.benchmark.name,
        f"{system.name}: {len(system.sampled_tasks):,} Tasks hold {here:,} of {released:,} released questions, the "
        f"smallest {smallest.partition('/')[2]} {system.sampled_tasks[smallest][0]:,}, "
        f"of which {answered:,} have a reply",
        file=str(system.path),
        rows=[system.name],
        columns=["sample"],
        effect="these figures are of a sample",
    )
