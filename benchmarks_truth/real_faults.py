"""Plant faults in tables of public repositories: `python -m benchmarks_truth.real_faults --clones DIR [--clone]`.

Only tables of the field without any finding that is not a note get a fault, one at a time, where a check can apply: an
average or sum that all other lines give, a share in a column whose number of questions is known or inferred, a row of
six or more figures, a metric that is at most 100.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks_truth.field import audited
from triptych.audit.anyone.check import check_sheets
from triptych.audit.anyone.counted import questions_of
from triptych.audit.anyone.names import is_average, is_change, is_limited, is_meta
from triptych.audit.anyone.relations import relations
from triptych.audit.anyone.view import interval, views
from triptych.audit.sheets.sheet import Sheet
from triptych.audit.tables.interval import digits_of
from triptych.audit.tables.shares import is_share

Fault = tuple[str, str, dict[str, str]]  # row, a column of it, the texts that its cells get


def averages(sheet: Sheet, rng: random.Random) -> Iterator[Fault]:
    """An average, sum or difference that is off by 0.6 to 9, in a table where six or more lines follow."""
    for view in views(sheet):
        for own in relations(view):
            if not own.breaks and len(own.follows) >= 6:
                line = rng.choice(own.follows)
                old = view.lines[line][own.target]
                digits = digits_of(old.text)
                off = max(rng.uniform(0.6, 9), 6 * 10.0**-digits) * rng.choice((-1, 1))
                (row,), (column,) = view.rows_and_columns([line], [own.target])
                yield row, column, {column: f"{old.value + off:.{digits}f}"}


def shares(sheet: Sheet, rng: random.Random) -> Iterator[Fault]:
    """A share that no whole number of a column's questions gives, more than one unit of the last digit away."""
    for column, own in questions_of(sheet, {}).items():
        cells = sheet.column(column)
        if len(cells) < 6 or not all(is_share(interval(f, own.printing), own.n, own.scale) for f in cells.values()):
            continue
        row = rng.choice(list(cells))
        digits = digits_of(cells[row].text)
        middle = (rng.randint(1, own.n - 2) + 0.5) * own.scale / own.n
        if own.scale / own.n > 4 * 10.0**-digits:
            yield row, column, {column: f"{middle:.{digits}f}"}


def copies(sheet: Sheet, rng: random.Random) -> Iterator[Fault]:
    """A row that repeats another one in all of its six or more figures with decimals."""
    full = [r for r, own in sheet.cells.items() if sum(bool(digits_of(f.text)) for f in own.values()) >= 6]
    if len(full) >= 4:
        first, second = rng.sample(full, 2)
        shared = [c for c in sheet.cells[first] if c in sheet.cells[second]]
        kept = [c for c in shared if not (is_meta(c) or is_change(c) or is_average(c))]
        if len(kept) >= 6:
            yield second, kept[0], {c: sheet.cells[first][c].text for c in shared}


def limits(sheet: Sheet, rng: random.Random) -> Iterator[Fault]:
    """An accuracy or another limited metric above 100."""
    for column in sheet.columns:
        cells = sheet.column(column)
        if is_limited(column) and len(cells) >= 4 and max(f.value for f in cells.values()) > 1:
            row = rng.choice(list(cells))
            yield row, column, {column: f"{cells[row].value + 100:.{digits_of(cells[row].text)}f}"}


KINDS: dict[str, Callable[[Sheet, random.Random], Iterator[Fault]]] = {
    "average off by 0.6 to 9": averages,
    "impossible share": shares,
    "copied row": copies,
    "metric over 100": limits,
}


def planted(sheet: Sheet, fault: Fault) -> Sheet:
    """Return a copy of a table with a fault."""
    row, _, texts = fault
    own = copy.deepcopy(sheet)
    own.cells[row] |= {column: replace(own.cells[row][column], text=text) for column, text in texts.items()}
    return own


def recall(sheets: Sequence[Sheet], seed: int = 0) -> dict[str, dict[str, int]]:
    """Return by kind: faults planted, found, found as severe, and severe findings that name another row."""
    rng = random.Random(seed)
    clean = [s for s in sheets if not any(f.severity != "note" for f in check_sheets([s]))]
    found = {kind: dict.fromkeys(("planted", "found", "severe", "other severe"), 0) for kind in KINDS}
    for kind, plant in KINDS.items():
        own = found[kind]
        for sheet in clean:
            for row, column, texts in plant(sheet, rng):
                told = check_sheets([planted(sheet, (row, column, texts))])
                mine = [f for f in told if row in f.rows and set(f.columns) & texts.keys()]
                own["planted"] += 1
                own["found"] += bool(mine)
                own["severe"] += any(f.severity == "severe" for f in mine)
                own["other severe"] += sum(f.severity == "severe" and row not in f.rows for f in told)
    return {"clean tables": {"tables": len(clean)}, **found}


def main() -> None:
    """Print one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks_truth.real_faults", description=__doc__)
    parser.add_argument("--clones", type=Path, required=True, help="folder of clones")
    parser.add_argument("--clone", action="store_true", help="clone what is missing from GitHub")
    chosen = parser.parse_args()
    sheets = [sheet for _, own, _ in audited(chosen.clones, chosen.clone) for sheet in own]
    print(json.dumps(recall(sheets), indent=1))


if __name__ == "__main__":
    main()
