"""Shards of a Run: parts that several machines ask, without any exchange between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heapify, heapreplace

from triptych.errors import SpecError
from triptych.records import Item

MAX_SHARDS = 100_000


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `of` parts of a Run's Items; `number` counts from 1.

    Example:
        >>> str(Shard.parse("2/8"))
        '2/8'
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard of `k/n`. Raises SpecError unless 1 <= k <= n."""
        shard_match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip(), re.ASCII)
        number, of = (int(shard_match[1]), int(shard_match[2])) if shard_match else (0, 0)
        if not 1 <= number <= of <= MAX_SHARDS:
            raise SpecError(
                "not a shard",
                got=repr(text),
                where="--shard",
                expected=f"k/n with k from 1 to n, and n at most {MAX_SHARDS:,}: --shard 3/8 is the third of 8",
            )
        return cls(number, of)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def divide(items: Iterable[Item], of: int) -> dict[str, int]:
    """Return Instance id -> number of its shard, from 1.

    All Items of an Instance, and therefore of a Unit, are in one shard, so each shard can be scored by itself. In the
    order of their first Items, Instances go to the shard with the fewest Items so far (the first of several). The same
    Items in the same order are always divided in the same way. Raises SpecError if there are fewer Instances than
    shards.
    """
    sizes = Counter(item.instance_id for item in items)
    if len(sizes) < of:
        raise SpecError(
            f"{of:,} shards are more than there are Instances, which are not divided",
            got=f"{len(sizes):,} Instances",
            where="--shard",
            fix=f"use at most {len(sizes):,} shards: --shard k/{max(1, len(sizes))}",
        )
    loads = [(0, number) for number in range(1, of + 1)]
    heapify(loads)
    owner: dict[str, int] = {}
    for instance, size in sizes.items():
        load, number = loads[0]
        owner[instance] = number
        heapreplace(loads, (load + size, number))
    return owner


def of_shard(items: Iterable[Item], owner: dict[str, int], number: int) -> Iterator[Item]:
    """Yield the Items of one shard. `owner`: from `divide`."""
    return (item for item in items if owner[item.instance_id] == number)
