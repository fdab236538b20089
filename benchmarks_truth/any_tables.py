"""`audit tables FILE…` on tables that are true by construction, without rules, and on the same with a planted fault."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks_truth.table_faults import Planted, copied_row, partly_copied_row, wrong_average
from benchmarks_truth.true_tables import PRINTING, TrueTable, true_table
from triptych.audit.anyone.check import check_sheets
from triptych.audit.sheets.reading import read_sheets
from triptych.records import Finding

KINDS = ("md", "tex", "csv")  # formats in which tables are written, in turn


@dataclass(frozen=True)
class Written:
    """A table as a file would have it: header, rows of cells as text, and what `--n` states."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    stated: Mapping[str, int]
    second: tuple[tuple[str, ...], ...] = ()  # rows of a second table with some of the columns

    def text(self, kind: str) -> str:
        """Return the table in Markdown, LaTeX or CSV."""
        tables = [(self.head, self.rows)]
        if self.second:
            tables.append((self.head[: len(self.second[0])], self.second))
        return "\n\n".join(_written(head, rows, kind) for head, rows in tables) + "\n"


def _written(head: Sequence[str], rows: Sequence[Sequence[str]], kind: str) -> str:
    if kind == "md":
        return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))
    if kind == "tex":
        body = " \\\\\n".join(" & ".join(row) for row in rows)
        spec = "l" + "c" * (len(head) - 1)
        return (
            f"\\begin{{tabular}}{{{spec}}}\n\\toprule\n{' & '.join(head)} \\\\\n\\midrule\n{body} \\\\\n\\bottomrule\n"
            "\\end{tabular}"
        )
    return "\n".join(",".join(row) for row in (head, *rows))


def written(table: TrueTable, stated: bool) -> Written:
    """Return a simulated table as a file; `stated`: the numbers of questions are stated with `--n`."""
    columns = list(next(iter(table.cells.values())))
    rows = tuple((name, *(own.get(c, "-") for c in columns)) for name, own in table.cells.items())
    return Written(("Model", *columns), rows, dict(table.sizes) if stated else {})


def audited(table: Written, kind: str) -> list[Finding]:
    """Return the findings on a table, without rules."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t.{kind}"
        path.write_text(table.text(kind), encoding="utf-8")
        return check_sheets(read_sheets(path), table.stated)


def false_alarms(tables: int, seed: int = 0) -> dict[str, Any]:
    """Return, for true tables in each format and way of printing, the findings by severity and kind, and the number of
    tables with a severe one. In half of the tables the numbers of questions are stated, in the others inferred."""
    rng, found, severe, warned = random.Random(seed), Counter[str](), 0, 0
    for number in range(tables):
        table = true_table(rng, list(PRINTING)[number % len(PRINTING)])
        told = audited(written(table, stated=number % 2 == 0), KINDS[number % len(KINDS)])
        found.update(f"{f.severity} {f.kind}" for f in told)
        severe += any(f.severity == "severe" for f in told)
        warned += any(f.severity != "note" for f in told)
    return {
        "tables": tables,
        "tables_with_severe": severe,
        "tables_with_severe_or_warning": warned,
        "findings": dict(sorted(found.items())),
    }


@dataclass(frozen=True)
class Fault:
    """A written table with a fault, and what a finding on it must name."""

    table: Written
    kinds: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]


def _with(table: Written, row: int, column: int, text: str) -> Written:
    rows = [list(own) for own in table.rows]
    rows[row][column] = text
    return replace(table, rows=tuple(map(tuple, rows)))


def _of(
    plant: Callable[[TrueTable, random.Random], Planted | None],
) -> Callable[[TrueTable, random.Random], Fault | None]:
    def made(table: TrueTable, rng: random.Random) -> Fault | None:
        planted = plant(table, rng)
        if planted is None:
            return None
        return Fault(written(planted.table, stated=False), planted.kinds, planted.rows, planted.columns)

    return made


def impossible(stated: bool) -> Callable[[TrueTable, random.Random], Fault | None]:
    """Return a planter of a share that is more than a unit of the last digit from any k of n, in a table of two
    decimals on 30 to 1,000 questions without derived figures."""

    def made(table: TrueTable, rng: random.Random) -> Fault | None:
        sizes = {c: n for c, n in table.sizes.items() if 30 <= n <= 1000}
        if table.digits != 2 or not sizes:
            return None
        row, column = rng.choice(list(table.cells)), rng.choice(list(sizes))
        n = sizes[column]
        k, part = rng.randint(1, n - 2), rng.uniform(0.3, 0.7)
        text = f"{100 * (k + part) / n:.2f}"
        if min(abs(float(text) - 100 * j / n) for j in (k, k + 1)) <= 0.011:
            return None
        cells = {name: {c: own[c] for c in table.sizes} for name, own in table.cells.items()}
        cells[row][column] = text
        own = written(table.with_cells(cells), stated)
        return Fault(own, ("impossible", "misprint"), (row,), (column,))

    return made


def wrong_difference(table: TrueTable, rng: random.Random) -> Fault | None:
    """A difference of two columns that is off by 0.6 to 9 points."""
    own = written(table, stated=False)
    place = own.head.index("gap")
    row = rng.randrange(len(own.rows))
    off = rng.choice((-1, 1)) * rng.uniform(0.6, 9)
    text = f"{float(own.rows[row][place]) + off:.{table.digits}f}"
    kinds = ("average", "misprint")
    return Fault(_with(own, row, place, text), kinds, (own.rows[row][0],), ("gap",))


def exchanged_digits(table: TrueTable, rng: random.Random) -> Fault | None:
    """An average with its first two digits exchanged."""
    own = written(table, stated=False)
    place, row = own.head.index("avg"), rng.randrange(len(own.rows))
    old = own.rows[row][place]
    if len(old.partition(".")[0]) != 2 or old[0] == old[1]:
        return None
    return Fault(
        _with(own, row, place, old[1] + old[0] + old[2:]), ("average", "misprint"), (own.rows[row][0],), ("avg",)
    )


def shifted_point(table: TrueTable, rng: random.Random) -> Fault | None:
    """A share with its decimal point one position to the left."""
    own = written(table, stated=False)
    place, row = rng.randrange(1, 1 + len(table.sizes)), rng.randrange(len(own.rows))
    old = own.rows[row][place]
    if len(old.partition(".")[0]) != 2:
        return None
    text = f"{old[0]}.{old[1]}{old[3:]}"
    columns = (own.head[place], "avg", "gap")
    return Fault(_with(own, row, place, text), ("average", "misprint", "impossible"), (own.rows[row][0],), columns)


def out_of_range(table: TrueTable, rng: random.Random) -> Fault | None:
    """An accuracy over 100."""
    own = written(table, stated=False)
    head = ("Model", *(f"{c} acc" for c in table.sizes))
    rows = tuple(row[: len(head)] for row in own.rows)
    row, place = rng.randrange(len(rows)), rng.randrange(1, len(head))
    wrong = _with(replace(own, head=head, rows=rows), row, place, f"{rng.uniform(101, 900):.{table.digits}f}")
    return Fault(wrong, ("impossible", "misprint"), (rows[row][0],), (head[place],))


def wrong_order(table: TrueTable, rng: random.Random) -> Fault | None:
    """R@5 below R@1 in one row."""
    columns = list(table.sizes)[:2]
    rows = [[name, *sorted((own[c] for c in columns), key=float)] for name, own in table.cells.items()]
    row = rng.randrange(len(rows))
    if float(rows[row][2]) - float(rows[row][1]) < 0.2:
        return None
    rows[row][1], rows[row][2] = rows[row][2], rows[row][1]
    own = Written(("Model", "R@1", "R@5"), tuple(map(tuple, rows)), {})
    return Fault(own, ("ordering",), (rows[row][0],), ("R@1", "R@5"))


def two_values(table: TrueTable, rng: random.Random) -> Fault | None:
    """A second table repeats the first columns, with another value in one cell."""
    own = written(table, stated=False)
    width = 1 + len(table.sizes)
    rows = [list(row[:width]) for row in own.rows]
    row, place = rng.randrange(len(rows)), rng.randrange(1, width)
    rows[row][place] = f"{min(float(rows[row][place]) + rng.uniform(0.6, 9), 99):.{table.digits}f}"
    if rows[row][place] == own.rows[row][place]:
        return None
    return Fault(replace(own, second=tuple(map(tuple, rows))), ("mismatch",), (rows[row][0],), (own.head[place],))


def wrong_bold(table: TrueTable, rng: random.Random) -> Fault | None:
    """The best figure of each column is bold, of one column another one."""
    columns = list(table.sizes)
    if len(columns) < 6:
        return None
    own = written(replace(table, cells={n: {c: c_[c] for c in columns} for n, c_ in table.cells.items()}), stated=False)
    rows = [list(row) for row in own.rows]
    odd = rng.randrange(1, len(own.head))
    marked = ""
    for place in range(1, len(own.head)):
        ordered = sorted(rows, key=lambda row: -float(row[place].strip("*")))
        best = ordered[len(rows) // 2] if place == odd else ordered[0]
        if place == odd and float(best[place]) >= float(ordered[0][place]):
            return None
        marked = best[0] if place == odd else marked
        best[place] = f"**{best[place]}**"
    return Fault(replace(own, rows=tuple(map(tuple, rows))), ("mark",), (marked,), (own.head[odd],))


def wrong_margin(table: TrueTable, rng: random.Random) -> Fault | None:
    """Shares of n questions with their standard errors; one is half as large again, or two thirds."""
    column, n = next(iter(table.sizes.items()))
    shares = {name: float(own[column]) / 100 for name, own in table.cells.items()}
    shares = {name: p for name, p in shares.items() if 0.05 < p < 0.95}
    if len(shares) < 6 or n < 50:
        return None
    odd = rng.choice(list(shares))
    factor = rng.choice((1.5, 2 / 3))
    errors = {name: (p * (1 - p) / n) ** 0.5 * (factor if name == odd else 1) for name, p in shares.items()}
    rows = tuple((name, f"{100 * p:.2f} ± {100 * errors[name]:.2f}") for name, p in shares.items())
    return Fault(Written(("Model", "Acc"), rows, {}), ("average", "impossible"), (odd,), ("Acc",))


FAULTS: Mapping[str, Callable[[TrueTable, random.Random], Fault | None]] = {
    "average off by 0.6 to 9": _of(wrong_average),
    "average with two digits exchanged": exchanged_digits,
    "difference off by 0.6 to 9": wrong_difference,
    "decimal point shifted": shifted_point,
    "impossible share, n stated": impossible(True),
    "impossible share, n inferred": impossible(False),
    "copied row": _of(copied_row),
    "two thirds of a row copied": _of(partly_copied_row),
    "accuracy over 100": out_of_range,
    "R@5 below R@1": wrong_order,
    "another value in a second table": two_values,
    "bold, but not the best": wrong_bold,
    "standard error of another n": wrong_margin,
}


def hits(fault: Fault, found: Sequence[Finding]) -> list[Finding]:
    """Return the findings that name a planted fault."""
    return [
        f
        for f in found
        if f.kind in fault.kinds and set(fault.rows) & set(f.rows) and set(fault.columns) & set(f.columns)
    ]


def recall(each: int, seed: int = 1) -> dict[str, dict[str, int]]:
    """Return, by kind of fault: how many were planted, found at all, found as severe or as a warning; and the other
    severe findings and warnings on the same tables, which are false."""
    rng = random.Random(seed)
    names = ("planted", "found", "severe or warning", "severe", "other severe", "other warning")
    counts = {kind: dict.fromkeys(names, 0) for kind in FAULTS}
    for kind, plant in FAULTS.items():
        own = counts[kind]
        while own["planted"] < each:
            fault = plant(true_table(rng, list(PRINTING)[own["planted"] % len(PRINTING)]), rng)
            if fault is None:
                continue
            format_ = KINDS[own["planted"] % len(KINDS)]
            told = audited(fault.table, "md" if kind == "bold, but not the best" else format_)
            mine = hits(fault, told)
            others = [f for f in told if not set(fault.rows) & set(f.rows)]
            own["planted"] += 1
            own["found"] += bool(mine)
            own["severe or warning"] += any(f.severity != "note" for f in mine)
            own["severe"] += any(f.severity == "severe" for f in mine)
            own["other severe"] += sum(f.severity == "severe" for f in others)
            own["other warning"] += sum(f.severity == "warning" for f in others)
    return counts
