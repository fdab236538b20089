"""Entries (Item, Condition, repeat) with a number each, in 24 bytes an entry: what a resumed Run remembers of millions.

Entries are distinguished by 128 bits of a hash. Among ten million entries, the probability that any two are confused is
below 1e-24.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from hashlib import blake2b

Entry = tuple[str, str, int]


class EntryTable:
    """Entry -> number. Of entries that are given several times, the last number counts; those without are left out.

    Example:
        >>> table = EntryTable([(("a", "", 0), 1), (("b", "", 0), 7), (("a", "", 0), None)])
        >>> len(table), table.get(("b", "", 0)), ("a", "", 0) in table
        (1, 7, False)
    """

    def __init__(self, pairs: Iterable[tuple[Entry, int | None]] = ()) -> None:
        first, second, numbers, there = array("Q"), array("Q"), array("Q"), array("b")
        for entry, number in pairs:
            one, other = _hash(entry)
            first.append(one)
            second.append(other)
            numbers.append(number or 0)
            there.append(number is not None)
        self._empty = not first
        if self._empty:  # the usual case, of a new Run
            return
        import numpy as np

        keys = [np.frombuffer(part, dtype=np.uint64) for part in (first, second)]
        order = np.lexsort((keys[1], keys[0]))  # stable: equal entries keep the order of writing
        upper, lower = keys[0][order], keys[1][order]
        last = np.ones(len(order), dtype=bool)
        last[:-1] = (upper[1:] != upper[:-1]) | (lower[1:] != lower[:-1])
        last &= np.frombuffer(there, dtype=np.int8)[order].astype(bool)
        chosen = order[last]
        self._first, self._second = upper[last], lower[last]
        self._numbers = np.frombuffer(numbers, dtype=np.uint64)[chosen]
        self._type = np.uint64

    def __len__(self) -> int:
        return 0 if self._empty else len(self._first)

    def __contains__(self, entry: object) -> bool:
        return self.get(entry) is not None  # type: ignore[arg-type]

    def with_number(self, number: int) -> int:
        """Return how many entries have this number."""
        return 0 if self._empty else int((self._numbers == number).sum())

    def get(self, entry: Entry) -> int | None:
        """Return the entry's number; None if it is not there."""
        if self._empty:
            return None
        one, other = _hash(entry)
        at = int(self._first.searchsorted(self._type(one)))
        while at < len(self._first) and int(self._first[at]) == one:
            if int(self._second[at]) == other:
                return int(self._numbers[at])
            at += 1
        return None


def number_of(words: str) -> int:
    """Return 64 bits of a text's hash, for comparing texts that are not kept.

    Example:
        >>> number_of("a key") == number_of("a key") != number_of("another")
        True
    """
    return int.from_bytes(blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _hash(entry: Entry) -> tuple[int, int]:
    item, condition, repeat = entry
    text = f"{len(item)}:{item}{len(condition)}:{condition}{repeat}"
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")
