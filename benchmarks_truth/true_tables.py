"""Tables that are true by construction: shares of simulated answers, some of related models, printed in four ways."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from statistics import stdev

Cells = dict[str, dict[str, str]]  # row -> column -> as printed


def _decimal(rounding: str) -> Callable[[Fraction, int], str]:
    def show(value: Fraction, digits: int) -> str:
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return str(exact.quantize(Decimal(1).scaleb(-digits), rounding=rounding))

    return show


def _float_truncated(value: Fraction, digits: int) -> str:
    """As programs truncate: int(x * 100) / 100, which prints 29 as 28.99 if its number is a little less."""
    return f"{math.trunc(float(value) * 10**digits) / 10**digits:.{digits}f}"


PRINTING: Mapping[str, Callable[[Fraction, int], str]] = {
    "half up": _decimal(ROUND_HALF_UP),
    "half to even": _decimal(ROUND_HALF_EVEN),
    "truncated": _decimal(ROUND_DOWN),
    "truncated floats": _float_truncated,
}


@dataclass(frozen=True)
class TrueTable:
    """A table as printed, with the number of questions of each column, and rules that it obeys."""

    cells: Cells
    sizes: dict[str, int]
    digits: int
    printing: str
    related: frozenset[tuple[str, str]] = field(default_factory=frozenset)

    def with_cells(self, cells: Cells) -> TrueTable:
        """Return the same table with other cells."""
        return replace(self, cells=cells)

    @property
    def rules(self) -> str:
        """Return the table's rules, as `audit.toml`."""
        shares = "\n".join(f'"{column}" = {n}' for column, n in self.sizes.items())
        names = ", ".join(f"'{column}'" for column in self.sizes)
        first, second = list(self.sizes)[:2]
        rows = (("avg", f"mean({names})"), ("std", f"std({names})"), ("gap", f"'{first}' - '{second}'"))
        derived = "".join(
            f'[[derived]]\ntable = "T"\ntarget = "{name}"\nformula = "{formula}"\nwhy = "simulated"\n'
            for name, formula in rows
            if any(name in cells for cells in self.cells.values())
        )
        return (
            f'{derived}[[shares]]\ntable = "T"\nwhy = "simulated"\n[shares.n]\n{shares}\n'
            f'[[distinct]]\ntable = "T"\ncolumns = ["c*"]\n'
        )

    def write(self, folder: Path) -> Path:
        """Write the table and its rules as a benchmark's folder holds them."""
        (folder / "published").mkdir(parents=True, exist_ok=True)
        lines = [f"toy,T,{row},{c},{value}" for row, cells in self.cells.items() for c, value in cells.items()]
        text = "\n".join(["paper,table,model,column,value", *lines]) + "\n"
        (folder / "published" / "tables.csv").write_text(text, encoding="utf-8")
        (folder / "audit.toml").write_text(self.rules, encoding="utf-8")
        return folder


def true_table(rng: random.Random, printing: str) -> TrueTable:
    """Return a table of 5 to 30 models on 4 to 16 sets of 20 to 2,000 questions; a third of the models are related."""
    one_size = rng.random() < 0.4
    size = _size(rng)
    sizes = {f"c{place}": size if one_size else _size(rng) for place in range(rng.randint(4, 16))}
    counts: dict[str, dict[str, int]] = {}
    related = set()
    for number in range(rng.randint(5, 30)):
        name = f"m{number}"
        if counts and rng.random() < 1 / 3:
            base = rng.choice(list(counts))
            counts[name] = _sibling(rng, counts[base], sizes)
            related.add((base, name))
        else:
            ability = rng.gauss(0.3, 1)
            counts[name] = {c: _hits(rng, n, _logistic(ability + rng.gauss(0, 0.7))) for c, n in sizes.items()}
    digits = rng.choice((1, 2, 2))
    cells = {name: printed_row(own, sizes, digits, printing) for name, own in counts.items()}
    return TrueTable(cells, sizes, digits, printing, frozenset(related))


def _size(rng: random.Random) -> int:
    return round(math.exp(rng.uniform(math.log(20), math.log(2000))))


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def _hits(rng: random.Random, n: int, rate: float) -> int:
    return sum(rng.random() < rate for _ in range(n))


def _sibling(rng: random.Random, base: Mapping[str, int], sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the counts of a related model: up to two apart; or a fine-tune that answers a small share of the questions
    differently, in all columns, or in half of them."""
    kind = rng.choice(("two apart", "two apart", "fine-tune", "fine-tune of half"))
    share = math.exp(rng.uniform(math.log(0.005), math.log(0.1)))
    found = {}
    for place, (column, k) in enumerate(base.items()):
        n = sizes[column]
        if kind == "two apart" or (kind == "fine-tune of half" and place % 2):
            moved = rng.randint(-2, 2)
        else:
            moved = _hits(rng, n - k, share / 2) - _hits(rng, k, share / 2)
        found[column] = min(max(k + moved, 0), n)
    return found


def printed_row(counts: Mapping[str, int], sizes: Mapping[str, int], digits: int, printing: str) -> dict[str, str]:
    """Return a row as printed: shares, their mean and standard deviation, and the difference of the first two."""
    show = PRINTING[printing]
    exact = {c: Fraction(100 * k, sizes[c]) for c, k in counts.items()}
    values = list(exact.values())
    derived = {
        "avg": sum(values, Fraction(0)) / len(values),
        "std": Fraction(stdev(map(float, values))),
        "gap": values[0] - values[1],
    }
    return {name: show(value, digits) for name, value in {**exact, **derived}.items()}
