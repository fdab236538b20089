"""Scores of shards, joined for the Run that they were merged into, so that nothing is compared or encoded twice."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import le
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from triptych.benchmarks import load_benchmark
from triptych.errors import RunFolderError
from triptych.protocols.protocol import Protocol
from triptych.records import Score
from triptych.records.unreadable import UNREADABLE, reason
from triptych.scoring.notes.credited import summed_counts
from triptych.scoring.outcome import StoredScores
from triptych.scoring.queue import NAME as QUEUE
from triptych.scoring.runs import is_outdated, load_summary
from triptych.scoring.signature import run_signature
from triptych.scoring.stored.lines import decode_scores
from triptych.store.files.run_files import open_to_read
from triptych.store.folder import RunFolder
from triptych.store.journals.lines import line_blocks, numbered_items

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Hashes = NDArray[np.int64]

_ENCODERS = "encoders:"
FirstItemOf = Callable[[str], str]  # Unit id -> the id of its first Item, by which Units are ordered


class _Key(msgspec.Struct, gc=False):
    """The fields of a Score that say where it belongs."""

    unit: str
    metric: str
    instance: str = ""


_keys = msgspec.json.Decoder(_Key).decode_lines


@dataclass(frozen=True)
class _ScoredWith:
    """How the Scores of a shard under a protocol were computed: the judge and the encoders of their signature."""

    judge: str
    encoders: str


class JoinedScores:
    """The Scores of shards under a protocol. Raises RunFolderError if a file can't be read.

    `metrics`: of each file; `disjoint`: whether no Unit is in two files, and each file has its Units in order.
    """

    def __init__(self, paths: Sequence[Path], first_of: FirstItemOf) -> None:
        self._paths, self._first_of = paths, first_of
        files = [_looked_through(path, first_of) for path in paths]
        self.metrics: list[set[str]] = [one.metrics for one in files]
        self.disjoint: bool = all(one.ordered for one in files) and _differ([one.units for one in files])
        self._apart = _differ([one.instances for one in files])

    def parts(self) -> list[Iterator[list[Score]]]:
        """Return the Scores of each file, some at a time; of all files as one part if they share Instances."""
        files = [self._scores(path) for path in self._paths]
        return files if self._apart else [chain.from_iterable(files)]

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of all files in the order of their Units, as they are in the merged Run, some at a time."""
        waiting = [_Lines(path, self._first_of) for path in self._paths]
        while waiting := [one for one in waiting if one.read_more()]:
            last = min(one.places[-1] for one in waiting)
            taken = [one.take_until(last) for one in waiting]
            places = list(chain.from_iterable(keys for keys, _ in taken))
            lines = list(chain.from_iterable(own_lines for _, own_lines in taken))
            yield b"".join([lines[number] for number in sorted(range(len(places)), key=places.__getitem__)])

    def _scores(self, path: Path) -> Iterator[list[Score]]:
        held: list[Score] = []
        for block in _blocks(path):
            try:
                held += decode_scores(block)
            except UNREADABLE as error:
                raise _unreadable(path, reason(error)) from None
            scores = _last_unit(held)  # the repeats of a Unit come together
            if scores:
                yield held[:scores]
            held = held[scores:]
        if held:
            yield held


class _Lines:
    """Lines of one file that wait for their turn, with the places of their Units."""

    def __init__(self, path: Path, first_of: FirstItemOf) -> None:
        self._path, self._first_of, self._blocks = path, first_of, _blocks(path)
        self.places: list[str] = []
        self._lines: list[bytes] = []

    def read_more(self) -> bool:
        """Read on if nothing waits; return whether there is anything."""
        while not self._lines and (block := next(self._blocks, None)) is not None:
            self._lines = [line for line in block.splitlines(keepends=True) if line.strip()]
            self.places = [self._first_of(key.unit) for key in _decoded(self._path, block)]
            if self._lines and not self._lines[-1].endswith(b"\n"):
                self._lines[-1] += b"\n"
        return bool(self._lines)

    def take_until(self, last: str) -> tuple[list[str], list[bytes]]:
        """Take what comes up to this place."""
        end = bisect_right(self.places, last)
        lines = self.places[:end], self._lines[:end]
        self.places, self._lines = self.places[end:], self._lines[end:]
        return lines


class _Looked(NamedTuple):
    """Contents of a file of Scores: hashes of Units and Instances, metrics, and whether its Units are in order."""

    units: Hashes
    instances: Hashes
    metrics: set[str]
    ordered: bool


def _looked_through(path: Path, first_of: FirstItemOf) -> _Looked:
    metrics, ordered, before = set[str](), True, ""
    units, instances = [], []
    for block in _blocks(path):
        keys = _decoded(path, block)
        metrics.update([key.metric for key in keys])
        unit_places = [first_of(unit) for unit, _ in groupby([key.unit for key in keys])]
        ordered = ordered and all(map(le, [before, *unit_places], unit_places))
        before = unit_places[-1] if unit_places else before
        units.append(_hashes(unit_places))
        instances.append(np.unique(_hashes([name for name, _ in groupby([key.instance for key in keys])])))
    return _Looked(_distinct(units), _distinct(instances), metrics, ordered)


def _hashes(names: Sequence[str]) -> Hashes:
    return np.fromiter(map(hash, names), dtype=np.int64, count=len(names))


def _distinct(parts: Sequence[Hashes]) -> Hashes:
    return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *parts]))


def _differ(parts: Sequence[Hashes]) -> bool:
    """Return whether no hash is in two parts. Two names with the same hash, of which there is hardly ever a pair, count
    as one."""
    return len(_distinct(parts)) == sum(map(len, parts))


def _last_unit(scores: Sequence[Score]) -> int:
    """Return where the last Unit begins, which may go on in the next block."""
    begin = len(scores)
    while begin and scores[begin - 1].unit == scores[-1].unit:
        begin -= 1
    return begin


def joined_scores(shards: Sequence[RunFolder], merged: RunFolder) -> dict[str, StoredScores]:
    """Return the Scores of the merged Run by protocol, for those that every shard was scored under.

    A Unit is never in several shards, so its Scores are those of its shard. They are used only if each shard's scores
    are up to date, were computed by this version with the same judges and encoders, and no Unit is in two of them.
    Otherwise the protocol is left out, and is scored again. Empty if people have decided on ambiguous replies.
    """
    if any((folder.path / QUEUE).exists() for folder in shards) or any(map(is_outdated, shards)):
        return {}
    places_, lines = _places(merged), {}
    for name, protocol in load_benchmark(merged.manifest.benchmark).protocols.items():
        paths = [folder.scores_path(name) for folder in shards]
        if not all(path.exists() for path in paths):
            continue
        try:
            scores = JoinedScores(paths, places_)
            there = [_scored_with(*one, name, protocol) for one in zip(shards, scores.metrics, strict=True)]
        except RunFolderError:
            continue  # a file is damaged
        stored = [one for one in there if one is not None]
        encoders = {one.encoders for one in stored if one.encoders}
        same = len(stored) == len(shards) and len({one.judge for one in stored}) == 1 and len(encoders) < 2
        if same and scores.disjoint:
            credited = summed_counts(load_summary(folder).credited.get(name, {}) for folder in shards)
            lines[name] = StoredScores(scores.parts(), scores.lines(), encoders.pop() if encoders else "", credited)
    return lines


def _places(merged: RunFolder) -> FirstItemOf:
    first: dict[str, str] = {}  # of Units that are more than an Item of their own
    with numbered_items(merged) as items:
        for block in items.read_keys():
            for item in block:
                if item.unit:
                    first[item.unit] = min(item.id, first.get(item.unit, item.id))
    return (lambda unit: first.get(unit, unit)) if first else str


def _scored_with(folder: RunFolder, metrics: Iterable[str], name: str, protocol: Protocol) -> _ScoredWith | None:
    """Return how a shard's Scores were computed; None if there are none, or this version would compute others."""
    figures = load_summary(folder).get(name, [])
    if not figures or not metrics:
        return None
    signature, _, encoders = figures[0].signature.partition(f"|{_ENCODERS}")
    judge = next((part.removeprefix("judge:") for part in signature.split("|") if part.startswith("judge:")), "")
    data = next((part.removeprefix("data:") for part in signature.split("|") if part.startswith("data:")), "")
    same = signature == run_signature(folder.manifest, protocol, metrics, judge, data.partition("+")[2])
    return _ScoredWith(judge, encoders) if same else None


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, some at a time. Raises RunFolderError if it can't be read."""
    try:
        with open_to_read(path) as file:
            yield from line_blocks(file)
    except OSError as error:
        raise _unreadable(path, error.strerror) from None


def _decoded(path: Path, block: bytes) -> list[_Key]:
    try:
        return _keys(block)
    except UNREADABLE as error:
        raise _unreadable(path, reason(error)) from None


def _unreadable(path: Path, why: str | None) -> RunFolderError:
    return RunFolderError("the Scores can't be read", where=path, got=why, fix=f"triptych score {path.parent.parent}")
