"""Released question files -> Items, one file at a time. Files are told apart by their fields, not by their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from triptych.benchmarks.cmdar.rows import KINDS, Kind, Report, fault_of, first_row, kind_of, read_rows, to_item
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError
from triptych.records import Item, Problem


def question_files(data: Path) -> dict[Kind, list[Path]]:
    """The files of each kind under `data` (a folder, or one file), the one to read first.

    They lie at the top, or else one folder down. Of several of a kind a file of questions alone comes before one
    with a model's outputs, then they go by name.
    """
    found: dict[Kind, list[tuple[bool, Path]]] = {}
    for path in candidates(data):
        row = first_row(path)
        if kind := kind_of(row):
            found.setdefault(kind, []).append(("model_output" in row, path))
    return {kind: [path for _, path in sorted(found[kind])] for kind in KINDS if kind in found}


def source_files(data: Path) -> list[Path]:
    """The question files that are read, in the Tasks' order."""
    return [paths[0] for paths in question_files(data).values()]


def read(spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec], report: Report) -> Iterator[Item]:
    """The Items of the Tasks, in the files' order. A Task whose file isn't there has none (`check` says so).

    Rows that can't be asked, and rows whose id came before, are reported and left out. Raises DataError where none
    of the Tasks has a file.
    """
    files = question_files(data)
    if not any(task.id in files for task in tasks):
        expected = "MDAR-main.json, CMDAR-main_hf.json or the like, with the released fields"
        raise DataError("no question file of these tasks here", where=data, expected=expected)
    for kind in KINDS:
        if kind in files and any(task.id == kind for task in tasks):
            yield from read_file(files[kind][0], kind, report)


def read_file(path: Path, kind: Kind, report: Report) -> Iterator[Item]:
    """The Items of one file of a known kind."""
    seen: set[str] = set()
    for position, row in read_rows(path, report):
        id_, where = row.item_id(kind, position), f"{path}[{position}]"
        if fault := fault_of(row, kind):
            report(Problem("error", "malformed-row", where, f"{id_}: {fault}", f"cmdar/{kind}"))
        elif id_ in seen:
            report(Problem("error", "id-doubled", where, f"the id {id_} came before", f"cmdar/{kind}"))
        else:
            seen.add(id_)
            yield to_item(row, kind, position)


def candidates(data: Path) -> list[Path]:
    """The JSON files that may hold questions, whatever is in them."""
    if data.is_file():
        return [data]
    top = sorted(p for p in data.glob("*.json*") if p.is_file())
    return top if any(kind_of(first_row(p)) for p in top) else sorted(p for p in data.glob("*/*.json*") if p.is_file())
