"""Which questions a survey has: cells, and the same Instances in each cell that has them."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from triptych.records import Item

Unit = tuple[str, str]  # Task, Unit id


@dataclass
class AvailableUnits:
    """Units of a benchmark, before some are chosen. `facets`: Task -> facet -> its values."""

    varying: Sequence[str]
    items: dict[Unit, list[str]] = field(default_factory=lambda: defaultdict(list))
    instance: dict[Unit, str] = field(default_factory=dict)
    size: dict[Unit, int] = field(default_factory=dict)
    facets: dict[Unit, dict[str, str]] = field(default_factory=dict)
    unaskable: int = 0

    def add(self, item: Item) -> None:
        """Note an Item."""
        unit = (item.task, item.unit_id)
        self.items[unit].append(item.id)
        self.instance[unit] = item.instance_id
        self.size[unit] = item.unit_size
        self.facets[unit] = {name: item.facets[name] for name in self.varying if name in item.facets}


@dataclass(frozen=True)
class Chosen:
    """`cell`: Item id -> its cell; `instances`: cell -> Instances; `short`: cells with fewer Units than wanted;
    `practice`: the Items of each practice Unit."""

    cell: Mapping[str, str]
    instances: Mapping[str, list[str]]
    short: Mapping[str, int]
    practice: Sequence[Sequence[str]] = ()


def choose(available: AvailableUnits, per_cell: int, seed: int, practice: int = 0) -> Chosen:
    """Choose `per_cell` Units for each cell, each of another Instance, and `practice` Units of Instances in no cell.

    Instances are drawn once, so that cells with the same Instances get the same ones: people then answer the same
    content in every direction, as models do. A Unit of which some Items are missing is not chosen.
    """
    names = _cells(available)
    units: dict[str, dict[str, Unit]] = defaultdict(dict)
    for unit in sorted(available.items, key=lambda each: _draw(seed, each[1])):
        if len(available.items[unit]) == available.size[unit]:
            units[names[unit]].setdefault(available.instance[unit], unit)
    cell: dict[str, str] = {}
    instances: dict[str, list[str]] = {}
    for name in sorted(units):
        chosen = sorted(units[name], key=lambda each: _draw(seed, each))[:per_cell]
        instances[name] = sorted(chosen)
        cell |= {item: name for instance in chosen for item in available.items[units[name][instance]]}
    short = {name: len(name_instances) for name, name_instances in instances.items() if len(name_instances) < per_cell}
    return Chosen(cell, instances, short, _practice(available, names, instances, practice, seed))


def _practice(
    available: AvailableUnits, names: Mapping[Unit, str], instances: Mapping[str, list[str]], number: int, seed: int
) -> list[list[str]]:
    """Return the Items of each of up to `number` Units, each of an Instance that nobody meets otherwise, from as many
    cells as possible."""
    met = {instance for instance_group in instances.values() for instance in instance_group}
    used: Counter[str] = Counter()
    made: list[list[str]] = []
    left = [unit for unit, items in available.items.items() if len(items) == available.size[unit]]
    for _ in range(number):
        left = [unit for unit in left if available.instance[unit] not in met]
        if not left:
            break
        unit = min(left, key=lambda each: (used[names[each]], _draw(seed, f"practice/{each[0]}/{each[1]}")))
        used[names[unit]] += 1
        met.add(available.instance[unit])
        made.append(available.items[unit])
    return made


def _cells(available: AvailableUnits) -> dict[Unit, str]:
    """A cell is a Task; a facet that varies inside Instances and inside the Task splits it."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for unit, facets in available.facets.items():
        for name, value in facets.items():
            values[unit[0], name].add(value)
    return {
        unit: "/".join(
            [unit[0], *(facets[n] for n in available.varying if n in facets and len(values[unit[0], n]) > 1)]
        )
        for unit, facets in available.facets.items()
    }


def _draw(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}/{name}".encode()).digest()


def conflicts(instances: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """Return the Instances of each cell as sets, as `rules.draw_cells` takes them."""
    return {cell: frozenset(names) for cell, names in instances.items()}
