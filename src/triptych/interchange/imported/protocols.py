"""How an imported log is scored.

official  The first score that the log holds of each sample, as it stands. A sample without one is `unavailable`.
standard  The reply read anew: one letter where the target is a letter (`read_letter`), else whether one of the
          target's texts stands in the reply and isn't denied there (`read_option`). No single letter is `unparsed`.

Every sample counts in both; a figure is the mean over a log's task.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from triptych.benchmarks.outcomes import ANY_TEXT, REPLIES, lost_status, scored, unscored
from triptych.benchmarks.protocol import Cell, Figure, Protocol, Unit
from triptych.interchange.foreign import STORED
from triptych.metrics.choice import read_letter, read_option
from triptych.records import Score

if TYPE_CHECKING:
    from triptych.benchmarks.protocol import Array


def stored_score(unit: Unit) -> tuple[str, float] | None:
    """The scorer's name and the first score of the log; None where it holds none."""
    steps = unit.response.intermediates if unit.response else ()
    return next(((s.engine.removeprefix(STORED), float(s.text)) for s in steps if s.engine.startswith(STORED)), None)


def _official(unit: Unit) -> Sequence[Score]:
    if found := stored_score(unit):
        return [scored(unit, "score.stored", found[1], note=f"by {found[0]}")]
    status = lost_status(unit, ANY_TEXT) or "unavailable"
    return [unscored(unit, "score.stored", status, note="the log holds no score of it")]


def _standard(unit: Unit) -> Sequence[Score]:
    if lost := lost_status(unit, REPLIES):
        return [unscored(unit, "score.read", lost)]
    assert unit.response is not None
    item, reply = unit.item, unit.response.text
    if item.target is None:
        return [unscored(unit, "score.read", "unavailable", note="the log tells no target")]
    if item.answer == "letter":
        letter = read_letter(reply, item.labels)
        if letter is None:
            return [unscored(unit, "score.read", "unparsed")]
        return [scored(unit, "score.read", letter == item.target, extraction=letter)]
    right = any(read_option(reply, [target]) is not None for target in item.targets)
    return [scored(unit, "score.read", right, extraction=reply)]


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """For sums of shape (…, cells, 2): the mean over each log's task, and over all, x 100."""
    for metric in dict.fromkeys(cell.metric for cell in cells):
        own = [n for n, cell in enumerate(cells) if cell.metric == metric]
        groups = {name: [n for n in own if cells[n].facet("log_task") == name] for name in _names(cells, own)}
        for name, members in groups.items():
            yield _mean("imported/log", metric, {"log_task": name}, members, sums)
        yield _mean("imported", metric, {}, own, sums)


def _mean(task: str, metric: str, slice_: dict[str, str], members: list[int], sums: Array) -> Figure:
    total = sums[..., members, :].sum(axis=-2)
    return Figure(task, metric, slice_, 100 * total[..., 0] / total[..., 1], tuple(members))


def _names(cells: Sequence[Cell], members: Sequence[int]) -> list[str]:
    return list(dict.fromkeys(cells[n].facet("log_task") for n in members))


PROTOCOLS: dict[str, Protocol] = {
    "official": Protocol("official", "1", "the scores that the log holds", "all", _official, aggregate),
    "standard": Protocol("standard", "1", "replies read anew, never guessed", "all", _standard, aggregate),
}
