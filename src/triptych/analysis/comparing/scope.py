"""The scope of a comparison in words: which questions count, which don't, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from triptych.analysis.comparing.shared import FEW_RUNS, Shared, abridged_names, counting
from triptych.analysis.observed import Observed, is_answered
from triptych.scoring.figures.cells import Kind

_NO_REPLY = ("failed", "missing", "skipped")
_REPLIED_STATUSES = ("refused", "truncated")  # what a model said, where it isn't an answer
GAIN = 1.25  # a Run is named if this factor more questions would count without it


def comparable(runs: Sequence[Observed], kind: Kind) -> tuple[list[Observed], dict[str, str]]:
    """(the Runs that can be compared, label -> why another can't be).

    A Run that was asked nothing, or has no answer at all (a misspelt model, an endpoint that was down), would leave
    nothing to compare for all others.
    """
    why = {run.label: reason for run in runs if (reason := _why_not(run, kind))}
    return [run for run in runs if run.label not in why], why


def count_answered(run: Observed) -> int:
    """Return the number of a Run's questions that have a reply."""
    return len({score.unit for score in run.main_scores if score.status not in _NO_REPLY})


def _why_not(run: Observed, kind: Kind) -> str:
    if not run.scores:
        return "it contains no scored question"
    if any(is_answered(s) or (s.status in _REPLIED_STATUSES and counting([s], kind)) for s in run.scores):
        return ""
    statuses = Counter(score.status for score in run.scores)
    text = ", ".join(f"{number:,} {status}" for status, number in statuses.most_common())
    return f"none of its questions has an answer that counts ({text})"


def scope_words(runs: Sequence[Observed], shared: Shared, kind: Kind, sizes: Sequence[int] = ()) -> tuple[str, ...]:
    """The scope of a comparison, a sentence each: what counts, how few that are, and what counts as wrong.

    `sizes`: the questions of each pair, if pairs share different ones.
    """
    unfinished = [f"{run.label} is {run.unfinished}" for run in runs if run.unfinished]
    if sizes:
        return (_by_pairs(shared, sizes), *unfinished, *_unanswered_as_wrong(shared))
    return (*_size(shared), *unfinished, *_limiting_runs(runs, shared, kind), *_unanswered_as_wrong(shared))


def _by_pairs(shared: Shared, sizes: Sequence[int]) -> str:
    """Say that each pair has its own questions, and how few."""
    smallest, largest = min(sizes), max(sizes)
    reach = f"{smallest:,} to {largest:,} questions" if smallest < largest else f"{smallest:,} questions"
    pairs = len(shared.runs) * (len(shared.runs) - 1) // 2
    apart = pairs - len(sizes)
    missing = f"; {apart:,} {'pair shares' if apart == 1 else 'pairs share'} none" if apart > 0 else ""
    return f"Each pair of Runs is compared over the questions that the two share: {reach}{missing} ({_counts(shared)})"


def _counts(shared: Shared) -> str:
    """Return how many questions each Run was asked; of more than a few, the Runs of each number."""
    pairs = list(zip(shared.runs, shared.unit_counts, strict=True))
    if len(pairs) <= FEW_RUNS:
        return ", ".join(f"{run.label} was asked {number:,}" for run, number in pairs)
    if len(set(shared.unit_counts)) == 1:
        return f"each was asked {shared.unit_counts[0]:,}"
    numbers = sorted(set(shared.unit_counts), key=lambda number: (shared.unit_counts.count(number), number))
    return "; ".join(
        f"asked {one:,}: {abridged_names([run.label for run, number in pairs if number == one])}" for one in numbers
    )


def _size(shared: Shared) -> Iterator[str]:
    counts = _counts(shared)
    who = "both Runs" if len(shared.runs) == 2 else f"all {len(shared.runs)} Runs"
    noun = "question counts" if shared.units == 1 else "questions count"
    yield f"{shared.units:,} {noun}: those that {who} were asked and that can be scored in each of them ({counts})"


def _limiting_runs(runs: Sequence[Observed], shared: Shared, kind: Kind) -> Iterator[str]:
    """Return the Runs without which many more questions would count, such as a trial among full Runs."""
    if not shared.units:
        return
    units = [{s.unit for s in counting(run.scores, kind)} for run in runs]
    having = Counter(chain.from_iterable(units))
    everywhere = sum(number == len(runs) for number in having.values())
    in_others = {unit for unit, number in having.items() if number == len(runs) - 1}
    for index, run in enumerate(runs):
        rest = everywhere + len(in_others - units[index])
        if rest >= max(GAIN * shared.units, shared.units + 1):
            others = "the others share" if len(runs) > 2 else f"{runs[1 - index].label} has"
            yield f"{run.label} limits the comparison to {shared.units:,} questions: {others} {rest:,}"


def _unanswered_as_wrong(shared: Shared) -> Iterator[str]:
    """Report unanswered questions that count as wrong because the protocol's headline figure counts them so."""
    for run, scores in zip(shared.runs, shared.scores, strict=True):
        unanswered = Counter({(s.unit, s.status) for s in scores if not is_answered(s)})
        statuses = Counter(status for _, status in unanswered)
        if statuses:
            text = ", ".join(f"{number:,} {status}" for status, number in statuses.items())
            yield f"{run.label}: {text} count as wrong, as in the protocol's headline figure"
