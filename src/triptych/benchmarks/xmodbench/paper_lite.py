"""A draw of our own in the sizes of the paper's Table 4: 5 families x 6 directions x 200 Items, by hash.

The list behind that table is not released. Ours takes, in each family and direction, an equal share of every subtask as
far as it has enough Items, and in a subtask the Instances whose ids have the smallest SHA-256. These are the same
Instances in every direction, independent of the order of the files and of their content.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from heapq import nsmallest

from triptych.benchmarks.xmodbench.names import DIRECTIONS, split_task
from triptych.records import Item

SIZE = 200
# (rank of the Instance, position in the files, Item)
Ranked = tuple[bytes, int, Item]


def paper_lite(items: Iterable[Item], size: int = SIZE) -> Iterator[Item]:
    """Yield the sample's Items, in order: at most `size` in each family and direction.

    Only candidates are kept in memory: at most 2 x `size` Items of each subtask and direction.
    """
    groups: dict[tuple[str, str], dict[str, list[Ranked]]] = defaultdict(lambda: defaultdict(list))
    for number, item in enumerate(items):
        family, subtask, direction = split_task(item.task)
        if direction not in DIRECTIONS:
            continue
        candidates = groups[family, direction][subtask]
        candidates.append((rank(item.instance_id), number, item))
        if len(candidates) >= 2 * size:
            candidates[:] = nsmallest(size, candidates, key=_order)
    chosen = [ranked for subtasks in groups.values() for ranked in _draw(subtasks, size)]
    yield from (item for _, _, item in sorted(chosen, key=lambda ranked: ranked[1]))


def rank(instance: str) -> bytes:
    """Return the sort key by which Instances are drawn."""
    return hashlib.sha256(instance.encode()).digest()


def shares(available: Mapping[str, int], size: int) -> dict[str, int]:
    """Return each subtask's part of `size`: equal parts; larger subtasks make up for those that are too small."""
    numbers: dict[str, int] = {}
    for left, name in zip(
        range(len(available), 0, -1), sorted(available, key=lambda n: (available[n], n)), strict=True
    ):
        numbers[name] = min(available[name], (size - sum(numbers.values())) // left)
    return numbers


def _draw(subtasks: Mapping[str, list[Ranked]], size: int) -> Iterator[Ranked]:
    quota = shares({name: len(candidates) for name, candidates in subtasks.items()}, size)
    for name, candidates in subtasks.items():
        yield from nsmallest(quota[name], candidates, key=_order)


def _order(ranked: Ranked) -> tuple[bytes, int]:
    return ranked[0], ranked[1]
