"""Tests of `audit/anyone`: s."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import audit_tables
from triptych.cli.main import main
from triptych.records import Finding

# Shares of 200, 150 and 120 questions, and their means, worked out by hand.
HEAD = ["Model", "Speech", "Music", "Sound", "Avg"]
ROWS = [
    ["Alpha", "60.50", "70.67", "50.83", "60.67"],
    ["Beta", "61.00", "72.00", "55.00", "62.67"],
    ["Gamma", "44.50", "51.33", "35.00", "43.61"],
    ["Delta", "70.50", "66.67", "61.67", "66.28"],
    ["Epsilon", "81.00", "77.33", "72.50", "76.94"],
    ["Zeta", "33.50", "41.33", "38.33", "37.72"],
]


def markdown(rows: list[list[str]], head: list[str] = HEAD) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines) + "\n"


def found(folder: Path, text: str, name: str = "t.md", **options: object) -> list[Finding]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return audit_tables(path, **options)  # type: ignore[arg-type]


def exit_code(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(["audit", "tables", *arguments])
    return ended.value.code


def changed(row: int, column: int, text: str) -> list[list[str]]:
    return [[text if (r, c) == (row, column) else own for c, own in enumerate(line)] for r, line in enumerate(ROWS)]


RULES = """
[[derived]]
table = "t.md#1"
target = "Avg"
formula = "mean('Speech', 'Music', 'Sound')"
why = "the README says so"

[shares]
"""
