"""Measure the audit's error rates: `python -m benchmarks_truth [--tables N] [--faults N] [--runs N] [--seed S]`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks_truth import any_tables, clean_runs
from benchmarks_truth.measure_tables import false_alarms, recall


def main() -> None:
    """Print one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks_truth", description=__doc__)
    parser.add_argument("--tables", type=int, default=1000, help="number of true tables")
    parser.add_argument("--faults", type=int, default=100, help="number of tables with a planted fault, per kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--any", action="store_true", help="tables of files, without rules")
    parser.add_argument("--to", type=Path, help="file to write as well, as benchmarks_truth/any_tables.json")
    parser.add_argument("--runs", type=int, default=0, help="audit this many clean Runs instead of tables")
    chosen = parser.parse_args()
    if chosen.runs:
        print(json.dumps(clean_runs.false_alarms(chosen.runs, chosen.seed), indent=1, ensure_ascii=False))
        return
    alarms, found = (any_tables.false_alarms, any_tables.recall) if chosen.any else (false_alarms, recall)
    measured = {
        "true tables": alarms(chosen.tables, chosen.seed),
        "recall": found(chosen.faults, chosen.seed + 1),
    }
    text = json.dumps(measured, indent=1)
    if chosen.to:
        chosen.to.write_text(f"{text}\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
