"""Scores of shards, joined for the Run that they were merged into, so that nothing is compared or encoded twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from triptych.benchmarks import load_benchmark
from triptych.errors import RunFolderError
from triptych.protocols.protocol import Protocol
from triptych.records import Score
from triptych.scoring.outcome import Known
from triptych.scoring.queue import NAME as QUEUE
from triptych.scoring.runs import is_outdated, load_scores, load_summary
from triptych.scoring.signature import run_signature
from triptych.store.folder import RunFolder

_ENCODERS = "encoders:"


@dataclass(frozen=True)
class _Own:
    """Scores of one shard under a protocol, with the judge and the encoders of their signature."""

    scores: Sequence[Score]
    judge: str
    encoders: str


def joined_scores(shards: Sequence[RunFolder], merged: RunFolder) -> dict[str, Known]:
    """Return the Scores of the merged Run by protocol, for those that every shard was scored under.

    A Unit is never in several shards, so its Scores are those of its shard. They are used only if each shard's scores
    are up to date, were computed by this version with the same judges and encoders, and no Unit is in two of them.
    Otherwise the protocol is left out, and is scored again. Empty if people have decided on ambiguous replies.
    """
    if any((folder.path / QUEUE).exists() for folder in shards) or any(map(is_outdated, shards)):
        return {}
    order = {item.unit_id: number for number, item in enumerate(merged.items())}
    found = {}
    for name, protocol in load_benchmark(merged.manifest.benchmark).protocols.items():
        own = [_own(folder, name, protocol) for folder in shards]
        there = [one for one in own if one is not None]
        encoders = {one.encoders for one in there if one.encoders}
        if len(there) < len(shards) or len({one.judge for one in there}) > 1 or len(encoders) > 1:
            continue
        scores = [score for one in there for score in one.scores]
        if _disjoint(there) and all(score.unit in order for score in scores):
            scores.sort(key=lambda score: (order[score.unit], score.repeat))
            found[name] = Known(scores, encoders.pop() if encoders else "")
    return found


def _own(folder: RunFolder, name: str, protocol: Protocol) -> _Own | None:
    """Return a shard's Scores; None if there are none, or this version would compute them in another way."""
    try:
        figures, scores = load_summary(folder).get(name, []), load_scores(folder, name)
    except RunFolderError:
        return None
    if not figures or not scores:
        return None
    told, _, encoders = figures[0].signature.partition(f"|{_ENCODERS}")
    judge = next((part.removeprefix("judge:") for part in told.split("|") if part.startswith("judge:")), "")
    if told != run_signature(folder.manifest, protocol, {score.metric for score in scores}, judge):
        return None
    return _Own(scores, judge, encoders)


def _disjoint(own: Iterable[_Own]) -> bool:
    units = [{score.unit for score in one.scores} for one in own]
    return sum(map(len, units)) == len(set[str]().union(*units))
