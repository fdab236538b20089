"""Audit the tables of public repositories: `python -m benchmarks_truth.field --clones DIR [--findings] [--cells N]`.

`field.csv` lists the tables: repository, commit, date of the commit, path, table in the file. The files themselves are
not kept here. DIR holds a clone of each repository, as DIR/OWNER+NAME (or DIR/OWNER+NAME/repo); a missing one is cloned
there from GitHub with `--clone`.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from triptych.audit.anyone.check import check_sheets
from triptych.audit.sheets.reading import read_sheets
from triptych.audit.sheets.sheet import Sheet
from triptych.records import Finding

HERE = Path(__file__).parent


class Listed(NamedTuple):
    """A file of a repository, and the numbers of its tables that are listed."""

    repository: str
    commit: str
    date: str
    path: str
    tables: tuple[int, ...]

    @property
    def address(self) -> str:
        """Return the file's address at that commit."""
        return f"https://github.com/{self.repository}/blob/{self.commit}/{self.path}"


def listed(path: Path = HERE / "field.csv") -> list[Listed]:
    """Return the listed files in their order."""
    found: dict[tuple[str, str, str, str], list[int]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = (row["repository"], row["commit"], row["date"], row["path"])
            found.setdefault(key, []).append(int(row["table"]))
    return [Listed(*key, tuple(tables)) for key, tables in found.items()]


def contents(one: Listed, clones: Path, clone: bool) -> bytes:
    """Return a file as it was at its commit. Raises FileNotFoundError without a clone."""
    folder = clones / one.repository.replace("/", "+")
    folder = folder / "repo" if (folder / "repo").is_dir() else folder
    if not folder.is_dir():
        if not clone:
            raise FileNotFoundError(f"{folder}: clone https://github.com/{one.repository} there, or use --clone")
        address = f"https://github.com/{one.repository}"
        subprocess.run(["git", "clone", "--quiet", "--bare", address, str(folder)], check=True)
    command = ["git", "-C", str(folder), "show", f"{one.commit}:{one.path}"]
    return subprocess.run(command, check=True, capture_output=True).stdout


def sheets_of(one: Listed, data: bytes) -> list[Sheet]:
    """Return the listed tables of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{Path(one.path).suffix}"
        path.write_bytes(data)
        every = read_sheets(path, f"{one.repository}/{one.path}")
    return [sheet for sheet in every if number_of(sheet) in one.tables]


def number_of(sheet: Sheet) -> int:
    """Return the number of a table in its file."""
    return int("".join(c for c in sheet.name.rpartition("#")[2] if c.isdigit()))


def audited(clones: Path, clone: bool = False) -> Iterator[tuple[Listed, list[Sheet], list[Finding]]]:
    """Yield each listed file, its tables, and the findings on them."""
    for one in listed():
        sheets = sheets_of(one, contents(one, clones, clone))
        yield one, sheets, check_sheets(sheets)


def sample(sheets: Sequence[tuple[Listed, Sheet]], tables: int, seed: int = 0) -> list[tuple[Listed, Sheet]]:
    """Return tables drawn at random, to be compared with their source cell by cell."""
    return random.Random(seed).sample(list(sheets), min(tables, len(sheets)))


def main() -> None:
    """Print counts, findings, or the cells of a sample as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks_truth.field", description=__doc__)
    parser.add_argument("--clones", type=Path, required=True, help="folder of clones")
    parser.add_argument("--clone", action="store_true", help="clone what is missing from GitHub")
    parser.add_argument("--findings", action="store_true", help="print every finding that is not a note")
    parser.add_argument("--cells", type=int, default=0, help="print the cells of this many tables, drawn at random")
    chosen = parser.parse_args()
    every = list(audited(chosen.clones, chosen.clone))
    if chosen.cells:
        drawn = sample([(one, sheet) for one, sheets, _ in every for sheet in sheets], chosen.cells)
        for one, sheet in drawn:
            cells = {r: {c: f.text for c, f in own.items()} for r, own in sheet.cells.items()}
            print(json.dumps({"address": one.address, "line": sheet.line, "table": sheet.name, "cells": cells}))
        return
    found = [f for _, _, own in every for f in own]
    counts = {
        "repositories": len({one.repository for one, _, _ in every}),
        "files": len(every),
        "tables": sum(len(sheets) for _, sheets, _ in every),
        "figures": sum(len(own) for _, sheets, _ in every for sheet in sheets for own in sheet.cells.values()),
        "findings": dict(sorted(Counter(f"{f.severity} {f.kind}" for f in found).items())),
    }
    print(json.dumps(counts, indent=1))
    if chosen.findings:
        for f in found:
            if f.severity != "note":
                cells = f"{', '.join(f.rows[:3])} · {', '.join(f.columns[:3])}"
                print(f"\n{f.id}\n{f.severity} {f.kind}  {cells}\n{f.message}")


if __name__ == "__main__":
    main()
