"""Items and Responses to Units."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from triptych.errors import DataError
from triptych.protocols.protocol import Unit
from triptych.records import Item, Response
from triptych.scoring.answer_text import answer_only
from triptych.store.decoded import fact_table
from triptych.store.files.limits import check_limit

MAX_UNITS = 5_000_000  # Units times repeats that are in memory at once: 60,000 questions asked 80 times


def group_units(
    items: Iterable[Item], responses: Iterable[Response], repeats: int = 1, *, uneven: bool = False
) -> Iterator[Unit]:
    """Yield the Units in the order of their first Items, once per repeat, with the models' answers (`answer_only`).

    Items with the same unit id are one Unit, ordered by `place`. An Item without a Response has None, so its Scores
    are `missing`. If an Item and repeat have several Responses, the last counts, as in a journal. An incomplete Unit
    (of a Run that was stopped midway) is left out, like a question that wasn't asked; `partial_units` counts them.
    `uneven`: a repeat of a Unit without any Response was not asked, so it is left out, too (`RunManifest`). Raises
    DataError if two Items have the same id, or if the Items of a Unit differ in task or Instance.
    """
    yield from _units(_members(items), responses, repeats, uneven)


def _units(
    units: Collection[tuple[Item, ...]], responses: Iterable[Response], repeats: int, uneven: bool
) -> Iterator[Unit]:
    replies = {(r.item, r.repeat): answer_only(r) for r in responses}
    check_limit(
        "the Run, by its manifest,",
        len(units) * repeats,
        MAX_UNITS,
        "Units times repeats",
        unit="Units",
        fix="look at its shards one by one (docs/many-machines.md); scoring takes larger Runs",
    )
    for members in units:
        if len(members) < members[0].unit_size:
            continue
        for repeat in range(repeats):
            if len(members) == 1:
                unit_responses: tuple[Response | None, ...] = (replies.get((members[0].id, repeat)),)
            else:
                unit_responses = tuple([replies.get((item.id, repeat)) for item in members])
            if not uneven or any(unit_responses):
                yield Unit(members, unit_responses, repeat)


def remember_units(
    items: Sequence[Item], responses: Sequence[Response], repeats: int = 1, *, uneven: bool = False
) -> list[Unit]:
    """Return `group_units` as a list; within `keep_files()` once for the same sequences, until `forget_units`.

    Runs that share their Items share the tuples of the Items of each Unit.
    """
    kept_units: dict[Any, tuple[list[Unit], Sequence[Item], Sequence[Response]]] = fact_table("units")
    key = id(items), id(responses), repeats, uneven
    if key not in kept_units:
        units = list(_units(_shared_members(items), responses, repeats, uneven))
        kept_units[key] = units, items, responses
        return units
    return kept_units[key][0]


def forget_units(items: Sequence[Item], responses: Sequence[Response]) -> None:
    """Free what `remember_units` keeps of a Run."""
    kept_units = fact_table("units")
    for key in [key for key in kept_units if key[:2] == (id(items), id(responses))]:
        del kept_units[key]


def _shared_members(items: Sequence[Item]) -> Collection[tuple[Item, ...]]:
    members_kept: dict[int, tuple[Collection[tuple[Item, ...]], Sequence[Item]]] = fact_table("members of Units")
    if id(items) not in members_kept:
        members = _members(items)
        members_kept[id(items)] = members, items
        return members
    return members_kept[id(items)][0]


def _members(items: Iterable[Item]) -> Collection[tuple[Item, ...]]:
    units: dict[str, tuple[Item, ...]] = {}
    for item in items:
        members = units.setdefault(item.unit_id, (item,))
        if members[0] is not item:
            _check_member(members, item)
            units[item.unit_id] = tuple(sorted((*members, item), key=lambda member: member.place))
    return units.values()


def _check_member(members: tuple[Item, ...], item: Item) -> None:
    if any(member.id == item.id for member in members):
        raise DataError("two Items have the same id", where=item.id, fix="give each row an id of its own")
    first = members[0]
    if (item.task, item.instance_id) != (first.task, first.instance_id):
        raise DataError(
            "Items of one Unit must share task and Instance",
            expected=(first.task, first.instance_id),
            got=(item.task, item.instance_id),
            where=f"unit {item.unit_id}, item {item.id}",
        )
