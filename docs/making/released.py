"""Count what XModBench's authors released, Task by Task: run once over their repository, it writes a small table.

    python docs/making/released.py REPOSITORY      -> docs/making/claims/xmodbench_released.csv

The figures of the documentation about these results are recomputed from the table (docs/making/claims), since the
results themselves are not in this repository. Each row: folder, system, task, rows, answered, correct, the most
frequent reply and how often it stands, and how many rows the file itself counts (with empty replies, stored as null).
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triptych import load_benchmark

TABLE = Path(__file__).parent / "claims/xmodbench_released.csv"
FOLDERS = ("results", "results_mini_benchmark")
HEADING = ["folder", "system", "task", "rows", "answered", "correct", "most_frequent", "times", "counted"]


def main(repository: Path) -> None:
    """Write the table."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADING)
        for folder in FOLDERS:
            for system in sorted((repository / "benchmark" / folder).glob("*/")):
                writer.writerows([folder, system.name, *row] for row in counted(system))


def counted(system: Path) -> Iterator[list[Any]]:
    """A row for each Task of one system, as our reader understands its files."""
    outputs = load_benchmark("xmodbench").outputs([system], {})
    by_task: dict[str, list[tuple[Any, Any]]] = defaultdict(list)
    for name, item in outputs.items.items():
        by_task[item.task].append((item, outputs.responses.get(name)))
    for task, rows in sorted(by_task.items()):
        answered = [(item, reply) for item, reply in rows if reply is not None and reply.status == "answered"]
        correct = sum(reply.text.strip().upper() == item.target for item, reply in answered)
        common = Counter(reply.text[:12] for _, reply in answered).most_common(1)
        reply, times = common[0] if common else ("", 0)
        told = (outputs.stored.get(task) or {}).get("all_count")
        counted = told if isinstance(told, int) and len(answered) <= told <= len(rows) else len(answered)
        yield [task.removeprefix("xmodbench/"), len(rows), len(answered), correct, reply, times, counted]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
