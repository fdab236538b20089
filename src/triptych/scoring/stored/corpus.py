"""The Units of a Run in their order, a chunk at a time, so that a Run of any size is scored in bounded memory.

What stays in memory is the place of every Item and Response in its journal, and the order of the Items: about 200 bytes
for each Item and 30 for each Response.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from triptych.protocols.protocol import Unit
from triptych.scoring.stored.units import group_units
from triptych.store.files.limits import check_limit
from triptych.store.folder import RunFolder
from triptych.store.journals.lines import numbered_items, numbered_responses
from triptych.store.journals.sharing import share_facets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Index = NDArray[np.int64]

CHUNK = 8_192  # Responses that are held at a time
MAX_UNITS = 20_000_000  # Units times repeats, which need some 6 GB


class Corpus:
    """The Units of a Run; use it in a `with` block, which holds the journals open. Each iteration reads them again.

    Every chunk has all Items of its Units, and all repeats of a Unit. Raises DataError for a corrupt journal, as
    `group_units` does, and if the Run has more than MOST Units.
    """

    def __init__(self, folder: RunFolder) -> None:
        manifest = folder.manifest
        self._repeats, self._uneven = manifest.repeats, manifest.uneven
        with ExitStack() as stack:
            self._item_lines = stack.enter_context(numbered_items(folder))
            self._response_lines = stack.enter_context(numbered_responses(folder))
            self._stack = stack.pop_all()
        order = _Order(self._item_lines.read_keys())
        self.items: int = len(order.numbers)
        self.partial: int = order.partial
        self.units: int = len(order.starts)
        check_limit(
            "the Run, by its manifest,",
            self.units * self._repeats,
            MAX_UNITS,
            "Units times repeats",
            unit="Units",
            fix="score its shards (docs/many-machines.md)",
        )
        self._item_numbers, self._starts = order.numbers, order.starts
        self._places, self._response_numbers = _latest_responses(self._response_lines.read_keys(), order.positions)

    def __enter__(self) -> Corpus:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def __iter__(self) -> Iterator[list[Unit]]:
        """Yield the Units in the order of their first Items, once per repeat (see `group_units`)."""
        for begin, end in _chunks(self._starts, self.items, max(1, CHUNK // self._repeats)):
            first, last = np.searchsorted(self._places, (begin, end))
            items = self._item_lines.take(self._item_numbers[begin:end].tolist())
            share_facets(items)
            replies = self._response_lines.take(self._response_numbers[first:last].tolist())
            yield list(group_units(items, replies, self._repeats, uneven=self._uneven))


class Corpora:
    """The Units of several Runs that share none, one Run after another, each read while the others are closed.

    `items`, `partial` and `units` are known once they were read.
    """

    def __init__(self, folders: Sequence[RunFolder]) -> None:
        self._folders = folders
        self.items: int = 0
        self.partial: int = 0
        self.units: int = 0

    def __enter__(self) -> Corpora:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open between two Runs."""

    def __iter__(self) -> Iterator[list[Unit]]:
        """Yield the Units of each Run as `Corpus` does."""
        self.items = self.partial = self.units = 0
        for folder in self._folders:
            with Corpus(folder) as corpus:
                self.items += corpus.items
                self.units += corpus.units
                self.partial += corpus.partial
                yield from corpus


class _Order:
    """The order of the Items by their ids, those of a Unit together at the place of its first.

    `numbers`: the number of each Item's line, of two lines with the same id the later; `starts`: where each Unit
    begins; `positions`: Item id -> its place in this order; `partial`: Units that lack some of their Items.
    """

    def __init__(self, keys: Iterable[Sequence[Any]]) -> None:
        self.positions: dict[str, int] = {}
        units: dict[str, tuple[str, int]] = {}  # of the Items that are not a Unit of their own
        number = 0
        for block in keys:
            for item in block:
                self.positions[item.id] = number
                number += 1
                if item.unit or item.unit_size > 1:
                    units[item.id] = item.unit or item.id, item.unit_size
                elif units:
                    units.pop(item.id, None)
        ids = sorted(self.positions)
        self.numbers = np.array([self.positions[id_] for id_ in ids], dtype=np.int64)
        self.starts = np.arange(len(ids), dtype=np.int64)
        self.partial = 0
        if units:
            ids = self._by_unit(ids, units)
        for index, id_ in enumerate(ids):
            self.positions[id_] = index

    def _by_unit(self, ids: Sequence[str], units: dict[str, tuple[str, int]]) -> list[str]:
        first: dict[str, int] = {}
        names = [units[id_][0] if id_ in units else id_ for id_ in ids]
        group = np.array([first.setdefault(name, index) for index, name in enumerate(names)], dtype=np.int64)
        order = np.argsort(group, kind="stable")
        self.numbers = self.numbers[order]
        self.starts = np.flatnonzero(np.diff(group[order], prepend=-1))
        sizes = Counter(size for size in units.values() if size[1] > 1)
        self.partial = sum(there < size for (_, size), there in sizes.items())
        return [ids[number] for number in order.tolist()]


def _latest_responses(keys: Iterable[Sequence[Any]], numbers: dict[str, int]) -> tuple[Index, Index]:
    """Return the Items' places in ascending order, and the numbers of the Responses to them.

    Of several Responses to an Item and repeat, the last by Condition and then by line is returned; Responses to unknown
    Items are left out.
    """
    conditions: dict[str, int] = {}
    parts = [np.empty((3, 0), dtype=np.int64)]
    for block in keys:
        names = [conditions.setdefault(reply.condition, len(conditions)) for reply in block]
        places = [numbers.get(reply.item, -1) for reply in block]
        parts.append(np.array([places, [reply.repeat for reply in block], names], dtype=np.int64))
    where, repeat, condition = np.concatenate(parts, axis=1)
    rank = np.array([sorted(conditions).index(name) for name in conditions], dtype=np.int64)
    order = np.lexsort((rank[condition], repeat, where))  # stable: a later line stays after an earlier one
    order = order[where[order] >= 0]
    where, repeat = where[order], repeat[order]
    last = np.ones(len(order), dtype=np.bool_)
    last[:-1] = (where[1:] != where[:-1]) | (repeat[1:] != repeat[:-1])
    return where[last], order[last]


def _chunks(starts: Index, items: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield (begin, end) of chunks of about `size` Items that end where a Unit does."""
    begin = 0
    while begin < items:
        next_ = int(np.searchsorted(starts, begin + size))
        end = int(starts[next_]) if next_ < len(starts) else items
        yield begin, end
        begin = end
