"""Search for the misprint that explains figures: one wrong digit, two digits exchanged, a lost sign."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from triptych.audit.tables.cells import Cell, NoCell, Tables
from triptych.audit.tables.equations import Equation
from triptych.audit.tables.expression import Context, evaluate
from triptych.audit.tables.interval import Interval
from triptych.audit.tables.shares import is_share

Address = tuple[str, str, str]  # table, row, column
_TALL = 10  # how many times what rounding leaves open a lone slip must move its figure


@dataclass(frozen=True, slots=True)
class Slip:
    """A cell, what should be printed there, and the equations that this sets right and wrong."""

    cell: Cell
    text: str
    mended: tuple[Equation, ...]
    spoiled: tuple[Equation, ...] = ()

    @property
    def gain(self) -> int:
        """Return the number of equations set right minus those set wrong."""
        return len(self.mended) - len(self.spoiled)

    @property
    def words(self) -> str:
        """Return the consequences for the other figures."""
        verb = "follows, which now doesn't" if len(self.mended) == 1 else "follow, which now don't"
        spoiled = f"; {_places(self.spoiled)} would no more" if self.spoiled else ""
        return f"then {_places(self.mended)} {verb}{spoiled}"


def _places(equations: Sequence[Equation]) -> str:
    return ", ".join(dict.fromkeys(f"{e.target.table} {e.target.column}" for e in equations))


def address(cell: Cell) -> Address:
    """Table, row and column."""
    return cell.table, cell.row, cell.column


def edits(text: str) -> Iterator[str]:
    """Yield the numbers one slip away from a printed one: a digit replaced, neighbours exchanged, the sign lost or
    added."""
    yield text[1:] if text.startswith("-") else f"-{text}"
    for index, digit in enumerate(text):
        if not digit.isdigit():
            continue
        yield from (text[:index] + other + text[index + 1 :] for other in "0123456789" if other != digit)
        follower = text[index + 1 : index + 2]
        if follower.isdigit() and follower != digit:
            yield text[:index] + follower + digit + text[index + 2 :]


@dataclass(slots=True)
class Slips:
    """Looks for slips. `sizes`: cells that are k of n, as address -> (n, scale): a slip must leave them possible."""

    every: Sequence[Equation]
    tables: Tables
    sizes: Mapping[Address, tuple[int, float]] = field(default_factory=dict)
    about: dict[Address, list[Equation]] = field(init=False, default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for equation in self.every:
            for all_address in {address(c) for c in (equation.target, *equation.inputs)}:
                self.about[all_address].append(equation)

    def find(self) -> Iterator[Slip]:
        """The slip of a cell by which at least two more equations are right than without; then lone ones.

        A slip in almost any of its cells explains a single equation, but not two that share only one cell. If
        slips of two cells do equally well, neither is reported.
        """
        taken: set[int] = set()
        candidates = [best for address, mine in self.about.items() if (best := self._best_slip(address, mine))]
        for slip in sorted(candidates, key=lambda slip: -slip.gain):
            mended = {id(e) for e in slip.mended}
            rivals = [
                r for r in candidates if r is not slip and r.gain >= slip.gain and mended & {id(e) for e in r.mended}
            ]
            if not rivals and not mended & taken:
                taken |= mended
                yield slip
        for equation in self.every:
            if equation.gap and id(equation) not in taken and (alone := self._single_slip(equation)):
                yield alone

    def _cell(self, address: Address) -> Cell:
        table, row, column = address
        return self.tables.cells[table][row][column]

    def _best_slip(self, address: Address, mine: Sequence[Equation]) -> Slip | None:
        """The one slip of a cell that mends most, and at least two more than it spoils."""
        cell, broken = self._cell(address), [e for e in mine if e.gap]
        if len(broken) < 2:
            return None
        best = []
        for text in edits(cell.text):
            mended = tuple(e for e in broken if self._is_solved_by(e, cell, text))
            spoiled = (
                tuple(e for e in mine if not e.gap and not self._is_solved_by(e, cell, text)) if len(mended) > 1 else ()
            )
            if len(mended) - len(spoiled) > 1 and self._is_possible(cell, text):
                best.append(Slip(cell, text, mended, spoiled))
        best.sort(key=lambda slip: -slip.gain)
        return best[0] if best and (len(best) == 1 or best[0].gain > best[1].gain) else None

    def _single_slip(self, equation: Equation) -> Slip | None:
        """The slip that sets a single equation right: the only one in any of its cells (or in one that is an impossible
        share now), and in a digit so high that it would hardly fit by chance."""
        cells = {address(c): c for c in (equation.target, *equation.inputs)}
        slips = [slip for cell in cells.values() for slip in self._consistent_slips(equation, cell)]
        impossible = [slip for slip in slips if not self._is_possible(slip.cell, slip.cell.text)]
        slips = impossible or slips
        if len(slips) != 1 or len(cells) < 3:
            return None
        width = _width(equation.expected) + _width(equation.target.value)
        moved = abs(float(slips[0].text) - float(slips[0].cell.text)) / len(equation.inputs)
        return slips[0] if impossible or moved >= _TALL * width else None

    def _consistent_slips(self, equation: Equation, cell: Cell) -> Iterator[Slip]:
        others = [e for e in self.about[address(cell)] if not e.gap]
        for text in edits(cell.text):
            fits = self._is_possible(cell, text) and self._is_solved_by(equation, cell, text)
            if fits and all(self._is_solved_by(e, cell, text) for e in others):
                yield Slip(cell, text, (equation,))

    def _is_possible(self, cell: Cell, text: str) -> bool:
        n, scale = self.sizes.get(address(cell), (0, 0.0))
        return not n or is_share(self.tables.meaning(cell.table, text, _digits(cell)), n, scale)

    def _is_solved_by(self, equation: Equation, cell: Cell, text: str) -> bool:
        """Whether the equation holds with another text in the cell."""
        table, row, column = address(cell)
        self.tables.add(table, row, column, text, _digits(cell))
        try:
            target = self._cell(address(equation.target))
            expected = evaluate(equation.formula, Context(self.tables, equation.rule.table, equation.target.row))
            return bool(target.value.meets(expected))
        except NoCell:
            return False
        finally:
            self.tables.cells[table][row][column] = cell


def _width(value: Interval) -> float:
    return value.high - value.low


def _digits(cell: Cell) -> int:
    """The digits that the cell was read with."""
    return next((d for d in range(12) if _width(cell.value) >= 10.0**-d * 0.999), 12)
