"""The journals of several Runs as one: lines are copied as they are, since decoding them costs far more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from triptych.records import Item, Response
from triptych.store.folder import Entry, RunFolder, is_hashed
from triptych.store.journals.lines import (
    ITEMS_IN_MEMORY,
    items_in_order,
    numbered_items,
    numbered_responses,
    numbers_by_id,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_encode = msgspec.json.Encoder().encode_lines


def item_lines(folders: Sequence[RunFolder]) -> Iterator[bytes]:
    """Yield the Items of one Run after another, each ordered by id, some thousands of lines at a time.

    An Item of an earlier Run comes again only if the hashes of its media were not known there. In memory are the ids of
    one Run, and 8 bytes for each Item of the others. Raises DataError for a corrupt journal.
    """
    before: list[NDArray[np.int64]] = []
    for number, folder in enumerate(folders):
        with numbered_items(folder) as items:
            places = numbers_by_id(items)
            hashes = np.fromiter(map(hash, places), dtype=np.int64, count=len(places))
            again = set(np.flatnonzero(np.isin(hashes, np.concatenate(before))).tolist()) if before else set()
            before.append(hashes)
            if again:
                ids = {id_ for index, id_ in enumerate(places) if index in again}
                places = _without_known(folders[:number], folder, places, ids)
            numbers = list(places.values())
            del places
            for begin in range(0, len(numbers), ITEMS_IN_MEMORY):
                yield items.raw_lines(numbers[begin : begin + ITEMS_IN_MEMORY])


def _without_known(
    earlier: Iterable[RunFolder], folder: RunFolder, places: Mapping[str, int], suspected: set[str]
) -> dict[str, int]:
    """Return the places without the Items that need not be written again."""
    is_kept: dict[str, bool] = {}  # Item id -> whether a line before has the hashes of all media
    for one in earlier:
        for item in items_in_order(one):
            if item.id in suspected:
                is_kept[item.id] = is_kept.get(item.id, False) or is_hashed(item)
    left = {item.id for item in items_in_order(folder) if _is_needed(item, is_kept)}
    return {id_: number for id_, number in places.items() if id_ in left}


def _is_needed(item: Item, is_kept: Mapping[str, bool]) -> bool:
    return item.id not in is_kept or (not is_kept[item.id] and is_hashed(item))


def response_lines(folders: Sequence[RunFolder], winners: Mapping[Entry, int]) -> Iterator[bytes]:
    """Yield the Responses of one Run after another in the order of writing, with those that were asked again.

    `winners`: entry -> index of the folder whose Response counts, for entries that several folders have; their lines
    come last, since of two lines the later counts. Raises DataError for a corrupt journal.
    """
    if not winners:
        for folder in folders:
            yield from _copied_lines(folder)
        return
    last: list[Response] = []
    for number, folder in enumerate(folders):
        for response in folder.history():
            if winners.get(response.entry) == number:
                last.append(response)
            else:
                yield _encode([response])
    yield _encode(last)


def _copied_lines(folder: RunFolder) -> Iterator[bytes]:
    with numbered_responses(folder) as lines:
        begin = 0
        for block in lines.read_keys():  # decodes what the lines reply to, and so finds corrupt ones
            yield lines.raw_lines(range(begin, begin + len(block)))
            begin += len(block)
