"""The Scores of a Run that goes on: its journals are read as they grow, and scored a little at a time.

Whoever asks the model calls `step` while nothing else is to be done, so that little is left after the last answer. The
Scores are used only if both journals consist of exactly the bytes that were read, each Item once and with one Response;
otherwise the Run is scored from its folder, as any other. So withdrawn answers, Items written again and Runs stopped
midway need no rule here.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from array import array
from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.registry import Benchmark
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import Item, Response, Score
from triptych.scoring.outcome import ScoreSums
from triptych.scoring.stored.sources import Source
from triptych.scoring.stored.units import group_units
from triptych.store.decoded import garbage_ignored
from triptych.store.files.run_files import open_to_read
from triptych.store.folder import RunFolder
from triptych.store.journals.sharing import share_facets

GROUP = 64  # Responses that are read and collected together
MAX_TEXT = 4_000  # characters of a reply that is scored while others are awaited
MAX_SLICE = 16  # Units of one step
SHORT_S, LONG_S, TOO_LONG_S = 0.0003, 0.0008, 0.004  # CPU time of a step: make it longer, make it shorter, count it
MAX_TOO_LONG = 3  # steps; the answers that are left then are scored at the end
IN_MEMORY = 8 << 20  # bytes of Scores that are kept without a file
_WRITTEN = 4_096  # Units whose lines are written together
_BLOCK, _BLOCKS = 1 << 16, 4  # bytes read at once, and blocks of a step


class NotGrowingError(Exception):
    """The Run can't be scored in this way."""


class GrowingScores:
    """Scores of the Items and Responses that are in the journals so far.

    `sums`: what the figures are computed from; `items`, `partial`: as `Corpus` has them. Not for Runs with repeats,
    Units of several Items or metrics that are unavailable, of which `step` and `finish` raise NotGrowingError.
    """

    partial = 0

    def __init__(self, folder: RunFolder, protocols: Mapping[str, Protocol], benchmark: Benchmark) -> None:
        self.sums: ScoreSums = ScoreSums(protocols, benchmark)
        self._item_lines = _GrowingLines(folder.path / "items.jsonl", Item)
        self._response_lines = _GrowingLines(folder.path / "responses.jsonl", Response)
        self._waiting: dict[str, Item] = {}  # Items without a Response so far
        self._numbers: dict[str, int] = {}  # Item id -> its number in the order of arrival
        self._spool = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (read at the end)
        self._begins: dict[str, array[int]] = {name: array("Q") for name in protocols}
        self._sizes: dict[str, array[int]] = {name: array("Q") for name in protocols}
        self._encoder = msgspec.json.Encoder()
        self._end = 0
        self._slice = 1
        self._is_last = False
        self._is_paused = False
        self._too_long = 0
        self._steps = self._work()

    @property
    def items(self) -> int:
        """Number of Items."""
        return len(self._numbers)

    def step(self) -> bool:
        """Score a few answers, in less than a millisecond; return False if there are too few new ones.

        If steps take longer, or a reply is long, all others wait for `finish`.
        """
        if self._is_paused:
            return False
        began = time.thread_time()
        with garbage_ignored():
            worked = next(self._steps)
        self._too_long += time.thread_time() - began > TOO_LONG_S
        self._is_paused = self._is_paused or self._too_long == MAX_TOO_LONG
        return worked and not self._is_paused

    def finish(self) -> None:
        """Score all answers that are left. Raises NotGrowingError if an Item has no Response."""
        self._is_last = True
        with garbage_ignored():
            for _ in self._steps:
                pass
        if self._waiting or not (self._item_lines.is_whole and self._response_lines.is_whole):
            raise NotGrowingError("an Item without a Response")

    def is_of(self, sources: Mapping[str, Source], protocols: Mapping[str, Protocol]) -> bool:
        """Return whether the Scores are of these files, to the byte, and of these protocols."""
        lines = {one.path.name: one for one in (self._item_lines, self._response_lines)}
        return (
            protocols.keys() == self.sums.collected.keys()
            and sources.keys() == lines.keys()
            and all((sources[name].size, sources[name].sha256) == (one.size, one.hash) for name, one in lines.items())
        )

    def lines(self) -> Iterator[tuple[str, bytes]]:
        """Yield the Scores of each protocol as lines of JSON in the order of the Items' ids, some at a time."""
        ids = sorted(self._numbers)
        for name, begins in self._begins.items():
            sizes = self._sizes[name]
            for first in range(0, len(ids), _WRITTEN):
                numbers = [self._numbers[id_] for id_ in ids[first : first + _WRITTEN]]
                yield name, b"".join([self._read(begins[number], sizes[number]) for number in numbers])

    def __enter__(self) -> GrowingScores:
        return self

    def __exit__(self, *_: object) -> None:
        """They stay open until `close`."""

    def close(self) -> None:
        """Close the files."""
        self._spool.close()
        self._item_lines.close()
        self._response_lines.close()

    def __iter__(self) -> Iterator[Sequence[Unit]]:
        """Yield no Units: all are in the sums."""
        return iter(())

    def _work(self) -> Iterator[bool]:
        """Score group after group, and yield after each step; False: nothing can be done at present."""
        while True:
            lines = self._response_lines.take(GROUP, all_of_them=not self._is_last)
            if not lines:
                if self._is_last:
                    self._add_items()  # those without a Response
                    return
                yield False
                continue
            replies: list[Response] = self._response_lines.decoded(lines)
            yield True
            self._add_items({reply.item for reply in replies})
            items = [self._item_of(reply) for reply in replies]
            share_facets(items)
            units = list(group_units(items, replies))
            if len(units) != len(replies):
                raise NotGrowingError("a Unit is incomplete")
            yield True
            if not self._is_last and max(len(reply.text) for reply in replies) > MAX_TEXT:
                self._is_paused = True
                yield False
            yield from self._score(units)

    def _score(self, units: Sequence[Unit]) -> Iterator[bool]:
        scored: dict[str, list[Score]] = {}
        for name, collected in self.sums.collected.items():
            scored[name] = []
            begin = 0
            while begin < len(units):
                began = time.thread_time()
                scored[name] += collected.scores_of(units[begin : begin + self._slice])
                begin += self._slice
                took = time.thread_time() - began
                if took < SHORT_S:
                    self._slice = min(MAX_SLICE, 2 * self._slice)
                elif took > LONG_S:
                    self._slice = max(1, self._slice // 2)
                yield True
        self.sums.count(units, scored)
        for number, unit in enumerate(units, len(self._numbers)):
            self._numbers[unit.item.id] = number
        yield True
        for name, scores in scored.items():
            collected = self.sums.collected[name]
            collected.add(scores)
            if collected.lacking:
                raise NotGrowingError("the notes on unavailable metrics follow the order of the Items")
            self._write(name, scores)
            yield True

    def _add_items(self, wanted: Set[str] | None = None) -> None:
        """Read Items until those wanted are there (None: all): each was written before its Response."""
        while wanted is None or not self._waiting.keys() >= wanted:
            lines = self._item_lines.take(GROUP)
            if not lines:
                return
            items: list[Item] = self._item_lines.decoded(lines)
            for item in items:
                if item.unit or item.unit_size > 1:
                    raise NotGrowingError("Units of several Items")
                if item.id in self._numbers or item.id in self._waiting:
                    raise NotGrowingError("an Item was written twice")
                self._waiting[item.id] = item

    def _item_of(self, reply: Response) -> Item:
        item = self._waiting.pop(reply.item, None)
        if item is None or reply.repeat or reply.encoded:
            raise NotGrowingError("a second Response, one of a repeat, or one with a note that depends on the order")
        return item

    def _write(self, name: str, scores: Sequence[Score]) -> None:
        begins, sizes, parts = self._begins[name], self._sizes[name], []
        for _, of_unit in groupby(scores, attrgetter("unit")):
            part = self._encoder.encode_lines(list(of_unit))
            begins.append(self._end)
            sizes.append(len(part))
            self._end += len(part)
            parts.append(part)
        self._spool.write(b"".join(parts))
        if len(begins) != len(self._numbers):
            raise NotGrowingError("two Units have one id")

    def _read(self, begin: int, size: int) -> bytes:
        self._spool.seek(begin)
        return self._spool.read(size)


class _GrowingLines:
    """The lines of a journal that another object appends to. `size`, `hash`: of all bytes read so far."""

    def __init__(self, path: Path, kind: type[Any]) -> None:
        self.path: Path = path
        self.size: int = 0
        self._hash, self._file = hashlib.sha256(), open_to_read(path)
        self._decoder = msgspec.json.Decoder(kind)
        self._lines, self._rest = deque[bytes](), list[bytes]()

    @property
    def hash(self) -> str:
        """The hash, as `Source` has it."""
        return self._hash.hexdigest()[:32]

    @property
    def is_whole(self) -> bool:
        """Whether every byte that was read belongs to a complete line, and every line was taken."""
        return not self._rest and not self._lines

    def take(self, max_lines: int, *, all_of_them: bool = False) -> list[bytes]:
        """Return up to `max_lines` next lines. `all_of_them`: or none, and after reading a few blocks at most."""
        blocks = 0
        while len(self._lines) < max_lines and not (all_of_them and blocks >= _BLOCKS):
            block = self._file.read(_BLOCK)
            if not block:
                break
            blocks += 1
            self._hash.update(block)
            self.size += len(block)
            first, *others = block.split(b"\n")
            self._rest.append(first)
            for line in others:
                self._lines.append(b"".join(self._rest))
                self._rest = [line]
            if self._rest == [b""]:
                self._rest = []
        if all_of_them and len(self._lines) < max_lines:
            return []
        return [self._lines.popleft() for _ in range(min(max_lines, len(self._lines)))]

    def decoded(self, lines: Sequence[bytes]) -> list[Any]:
        """Return the records of lines. Raises the errors of decoding JSON."""
        return self._decoder.decode_lines(b"\n".join(lines))

    def close(self) -> None:
        """Close the file."""
        self._file.close()
