"""Scores of shards, joined for the Run that they were merged into, so that nothing is compared or encoded twice."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import msgspec

from triptych.benchmarks import load_benchmark
from triptych.errors import RunFolderError
from triptych.protocols.protocol import Protocol
from triptych.records import Score
from triptych.records.unreadable import UNREADABLE
from triptych.scoring.outcome import Known
from triptych.scoring.queue import NAME as QUEUE
from triptych.scoring.runs import is_outdated, load_summary
from triptych.scoring.score_lines import decode_scores
from triptych.scoring.signature import run_signature
from triptych.store.folder import RunFolder
from triptych.store.lines import line_blocks, numbered_items
from triptych.store.own_files import open_to_read

CHUNK = 8_192  # Scores that are held at a time
_ENCODERS = "encoders:"
Place = Callable[[str], str]  # Unit id -> the id of its first Item, by which Units are ordered


class _Key(msgspec.Struct, gc=False):
    """The fields of a Score that say where it belongs."""

    unit: str
    metric: str


_keys = msgspec.json.Decoder(_Key).decode_lines


@dataclass(frozen=True)
class _Own:
    """How the Scores of a shard under a protocol were computed: the judge and the encoders of their signature."""

    judge: str
    encoders: str


class JoinedScores:
    """The Scores of shards under a protocol in the order of the merged Run, some at a time; each iteration reads them.

    Raises RunFolderError if a file can't be read.
    """

    def __init__(self, paths: Sequence[Path], place: Place) -> None:
        self._paths, self._place = paths, place

    def __iter__(self) -> Iterator[list[Score]]:
        files = [self._scores(path) for path in self._paths]
        held: list[Score] = []
        for score in heapq.merge(*files, key=lambda score: self._place(score.unit)):
            if len(held) >= CHUNK and score.unit != held[-1].unit:
                yield held
                held = []
            held.append(score)
        if held:
            yield held

    def disjoint(self) -> bool:
        """Return whether no Unit is in two files, and each file has its Units in order."""
        last = ""
        for place in heapq.merge(*[self._units(path) for path in self._paths]):
            if place <= last:
                return False
            last = place
        return True

    def metrics(self) -> list[set[str]]:
        """Return the metrics of each file."""
        return [{key.metric for block in _blocks(path) for key in _keys(block)} for path in self._paths]

    def _scores(self, path: Path) -> Iterator[Score]:
        for block in _blocks(path):
            try:
                yield from decode_scores(block)
            except UNREADABLE as error:
                raise _unreadable(path, str(error)) from None

    def _units(self, path: Path) -> Iterator[str]:
        units = (key.unit for block in _blocks(path) for key in _keys(block))
        return (self._place(unit) for unit, _ in groupby(units))


def joined_scores(shards: Sequence[RunFolder], merged: RunFolder) -> dict[str, Known]:
    """Return the Scores of the merged Run by protocol, for those that every shard was scored under.

    A Unit is never in several shards, so its Scores are those of its shard. They are used only if each shard's scores
    are up to date, were computed by this version with the same judges and encoders, and no Unit is in two of them.
    Otherwise the protocol is left out, and is scored again. Empty if people have decided on ambiguous replies.
    """
    if any((folder.path / QUEUE).exists() for folder in shards) or any(map(is_outdated, shards)):
        return {}
    place, found = _places(merged), {}
    for name, protocol in load_benchmark(merged.manifest.benchmark).protocols.items():
        scores = JoinedScores([folder.scores_path(name) for folder in shards], place)
        try:
            there = [_own(*one, name, protocol) for one in zip(shards, scores.metrics(), strict=True)]
            known = [one for one in there if one is not None]
            encoders = {one.encoders for one in known if one.encoders}
            same = len(known) == len(shards) and len({one.judge for one in known}) == 1 and len(encoders) < 2
            if same and scores.disjoint():
                found[name] = Known(scores, encoders.pop() if encoders else "")
        except (RunFolderError, *UNREADABLE):
            continue  # a file is missing or damaged
    return found


def _places(merged: RunFolder) -> Place:
    first: dict[str, str] = {}  # of Units that are more than an Item of their own
    with numbered_items(merged) as items:
        for block in items.read_keys():
            for item in block:
                if item.unit:
                    first[item.unit] = min(item.id, first.get(item.unit, item.id))
    return lambda unit: first.get(unit, unit)


def _own(folder: RunFolder, metrics: Iterable[str], name: str, protocol: Protocol) -> _Own | None:
    """Return how a shard's Scores were computed; None if there are none, or this version would compute others."""
    figures = load_summary(folder).get(name, [])
    if not figures or not metrics:
        return None
    told, _, encoders = figures[0].signature.partition(f"|{_ENCODERS}")
    judge = next((part.removeprefix("judge:") for part in told.split("|") if part.startswith("judge:")), "")
    return _Own(judge, encoders) if told == run_signature(folder.manifest, protocol, metrics, judge) else None


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, some at a time. Raises RunFolderError if it can't be read."""
    try:
        with open_to_read(path) as file:
            yield from line_blocks(file)
    except OSError as error:
        raise _unreadable(path, error.strerror) from None


def _unreadable(path: Path, why: str | None) -> RunFolderError:
    return RunFolderError("the Scores can't be read", where=path, got=why, fix=f"triptych score {path.parent.parent}")
