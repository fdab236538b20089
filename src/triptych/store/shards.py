"""Shards of one Run found in several folders: which are missing, and whose Response counts where they overlap."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.errors import RunFolderError
from triptych.records import Response
from triptych.store.folder import Entry, RunFolder
from triptych.store.journals.entries import count_done, count_together, shared_entries


def are_shards(folders: Sequence[RunFolder]) -> bool:
    """Return whether some of the Runs are shards; the others may be merged Runs of the same questions."""
    return any(folder.manifest.shard for folder in folders)


def missing_shards(folders: Sequence[RunFolder]) -> tuple[str, ...]:
    """Return the shards that no folder contains, as `k/n`; empty if there are no shards.

    Of shards of several sizes (`1/4` and `2/8`), those of the size with the fewest missing ones are returned. None is
    missing if the folders contain as many entries as the whole Run, or one of them is the whole Run.
    """
    sizes: dict[int, set[int]] = {}
    for folder in folders:
        if folder.manifest.shard:
            number, of = map(int, folder.manifest.shard.split("/"))
            sizes.setdefault(of, set()).add(number)
    absent = sorted(
        ([f"{k}/{of}" for k in range(1, of + 1) if k not in size_group] for of, size_group in sizes.items()), key=len
    )
    if not absent or not absent[0] or any(_is_whole(folder) for folder in folders):
        return ()
    planned = max((folder.manifest.planned_whole or 0 for folder in folders), default=0)
    if planned and count_together(folders) >= planned:
        return ()
    return tuple(absent[0])


def count_unfinished(folder: RunFolder) -> int:
    """Return how many Requests of a Run have no Response yet, or a failed one; 0 if their number is unknown."""
    return max(0, (folder.manifest.planned or 0) - count_done(folder))


def first_answered(folders: Sequence[RunFolder]) -> dict[Entry, int]:
    """Return entry -> index of the folder whose Response counts, for entries that several folders contain.

    The first Response that has not failed counts, by its time; if all failed, the first. Of equal times, that of the
    earlier folder counts. Which one is taken does not depend on its text, so no answer is preferred to another. Raises
    RunFolderError if the keys of two Responses differ, since other questions were asked then.
    """
    several = shared_entries(folders)
    best: dict[Entry, tuple[tuple[bool, str, int], Response]] = {}
    for number, folder in enumerate(folders if several else ()):
        for response in folder.responses():
            if response.entry not in several:
                continue
            rank = response.status == "failed", response.time, number
            earlier = best.get(response.entry)
            if earlier is not None:
                _check_same(response, earlier[1], folder, folders[earlier[0][2]])
            if earlier is None or rank < earlier[0]:
                best[response.entry] = rank, response
    return {entry: rank[2] for entry, (rank, _) in best.items()}


def _is_whole(folder: RunFolder) -> bool:
    return not folder.manifest.shard and not count_unfinished(folder)


def _check_same(one: Response, other: Response, folder: RunFolder, before: RunFolder) -> None:
    if one.key and other.key and one.key != other.key:
        raise RunFolderError(
            f"two Runs asked different questions as Item {one.item!r}",
            where=f"{before.path} and {folder.path}",
            got=f"keys {other.key} and {one.key}",
            fix="run both with the same data, model and version of Triptych; leave one of the two Runs out",
        )
