"""Formulas over printed tables: a small language, read from audit.toml and claims.toml, never run as code.

    'SR'                          the column SR in the row and table at hand
    cell('T6', 'BM')              the same row in another table
    cell('T1', 'GPT-4o', 'Avg')   any cell
    column('T8', 'CMC', 'Human')  a column as {row: value}, without the rows named
    rowof('T1', '.', 'S*', 'Q')   a row ('.': the one at hand) as {column: value}, of all columns that fit
    known('T1', '.', 'S*')        the same of those that are there (rowof needs them all)
    mean std total low high       of numbers, columns ('A>T|*' stands for all that fit), rows and columns
    between('X', 'Y')             anything from the lowest to the highest
    weighted((96, 701), 'X', 'Y') a weighted mean      rank('Overall')   the place in the column, from 1
    top(column) bottom(column)    the names that may be highest, lowest    size(column)   how many
    over(column, 80) under(…)     how many may be above, below     + - * / == < <= > >= and or

Every value is an interval: the numbers that round to the printed one. A comparison holds if rounding allows it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from triptych.audit.tables.cells import Cell, NoCell, Tables, matching
from triptych.audit.tables.interval import (
    Interval,
    deviation,
    greatest_interval,
    mean,
    ranks,
    smallest_interval,
    total,
    weighted,
)
from triptych.errors import SpecError
from triptych.records.unreadable import reason

Value = Any  # Interval, bool, str, a frozenset of names, or a {name: Interval}
_BINARY: dict[type[ast.operator], Callable[[Interval, Interval], Interval]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}
_MAX_FORMULA_LENGTH = 5000  # characters of a formula


@dataclass(slots=True)
class Context:
    """Where a formula is worked out: the tables, and the table and row at hand; `used` gathers the cells read."""

    tables: Tables
    table: str = ""
    row: str = ""
    used: list[Cell] = field(default_factory=list)

    def take(self, table: str, row: str, column: str) -> Interval:
        """A cell's value, remembered as used."""
        cell = self.tables.cell(table, row, column)
        self.used.append(cell)
        return cell.value


def evaluate(formula: str, context: Context) -> Value:
    """The value of a formula. Raises NoCell where a cell isn't there, SpecError for what isn't in the language."""
    return _value(parse(formula), context, formula)


def why_not(formula: str, context: Context) -> str:
    """The first comparison of a formula that doesn't hold, with the values of its sides; empty where all hold."""
    for node in ast.walk(parse(formula)):
        if isinstance(node, ast.Compare):
            sides = _sides([node.left, *node.comparators], context, formula)
            for a, op, b in zip(sides, node.ops, sides[1:], strict=False):
                if not _can_hold(a, op, b, formula):
                    return f"{_shown(a)} is not {_SIGNS[type(op)]}{_shown(b)}"
    return ""


_SIGNS: dict[type[ast.cmpop], str] = {ast.Eq: "", ast.Lt: "< ", ast.LtE: "<= ", ast.Gt: "> ", ast.GtE: ">= "}


def _shown(value: Value) -> str:
    if isinstance(value, Interval):
        return f"{value.middle:.4g}"
    return " or ".join(sorted(value)) if isinstance(value, frozenset) else str(value)


def parse(formula: str) -> ast.expr:
    """The formula's tree. Raises SpecError if it isn't an expression."""
    if len(formula) > _MAX_FORMULA_LENGTH:
        raise SpecError("a formula is too long", expected=f"at most {_MAX_FORMULA_LENGTH} characters", got=len(formula))
    try:
        return ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SpecError("a formula can't be read", where=formula, got=reason(error)) from None


def _value(node: ast.expr, context: Context, formula: str) -> Value:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as number):
            return Interval.exact(float(number))
        case ast.Constant(value=str() as column):
            return context.take(context.table, context.row, column)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, context, formula)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            try:
                return _BINARY[type(op)](_number(left, context, formula), _number(right, context, formula))
            except ZeroDivisionError:
                raise NoCell("a divisor is 0") from None
        case ast.BoolOp(op=op, values=values):
            held = [bool(_value(v, context, formula)) for v in values]
            return all(held) if isinstance(op, ast.And) else any(held)
        case ast.Compare(left=left, ops=ops, comparators=rest):
            sides = _sides([left, *rest], context, formula)
            return all(_can_hold(a, op, b, formula) for a, op, b in zip(sides, ops, sides[1:], strict=False))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return _call(name, arguments, context, formula)
    raise SpecError("a formula uses something that is not part of the language", where=formula, got=ast.unparse(node))


def _number(node: ast.expr, context: Context, formula: str) -> Interval:
    value = _value(node, context, formula)
    if not isinstance(value, Interval):
        raise SpecError("a formula needs a number here", where=formula, got=ast.unparse(node))
    return value


def _sides(nodes: list[ast.expr], context: Context, formula: str) -> list[Value]:
    """Return the sides of a comparison: compared with top(…) or bottom(…), a string is a name, not a column."""
    calls = [n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    names = "top" in calls or "bottom" in calls
    return [
        n.value if names and isinstance(n, ast.Constant) and isinstance(n.value, str) else _value(n, context, formula)
        for n in nodes
    ]


def _can_hold(a: Value, op: ast.cmpop, b: Value, formula: str) -> bool:
    """Can the comparison hold, given what rounding hides?"""
    if isinstance(a, frozenset) and isinstance(b, str) and isinstance(op, ast.Eq):
        return b in a
    if isinstance(a, Interval) and isinstance(b, Interval):
        match op:
            case ast.Eq():
                return a.meets(b)
            case ast.Lt() | ast.LtE():
                return a.may_be_less(b)
            case ast.Gt() | ast.GtE():
                return b.may_be_less(a)
    raise SpecError("a formula compares what can't be compared", where=formula, got=f"{a!r} with {b!r}")


def _call(name: str, arguments: list[ast.expr], context: Context, formula: str) -> Value:
    try:
        return _FUNCTIONS[name](context, arguments, formula)
    except (ValueError, IndexError, TypeError) as error:
        raise SpecError(f"{name}() can't take this", where=formula, got=error) from None


def _texts(arguments: list[ast.expr]) -> list[str]:
    values = [a.value for a in arguments if isinstance(a, ast.Constant)]
    if len(values) != len(arguments) or not all(isinstance(v, str) for v in values):
        raise ValueError("the names must be in quotes")
    return [str(v) for v in values]


def _cell(context: Context, arguments: list[ast.expr], _: str) -> Value:
    texts = _texts(arguments)
    table, row, column = (texts[0], context.row, texts[1]) if len(texts) == 2 else texts
    return context.take(table, row, column)


def _column(context: Context, arguments: list[ast.expr], _: str) -> dict[str, Interval]:
    table, column, *without = _texts(arguments)
    left_out = set(matching(context.tables.rows(table), without))
    names = [r for r, cells in context.tables.rows(table).items() if column in cells and r not in left_out]
    if not names:
        raise NoCell(f"{table} has no column {column!r}")
    return {name: context.take(table, name, column) for name in names}


def _rowof(context: Context, arguments: list[ast.expr], _: str) -> dict[str, Interval]:
    table, row, *patterns = _texts(arguments)
    columns = matching(context.tables.columns(table), patterns or ["*"])
    if not columns:
        raise NoCell(f"{table} has no such columns")
    return {column: context.take(table, context.row if row == "." else row, column) for column in columns}


def _intervals_of(context: Context, arguments: list[ast.expr], formula: str) -> dict[str, Interval]:
    table, row, *patterns = _texts(arguments)
    values = {}
    for column in matching(context.tables.columns(table), patterns or ["*"]):
        try:
            values[column] = context.take(table, context.row if row == "." else row, column)
        except NoCell:
            continue
    if not values:
        raise NoCell(f"{table} has no such cells in {row!r}")
    return values


def _numbers(context: Context, arguments: list[ast.expr], formula: str) -> list[Interval]:
    """The numbers that arguments stand for: a column's name may hold `*`, and then stands for all that fit."""
    intervals: list[Interval] = []
    for node in arguments:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "*" in node.value:
            intervals += _rowof(context, [ast.Constant(context.table), ast.Constant("."), node], formula).values()
            continue
        value = _value(node, context, formula)
        intervals += value.values() if isinstance(value, Mapping) else [value]
    if not intervals or not all(isinstance(v, Interval) for v in intervals):
        raise ValueError("the arguments must be numbers")
    return intervals


def _of_numbers(function: Callable[[list[Interval]], Interval]) -> Callable[[Context, list[ast.expr], str], Value]:
    return lambda context, arguments, formula: function(_numbers(context, arguments, formula))


def _weighted(context: Context, arguments: list[ast.expr], formula: str) -> Interval:
    weights = [float(w) for w in ast.literal_eval(arguments[0])]
    return weighted(weights, _numbers(context, arguments[1:], formula))


def _rank(context: Context, arguments: list[ast.expr], formula: str) -> Interval:
    """Among the rows that have the column, but those named after it."""
    column, *without = _texts(arguments)
    values = _column(context, [ast.Constant(t) for t in (context.table, column, *without)], formula)
    if context.row not in values:
        raise NoCell(f"{context.row!r} is not ranked")
    return ranks(list(values.values()), list(values).index(context.row))


def _names(context: Context, arguments: list[ast.expr], formula: str) -> dict[str, Interval]:
    value = _value(arguments[0], context, formula)
    if not isinstance(value, dict):
        raise ValueError("the argument must be column(…) or rowof(…)")
    return value


def _top(context: Context, arguments: list[ast.expr], formula: str) -> frozenset[str]:
    values = _names(context, arguments, formula)
    floor = max(v.low for v in values.values())
    return frozenset(name for name, v in values.items() if v.high >= floor)


def _bottom(context: Context, arguments: list[ast.expr], formula: str) -> frozenset[str]:
    values = _names(context, arguments, formula)
    ceiling = min(v.high for v in values.values())
    return frozenset(name for name, v in values.items() if v.low <= ceiling)


def _counted(sign: int) -> Callable[[Context, list[ast.expr], str], Value]:
    """How many may be above (sign 1) or below (-1) a bound."""

    def count(context: Context, arguments: list[ast.expr], formula: str) -> Interval:
        values = [v * Interval.exact(sign) for v in _names(context, arguments, formula).values()]
        bound = _number(arguments[1], context, formula) * Interval.exact(sign)
        surely = sum(v.low > bound.high for v in values)
        maybe = sum(v.high > bound.low for v in values)
        return Interval(float(surely), float(maybe))

    return count


_FUNCTIONS: dict[str, Callable[[Context, list[ast.expr], str], Value]] = {
    "cell": _cell,
    "column": _column,
    "rowof": _rowof,
    "known": _intervals_of,
    "mean": _of_numbers(mean),
    "std": _of_numbers(deviation),
    "total": _of_numbers(total),
    "low": _of_numbers(smallest_interval),
    "high": _of_numbers(greatest_interval),
    "between": _of_numbers(lambda values: Interval(min(v.low for v in values), max(v.high for v in values))),
    "abs": lambda context, arguments, formula: abs(_number(arguments[0], context, formula)),
    "weighted": _weighted,
    "rank": _rank,
    "top": _top,
    "bottom": _bottom,
    "size": lambda context, arguments, formula: Interval.exact(float(len(_names(context, arguments, formula)))),
    "over": _counted(1),
    "under": _counted(-1),
}
