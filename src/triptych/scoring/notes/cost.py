"""The cost of Responses in tokens, hours and money, for the columns of a specification's layouts.

A cost is not a Score: it doesn't depend on a protocol, and it has no mean or interval. It is a sum over Responses, so
that a table such as "tokens by family" is filled like any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.protocols.protocol import Unit
from triptych.records import Aggregate, FigureKey, Response, column_key, slice_key
from triptych.running.costs import MEASURES, ExactSum, cost_of
from triptych.running.tally import Tally
from triptych.store.journals.replies import ReplyJournal

Facets = tuple[tuple[str, str], ...]


def _million_tokens(response: Response) -> float | None:
    """Return the input and output tokens that the server counted, in millions."""
    if response.usage is None or response.usage.input_tokens is None:
        return None
    return (response.usage.input_tokens + (response.usage.output_tokens or 0)) / 1e6


def _hours(response: Response) -> float | None:
    """Return the time until the answer in hours. Times of parallel Requests are added, as if one model ran alone."""
    return response.seconds / 3600 if response.seconds else None


COSTS: Mapping[str, Callable[[Response], float | None]] = {
    "million_tokens": _million_tokens,
    "hours": _hours,
    "usd": MEASURES["usd"],
}


@dataclass(frozen=True, slots=True)
class _Group:
    """Units with the same Task and facets."""

    task: str
    facets: dict[str, str]
    sums: dict[str, ExactSum] = field(default_factory=lambda: defaultdict(ExactSum))


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of Units, for the cost columns of a specification's layouts; the same under every protocol."""

    spec: BenchmarkSpec
    wanted: tuple[FigureKey, ...]
    groups: tuple[_Group, ...]

    def aggregates(self, protocol: str, signature: str = "") -> list[Aggregate]:
        """Return one Aggregate for each cost column that has a known cost.

        `value` is the sum over the Units with a known cost, in the unit `million_tokens`, `hours` or `usd`; `counts`
        has their number (`scored`) and the number of the others (`unavailable`). A Response from the cache costs 0.
        """
        aggregated = [_aggregate(self.groups, self.spec, *key, protocol, signature) for key in self.wanted]
        return [aggregate for aggregate in aggregated if aggregate is not None]


class CostSums:
    """Sums the costs of Units that come a part at a time."""

    def __init__(self, spec: BenchmarkSpec) -> None:
        keys = (column_key(c, row) for x in spec.layouts for row in x.rows or (None,) for c in x.columns)
        wanted = {key for key in keys if key[1] in COSTS}
        self._spec, self._wanted = spec, tuple(sorted(wanted))
        self._reads = [(metric, COSTS[metric]) for metric in {metric for _, metric, _ in wanted}]
        self._groups: dict[tuple[str, Facets], _Group] = {}
        self._tells = False

    def add(self, units: Iterable[Unit]) -> None:
        """Add the costs of Units."""
        if not self._reads:
            return
        groups: dict[tuple[str, int], _Group] = {}  # by the facets' identity: Items that were read together share them
        for unit in units:
            item = unit.items[0]
            group = groups.get((item.task, id(item.facets)))
            if group is None:
                key = item.task, slice_key(item.facets)
                group = self._groups.setdefault(key, _Group(item.task, item.facets))
                groups[item.task, id(item.facets)] = group
            self._tells = self._tells or any(map(_has_cost, unit.responses))
            for metric, read in self._reads:
                group.sums[metric].add([cost_of(response, read) for response in unit.responses])

    def costs(self) -> Costs:
        """Return the sums; nothing if no Response has a known cost."""
        if not self._tells:
            return Costs(self._spec, (), ())
        return Costs(self._spec, self._wanted, tuple(self._groups.values()))


def cost_text(journal: ReplyJournal) -> str:
    """Describe the cost of a journal of replies in words: every call counts, failed ones too; cached replies don't."""
    tally = Tally()
    for response in journal.history():
        tally.add(response)
    price = "price unknown" if tally.cost_usd is None else f"{tally.cost_usd:.4f} USD"
    tokens = tally.input_tokens + tally.output_tokens
    return f"{tally.responses - tally.cached:,} asked in all, {tokens:,} tokens, {price}"


def _has_cost(response: Response | None) -> bool:
    """Return whether any cost is known. Results made elsewhere are many and rarely have one."""
    return response is not None and bool(response.usage or response.seconds or response.cost_usd)


def _is_in_slice(facets: Mapping[str, str], slice_: Facets) -> bool:
    """Return whether facets fall within a slice. `!value` means every other value, e.g. all directions except one."""
    return all(
        facets.get(name) != value[1:] if value.startswith("!") else facets.get(name) == value for name, value in slice_
    )


def _aggregate(
    groups: Iterable[_Group], spec: BenchmarkSpec, task: str, metric: str, slice_: Facets, protocol: str, signature: str
) -> Aggregate | None:
    total = ExactSum()
    for group in groups:
        if task in (spec.name, group.task) and _is_in_slice(group.facets, slice_):
            total += group.sums[metric]
    if not total.known_count:
        return None
    counts = {status: n for status, n in (("scored", total.known_count), ("unavailable", total.unknown_count)) if n}
    return Aggregate(
        protocol=protocol,
        task=task,
        metric=metric,
        slice=dict(slice_),
        value=total.value,
        n=total.known_count,
        counts=counts,
        value_all=total.value,
        value_answered=total.value,
        signature=signature,
    )
