"""What pairs of Runs are compared over: the questions that the two share, whatever a third Run was asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from triptych.analysis.comparing.figure_values import FigureValues
from triptych.analysis.comparing.joint import Joint, join
from triptych.analysis.comparing.shared import Shared, counting, share
from triptych.analysis.observed import Observed
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.records import FigureKey, Score
from triptych.scoring.figures.cells import CellName, Kind, cell_names

Pair = tuple[int, int]


@dataclass(frozen=True)
class Ground:
    """Runs that are compared over the same questions. `pairs`: pairs of all Runs, as numbers -> the same two as numbers
    in `runs`."""

    runs: tuple[Observed, ...]
    shared: Shared
    joint: Joint
    figure_values: FigureValues
    units: Units
    pairs: Mapping[Pair, Pair]


def grounds(
    runs: Sequence[Observed],
    pairs: Sequence[Pair],
    complete: Shared,
    kind: Kind,
    *,
    replicates: int,
    seed: int,
    wanted: frozenset[FigureKey] | None = None,
) -> Iterator[Ground]:
    """Yield the grounds of the pairs, one at a time since each needs memory for its replicates.

    Runs with the same questions form a group. A pair is compared over what the Runs of its two groups share, so that
    one interrupted Run doesn't limit the comparison of the others. Groups that share nothing are left out. `complete`:
    what all Runs share, which is the ground if there is one group. `wanted`: the figures that are compared, None for
    all.
    """
    groups = _groups(runs, kind)
    if len(groups) == 1 or len(runs) == 2:
        if complete.units:
            yield _ground(complete, {pair: pair for pair in pairs}, kind, replicates, seed, wanted)
        return
    for one, other in combinations_with_replacement(range(len(groups)), 2):
        members = sorted({*groups[one], *groups[other]})
        members_by_pair = {
            pair: (members.index(pair[0]), members.index(pair[1]))
            for pair in pairs
            if set(pair) <= set(members) and (one == other or not any(set(pair) <= set(g) for g in groups))
        }
        if members_by_pair and (shared_runs := share([runs[n] for n in members], kind)).units:
            yield _ground(shared_runs, members_by_pair, kind, replicates, seed, wanted)


def _ground(
    shared: Shared,
    pairs: Mapping[Pair, Pair],
    kind: Kind,
    replicates: int,
    seed: int,
    wanted: frozenset[FigureKey] | None,
) -> Ground:
    first = shared.runs[0]
    spec = first.benchmark.spec
    joint = join(shared.scores, first.protocol, spec, kind, replicates=replicates, seed=seed, wanted=wanted)
    return Ground(shared.runs, shared, joint, FigureValues(shared, joint, first), Units(shared, joint), pairs)


def _groups(runs: Sequence[Observed], kind: Kind) -> list[list[int]]:
    """Return the numbers of Runs with the same questions that count, of the same data and under the same Conditions."""
    groups_by_ground: dict[object, list[int]] = defaultdict(list)
    for number, run in enumerate(runs):
        data = (run.manifest.data_sha256, run.manifest.conditions) if run.manifest else ""
        groups_by_ground[data, frozenset((s.unit, s.metric) for s in counting(run.scores, kind))].append(number)
    return list(groups_by_ground.values())


class Units:
    """Which Units are behind a figure: those compared, and all that any Run was asked."""

    def __init__(self, shared: Shared, joint: Joint) -> None:
        self.joint: Joint = joint
        spec = shared.runs[0].benchmark.spec
        self._counts: dict[FigureKey, tuple[int, float]] = {}
        self.compared: _UnitsOfCells = _UnitsOfCells(_by_cell(shared.scores[0], spec))
        asked_units: dict[CellName, set[str]] = defaultdict(set)
        for run in shared.runs:
            for name, units in _by_cell(run.scores, spec).items():
                asked_units[name] |= units
        self.requested: _UnitsOfCells = _UnitsOfCells(asked_units)

    def compared_units(self, key: FigureKey) -> tuple[int, float]:
        """(Units compared, their share of those asked)."""
        if key not in self._counts:
            self._counts[key] = self._count_units(key)
        return self._counts[key]

    def _count_units(self, key: FigureKey) -> tuple[int, float]:
        cells = [self.joint.tables[0].cells[n] for n in self.joint.cells_of.get(key, ())]
        names = [(cell.task, cell.metric, cell.slice) for cell in cells]
        compared, asked_count = self.compared.count(names), self.requested.count(names)
        return compared, compared / asked_count if asked_count else 0.0


class _UnitsOfCells:
    """Counts the Units in several cells together. Sets are joined only if a Unit is in more than one cell."""

    def __init__(self, units: Mapping[CellName, set[str]]) -> None:
        self._units = units
        self._apart = sum(map(len, units.values())) == len(set().union(*units.values()))

    def count(self, names: Iterable[CellName]) -> int:
        """Return how many Units are in any of these different cells."""
        units = [self._units[name] for name in names if name in self._units]
        return sum(map(len, units)) if self._apart else len(set().union(*units))


def _by_cell(scores: Sequence[Score], spec: BenchmarkSpec) -> dict[CellName, set[str]]:
    units_by_cell: dict[CellName, set[str]] = defaultdict(set)
    for score, name in zip(scores, cell_names(scores, spec), strict=True):
        units_by_cell[name].add(score.unit)
    return units_by_cell
