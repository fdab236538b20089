"""Protocols for imported logs.

official  The scores in the log, from one scorer for each task: the first whose values are between 0 and 1, otherwise
          the first. A sample without a score is `unavailable`: it is in no figure and never counts as 0.
standard  The reply parsed again: one letter if the target is a letter (`read_letter`), otherwise whether one of the
          target's texts appears in the reply and isn't denied there (`read_option`). Several letters, or none, are
          `unparsed`. If options were compared by log-likelihood: whether the most likely one is the target.

A figure is the mean over a log's task and filter (lm-eval parses one reply in several ways, by filters). A figure over
all samples is given only without filters, since these would count each question more than once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from triptych.metrics.choice import read_letter, read_option
from triptych.protocols.outcomes import ANY_TEXT, REPLIES, lost_status, scored, unscored
from triptych.protocols.protocol import Cell, Figure, Protocol, Unit
from triptych.records import Score
from triptych.records.log_figures import LIKELIHOOD, READ_BY_HARNESS
from triptych.store.log_figures import stored_scores

if TYPE_CHECKING:
    from triptych.protocols.protocol import Array


def stored_score(unit: Unit) -> tuple[str, float] | None:
    """Return the scorer's name and its score of the sample; None if the log has none."""
    if unit.response is None:
        return None
    scores = list(stored_scores(unit.response))
    wanted = unit.item.facets.get("scorer") or next((name for name, _ in scores), "")
    return next((pair for pair in scores if pair[0] == wanted), None)


def _official(unit: Unit) -> Sequence[Score]:
    if score := stored_score(unit):
        return [scored(unit, "score.stored", score[1], extraction=_read(unit), note=f"by {score[0]}")]
    status = lost_status(unit, ANY_TEXT) or "unavailable"
    return [unscored(unit, "score.stored", status, note="the log has no score of it")]


def _read(unit: Unit) -> str | None:
    """Return what the harness extracted from the reply, if the log has it."""
    steps = unit.response.intermediates if unit.response else ()
    return next((step.text for step in steps if step.engine == READ_BY_HARNESS), None)


def _standard(unit: Unit) -> Sequence[Score]:
    if status := lost_status(unit, REPLIES):
        return [unscored(unit, "score.read", status)]
    assert unit.response is not None
    item, reply = unit.item, unit.response.text
    if item.target is None:
        return [unscored(unit, "score.read", "unavailable", note="the log has no target")]
    if any(step.engine.startswith(LIKELIHOOD) for step in unit.response.intermediates):
        return [scored(unit, "score.read", reply == item.target, extraction=reply)]
    if item.answer == "letter":
        letter = read_letter(reply, item.labels, item.option_words())
        if letter is None:
            return [unscored(unit, "score.read", "unparsed")]
        return [scored(unit, "score.read", letter == item.target, extraction=letter)]
    right = any(read_option(reply, [target]) is not None for target in item.targets)
    return [scored(unit, "score.read", right, extraction=reply)]


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield, for sums of shape (…, cells, 2), the mean x 100 over each log's task and filter, and over all samples."""
    for metric in dict.fromkeys(cell.metric for cell in cells):
        members = [n for n, cell in enumerate(cells) if cell.metric == metric]
        for slice_ in dict.fromkeys(cells[n].slice for n in members):
            yield _mean("imported/log", metric, dict(slice_), [n for n in members if cells[n].slice == slice_], sums)
        if not any(cells[n].facet("filter") for n in members):
            yield _mean("imported", metric, {}, members, sums)


def _mean(task: str, metric: str, slice_: dict[str, str], members: list[int], sums: Array) -> Figure:
    total = sums[..., members, :].sum(axis=-2)
    return Figure(task, metric, slice_, 100 * total[..., 0] / total[..., 1], tuple(members))


PROTOCOLS: dict[str, Protocol] = {
    "official": Protocol("official", "2", "the scores in the log", "all", _official, aggregate),
    "standard": Protocol("standard", "5", "replies parsed again, never guessed", "all", _standard, aggregate),
}
