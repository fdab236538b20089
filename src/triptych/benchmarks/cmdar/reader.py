"""Released question files -> Items, one file at a time. Files are recognised by their fields, not by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from triptych.benchmarks.cmdar.rows import KINDS, Kind, Report, fault_of, first_row, kind_of, read_rows, to_item
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError
from triptych.records import Item, Problem


def question_files(data: Path) -> dict[Kind, list[Path]]:
    """Return the files of each kind under `data` (a folder, or one file); the first of each is read.

    They are at the top level or one folder down. Files with only questions come before those with a model's outputs;
    otherwise they are sorted by name.
    """
    files_by_kind: dict[Kind, list[tuple[bool, Path]]] = {}
    for path in candidates(data):
        row = first_row(path)
        if kind := kind_of(row):
            files_by_kind.setdefault(kind, []).append(("model_output" in row, path))
    return {kind: [path for _, path in sorted(files_by_kind[kind])] for kind in KINDS if kind in files_by_kind}


def source_files(data: Path) -> list[Path]:
    """Return the question files that are read, in the Tasks' order."""
    return [paths[0] for paths in question_files(data).values()]


LeftOut = Callable[[Item], None]


def read(
    spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec], report: Report, left_out: LeftOut | None = None
) -> Iterator[Item]:
    """Yield the Items of the Tasks, in the files' order. A Task without a file has none (`check` reports it).

    Rows that can't be asked, and rows with a repeated id, are reported and left out; `left_out` gets the Items of the
    latter, and those of further files of a kind, which are not read otherwise. Raises DataError if none of the Tasks
    has a file.
    """
    files = question_files(data)
    if not any(task.id in files for task in tasks):
        expected = "MDAR-main.json, CMDAR-main_hf.json or a similar name, with the released fields"
        raise DataError("no question file of these tasks found", where=data, expected=expected)
    for kind in KINDS:
        if kind in files and any(task.id == kind for task in tasks):
            yield from read_file(files[kind][0], kind, report, left_out)
            if left_out is not None:
                for path in files[kind][1:]:
                    for item in read_file(path, kind, report, left_out):
                        left_out(item)


def read_file(path: Path, kind: Kind, report: Report, left_out: LeftOut | None = None) -> Iterator[Item]:
    """Yield the Items of one file of a known kind, each id once; `left_out` gets the others."""
    seen: set[str] = set()
    for position, row in read_rows(path, report):
        id_, where = row.item_id(kind, position), f"{path}[{position}]"
        if fault := fault_of(row, kind):
            report(Problem("error", "malformed-row", where, f"{id_}: {fault}", f"cmdar/{kind}"))
        elif id_ in seen:
            report(Problem("error", "id-doubled", where, f"the id {id_} occurs twice", f"cmdar/{kind}"))
            if left_out is not None:
                left_out(to_item(row, kind, position))
        else:
            seen.add(id_)
            yield to_item(row, kind, position)


def candidates(data: Path) -> list[Path]:
    """Return the JSON files that may contain questions, judging only by their names."""
    if data.is_file():
        return [data]
    top = sorted(p for p in data.glob("*.json*") if p.is_file())
    return top if any(kind_of(first_row(p)) for p in top) else sorted(p for p in data.glob("*/*.json*") if p.is_file())
