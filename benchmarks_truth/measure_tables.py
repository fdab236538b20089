"""False alarms of `audit tables` on true tables, and recall of planted faults."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks_truth.table_faults import FAULTS, Planted
from benchmarks_truth.true_tables import PRINTING, TrueTable, true_table
from triptych.audit.tables.check import audit_folder
from triptych.records import Finding


def audited(table: TrueTable) -> list[Finding]:
    """Return the findings on a table, by its rules."""
    with tempfile.TemporaryDirectory() as folder:
        return audit_folder("toy", table.write(Path(folder)))


def false_alarms(tables: int, seed: int = 0) -> dict[str, Any]:
    """Return, for true tables in each way of printing, the number of findings by severity and kind, and of tables with
    a severe one."""
    rng, found, severe, cells = random.Random(seed), Counter[str](), 0, 0
    by_printing = Counter[str]()
    for number in range(tables):
        printing = list(PRINTING)[number % len(PRINTING)]
        table = true_table(rng, printing)
        cells += sum(map(len, table.cells.values()))
        told = audited(table)
        found.update(f"{f.severity} {f.kind}" for f in told)
        alarms = sum(f.severity == "severe" for f in told)
        by_printing[printing] += alarms
        severe += bool(alarms)
    return {
        "tables": tables,
        "cells": cells,
        "tables_with_severe": severe,
        "severe": {printing: by_printing[printing] for printing in PRINTING},
        "findings": dict(sorted(found.items())),
    }


def hits(planted: Planted, found: Sequence[Finding]) -> list[Finding]:
    """Return the findings that name a planted fault."""
    return [
        f
        for f in found
        if f.kind in planted.kinds and set(planted.rows) & set(f.rows) and set(planted.columns) & set(f.columns)
    ]


def recall(each: int, seed: int = 1) -> dict[str, dict[str, int]]:
    """Return, by kind of fault: how many were planted, found at all, and found as severe."""
    rng = random.Random(seed)
    counts = {kind: {"planted": 0, "found": 0, "severe": 0} for kind in FAULTS}
    for kind, plant in FAULTS.items():
        while counts[kind]["planted"] < each:
            table = true_table(rng, list(PRINTING)[counts[kind]["planted"] % len(PRINTING)])
            if (planted := plant(table, rng)) is None:
                continue
            own = hits(planted, audited(planted.table))
            counts[kind]["planted"] += 1
            counts[kind]["found"] += bool(own)
            counts[kind]["severe"] += any(f.severity == "severe" for f in own)
    return counts
