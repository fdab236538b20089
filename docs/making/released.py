"""Count what XModBench's authors released, file by file: run once over their repository, it writes a small table.

    python docs/making/released.py REPOSITORY      -> docs/making/claims/xmodbench_released.csv

The figures of the documentation about these results are recomputed from the table (docs/making/claims), since the results
themselves are not in this repository. Each row: folder, system, file, rows, answered (the file's own count, which includes empty
replies that it stores as null), correct, the most frequent reply and how often it stands, and whether the rows have `original_response`.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent / "claims/xmodbench_released.csv"
FOLDERS = ("results", "results_mini_benchmark")
HEADING = ["folder", "system", "file", "rows", "answered", "correct", "most_frequent", "times", "original_response"]


def main(repository: Path) -> None:
    """Write the table."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADING)
        writer.writerows(row for folder in FOLDERS for row in counted(repository / "benchmark" / folder, folder))


def counted(place: Path, folder: str) -> Iterator[list[Any]]:
    """A row for each result file below `place`."""
    for path in sorted(place.glob("*/*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        results = document.get("results") if isinstance(document, dict) else None
        if isinstance(results, dict):
            rows = [row for row in results.values() if isinstance(row, dict)]
            replies = [row.get("response") for row in rows]
            answered = [row for row in rows if row.get("response") is not None]
            told = document.get("all_count")
            given = told if isinstance(told, int) and len(answered) <= told <= len(rows) else len(answered)
            correct = sum(str(r["response"]).strip().upper() == r.get("correct_answer") for r in answered)
            reply, times = Counter(str(r) for r in replies if r is not None).most_common(1)[0] if answered else ("", 0)
            kept = any("original_response" in row for row in rows)
            yield [folder, path.parent.name, path.stem, len(rows), given, correct, reply[:12], times, int(kept)]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
