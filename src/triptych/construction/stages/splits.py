"""Splits without leaks: records that share a work, speaker, film or near-duplicate cluster are in the same split."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, field

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, kept
from triptych.construction.stage import stage
from triptych.errors import SpecError


class Split(Parameters, frozen=True):
    """Parameters of `split`."""

    shares: Annotated[dict[str, float], Meta(description="share of each split")] = field(
        default_factory=lambda: {"train": 0.8, "val": 0.1, "test": 0.1}
    )
    equal_in: Annotated[
        str, Meta(description="split that gets `equal_count` records of each stratum in place of a share (empty: none)")
    ] = ""
    equal_count: Annotated[int, Meta(ge=0, description="records of each stratum in the split `equal_in`")] = 0
    names: Annotated[tuple[str, ...], Meta(description="names that splits may have (empty: any)")] = ()
    earlier: Annotated[dict[str, str], Meta(description="split that records had in an earlier release, by id")] = field(
        default_factory=dict
    )


@stage(
    "split",
    version=3,
    reads=["keep_together?", "stratum?"],
    writes=["split"],
    kind="whole",
    parameters=Split,
)
def split_records(records: Sequence[Values], context: Context[Split]) -> list[Outcome]:
    """Divide records into splits of the given shares; connected records are kept together.

    `keep_together` lists keys (`work:12`, `speaker:P3`, `cluster:7`). Records that share one, directly or through
    others, form a group, and a group goes into one split. Groups are assigned within each `stratum` (a genre), the
    largest first, each to the split that lacks most of its share; ties are drawn by the seed. With `equal_in` and
    `equal_count`, that split gets about this many records of each stratum instead of a share (MCGA's test split: 200).
    `names` lists the names that splits may have; empty: any. `earlier`: the split that records had in an earlier
    release; their group stays in the split of most of its members, and only new groups are assigned.
    """
    shares: dict[str, float] = dict(context.parameters.shares)
    if not shares or any(share < 0 for share in shares.values()) or abs(sum(shares.values()) - 1) > 1e-6:
        raise SpecError("shares of splits must add up to 1", got=shares)
    names = context.parameters.names
    if unknown := sorted(shares.keys() - set(names)) if names else []:
        raise SpecError("the benchmark has no split of this name", got=unknown[0], expected=", ".join(names))
    if context.parameters.equal_in and context.parameters.equal_in not in shares:
        raise SpecError("equal_in names no split", got=context.parameters.equal_in, expected=", ".join(shares))
    where: dict[str, str] = {}
    by_stratum: dict[str, list[list[Values]]] = defaultdict(list)
    for group in groups(records):
        strata = [str(values["stratum"] or "") for values in group]
        by_stratum[max(sorted(set(strata)), key=strata.count)].append(group)
    for stratum, groups_in_stratum in sorted(by_stratum.items()):
        _deal(stratum, groups_in_stratum, shares, context, where)
    return [kept(split=where[values.id]) for values in records]


def groups(records: Sequence[Values]) -> list[list[Values]]:
    """Return groups of records connected by shared keys, in the order of their first member."""
    parent = list(range(len(records)))

    def root(n: int) -> int:
        while parent[n] != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    first: dict[str, int] = {}
    for number, values in enumerate(records):
        for key in values["keep_together"] or ():
            a, b = root(first.setdefault(key, number)), root(number)
            parent[max(a, b)] = min(a, b)
    members_by_group: dict[int, list[Values]] = defaultdict(list)
    for number, values in enumerate(records):
        members_by_group[root(number)].append(values)
    return list(members_by_group.values())


def _deal(
    stratum: str,
    groups_of_values: list[list[Values]],
    shares: dict[str, float],
    context: Context,
    where: dict[str, str],
) -> None:
    """Assign one stratum's groups, the largest first, each to the split that lacks most."""
    total = sum(map(len, groups_of_values))
    wanted = {name: share * total for name, share in shares.items()}
    equal, count = context.parameters.equal_in, context.parameters.equal_count
    if equal and count:
        rest = max(total - count, 0)
        others = sum(share for name, share in shares.items() if name != equal) or 1.0
        wanted = {n: min(count, total) if n == equal else rest * share / others for n, share in shares.items()}
    held = dict.fromkeys(shares, 0)
    draw = context.random("split", stratum)
    earlier = context.parameters.earlier
    new = []
    for group in groups_of_values:
        before = [name for values in group if (name := earlier.get(values.id)) in shares]
        if not before:
            new.append(group)
            continue
        name = max(sorted(set(before)), key=before.count)
        held[name] += len(group)
        where.update((values.id, name) for values in group)
    order = sorted(new, key=lambda group: (-len(group), context.random("group", group[0].id).random()))
    for group in order:
        lacks = {name: wanted[name] - held[name] for name in shares}
        best = max(lacks.values())
        name = draw.choice([n for n, lack in lacks.items() if lack == best])
        held[name] += len(group)
        where.update((values.id, name) for values in group)
