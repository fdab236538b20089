"""Derived figures of a table, each with the figures from which it should follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from triptych.audit.tables.cells import Cell, NoCell, Tables, rows_of
from triptych.audit.tables.expression import Context, evaluate
from triptych.audit.tables.interval import Interval
from triptych.audit.tables.rules import Derived
from triptych.errors import SpecError


@dataclass(frozen=True, slots=True)
class Equation:
    """A figure and the figures from which it should follow."""

    rule: Derived
    formula: str
    target: Cell
    inputs: tuple[Cell, ...]
    expected: Interval

    @property
    def gap(self) -> float:
        """Return the distance of the printed figure from the interval that rounding allows; 0 if it follows."""
        return self.target.value.gap(self.expected)


def equations(rules: Sequence[Derived], tables: Tables) -> list[Equation]:
    """Yield every figure of a rule whose inputs exist. Raises SpecError if a rule matches nothing."""
    slips: list[Equation] = []
    for rule in rules:
        mine = list(_of_rule(rule, tables))
        if not mine:
            raise SpecError("a rule matches no figure", where=f"{rule.table}, {rule.target}", got=rule.formula)
        slips += mine
    return slips


def _of_rule(rule: Derived, tables: Tables) -> Iterator[Equation]:
    rows = rows_of(tables, rule.table, rule.rows, rule.without)
    for target, formula in rule.instances():
        for name, cells in rows.items():
            if (cell := cells.get(target)) is None:
                continue
            context = Context(tables, rule.table, name)
            try:
                expected = evaluate(formula, context)
            except NoCell:
                continue
            if not isinstance(expected, Interval):
                raise SpecError("a rule's formula gives no number", where=formula, got=expected)
            yield Equation(rule, formula, cell, tuple(context.used), expected)
