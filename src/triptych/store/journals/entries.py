"""The entries (Item, Condition, repeat) of a Run, counted and compared in bounded memory: a few bytes for each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from triptych.store.folder import Entry, RunFolder
from triptych.store.journals.lines import numbered_items, numbered_outcomes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Hashes = NDArray[np.int64]

Key = Callable[[Any], Any]


def count_done(folder: RunFolder, retry_statuses: Collection[str] = ("failed",)) -> int:
    """Return how many entries need not be asked: `len(folder.done(retry_statuses))`, with 9 bytes for each Response.

    Entries whose hashes are equal are compared, so the count is exact.
    """
    hashes, parts = [], []
    for block in _outcomes(folder):
        hashes.append(_hashes(map(_entry, block)))
        parts.append(np.array([reply.status not in retry_statuses for reply in block], dtype=np.bool_))
    every, settled = _joined(hashes), np.concatenate([np.empty(0, dtype=np.bool_), *parts])
    several = _repeated_numbers(every)
    if not several:
        return int(settled.sum())
    latest: dict[Entry, bool] = {}
    for block in _outcomes(folder):
        for reply in block:
            if hash(entry := _entry(reply)) in several:
                latest[entry] = reply.status not in retry_statuses
    once = settled[~np.isin(every, np.fromiter(several, dtype=np.int64))]
    return int(once.sum()) + sum(latest.values())


def count_items(folder: RunFolder) -> int:
    """Return how many Items a Run has, with 8 bytes for each."""
    with numbered_items(folder) as items:
        hashes = _joined([_hashes(item.id for item in block) for block in items.read_keys()])
    several = _repeated_numbers(hashes)
    if not several:
        return len(hashes)
    with numbered_items(folder) as items:
        ids = {item.id for block in items.read_keys() for item in block if hash(item.id) in several}
    return len(hashes) - int(np.isin(hashes, np.fromiter(several, dtype=np.int64)).sum()) + len(ids)


def count_together(folders: Sequence[RunFolder]) -> int:
    """Return how many different entries have a Response in any of the Runs."""
    shared = shared_entries(folders)
    return sum(count_done(folder, ()) for folder in folders) - sum(times - 1 for times in shared.values())


def shared_entries(folders: Sequence[RunFolder]) -> dict[Entry, int]:
    """Return entry -> number of folders, for the entries that several folders contain.

    In memory are a hash of every entry, and the entries whose hashes are found in several folders.
    """
    hashes = [np.unique(_joined([_hashes(map(_entry, block)) for block in _outcomes(folder)])) for folder in folders]
    suspected = _repeated_numbers(_joined(hashes))
    times: dict[Entry, int] = {}
    for folder in folders if suspected else ():
        matching_outcomes = {
            entry for block in _outcomes(folder) for entry in map(_entry, block) if hash(entry) in suspected
        }
        for entry in matching_outcomes:
            times[entry] = times.get(entry, 0) + 1
    return {entry: count for entry, count in times.items() if count > 1}


def _outcomes(folder: RunFolder) -> Iterator[Sequence[Any]]:
    with numbered_outcomes(folder) as replies:
        yield from replies.read_keys()


def _entry(reply: Any) -> Entry:
    return reply.item, reply.condition, reply.repeat


def _hashes(keys: Iterable[Any]) -> Hashes:
    return np.fromiter(map(hash, keys), dtype=np.int64)


def _joined(parts: Sequence[Hashes]) -> Hashes:
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])


def _repeated_numbers(hashes: Hashes) -> set[int]:
    """Return the numbers that are there more than once."""
    ordered = np.sort(hashes)
    return set(ordered[1:][ordered[1:] == ordered[:-1]].tolist())
