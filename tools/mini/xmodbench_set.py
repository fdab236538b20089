"""The XModBench-like mini set: its raw material. Nothing is left to people: the table of triplets holds everything."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tools.mini.meanings import Row, Workshop, named_lines
from tools.mini.speech import Line

FOLDER = Path(__file__).with_name("xmodbench")
COLUMNS = (
    "id",
    "subtask",
    "text",
    "audio",
    "image",
    "video",
    "target_text",
    "target_audio",
    "target_image",
    "target_video",
    "group",
    "category",
    "relation",
    "language",
    "consent",
)


def make_material(to: Path, work: Path) -> None:
    """Writes `to/media/…` and `to/triplets.csv`."""
    write_table(to / "triplets.csv", list(Workshop(content(), to, work).rows()))


def write_table(path: Path, rows: Sequence[Row]) -> None:
    """Writes the rows, with all columns."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def spoken() -> dict[str, Line]:
    """Every spoken recording, below the folder -> what is said in it."""
    return {f"media/{name}.ogg": line for line, name in named_lines(content())}


@cache
def content() -> dict[str, Any]:
    """What is said, shown and asked, as it was written."""
    return tomllib.loads((FOLDER / "content.toml").read_text(encoding="utf-8"))
