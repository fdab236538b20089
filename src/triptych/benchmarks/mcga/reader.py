"""Released question files -> Items: a row becomes an Item in speech and, if the task has one, in its text form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from triptych.benchmarks.mcga.names import NAME, SPLITS, TASKS, released, speech_form, task_by_fields
from triptych.benchmarks.mcga.rows import Report, Row, fault_of, first_fields, read_rows, replies, to_item
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError
from triptych.records import Item, Problem

EXPECTED = "MCGA_asr_test.jsonl, MCGA_su_test.jsonl …"


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """A released file: the speech task of its rows, and the split in its name (empty if none)."""

    path: Path
    task: str
    split: str


def question_files(data: Path) -> list[QuestionFile]:
    """Return the question files under `data` (a folder, or one file), by task, then by path.

    A file is recognised by its name, otherwise by its fields if it has no replies of a model.
    """
    files = []
    for path in [data] if data.is_file() else sorted(p for p in data.rglob("*.jsonl") if p.is_file()):
        if named := released(path):
            files.append(QuestionFile(path, *named))
        elif task := _by_fields(path, named=data.is_file()):
            files.append(QuestionFile(path, task, ""))
    return sorted(files, key=lambda file: (TASKS.index(file.task), file.path))


def _by_fields(path: Path, *, named: bool) -> str | None:
    fields = first_fields(path)
    return task_by_fields(fields) if "audio" in fields and (named or not replies(fields)) else None


def source_files(data: Path) -> list[Path]:
    """Return the question files that are read."""
    return [file.path for file in question_files(data)]


def read(
    spec: BenchmarkSpec,
    data: Path,
    tasks: Sequence[TaskSpec],
    report: Report,
    left_out: Callable[[Item], None] | None = None,
) -> Iterator[Item]:
    """Yield the Items of the Tasks, task by task in the files' order. A Task without a file has none.

    Rows that can't be asked are reported and left out, as are Items whose id an earlier one has; `left_out` gets these.
    Raises DataError if none of the Tasks has a file.
    """
    files = question_files(data)
    wanted = [task.id for task in tasks]
    if not any(file.task == speech_form(task) for file in files for task in wanted):
        raise DataError(f"no question file of these {NAME} tasks found", where=data, expected=EXPECTED)
    root = data if data.is_dir() else data.parent
    for task in wanted:
        seen: set[str] = set()
        for file in files:
            if file.task == speech_form(task):
                for number, item in _items(file, task, root, report):
                    if item.id in seen:
                        where = f"{file.path}:{number}"
                        report(Problem("error", "id-doubled", where, f"another file has {item.id} too", item.task))
                        if left_out is not None:
                            left_out(item)
                    else:
                        seen.add(item.id)
                        yield item


def default_filters(spec: BenchmarkSpec, data: Path) -> dict[str, tuple[str, ...]]:
    """Return the split that the paper evaluates if the data has others, too; otherwise nothing."""
    wanted = spec.default_filters["split"]
    others = set(SPLITS) - set(wanted)
    there = {split for file in question_files(data) for split in _splits(file)}
    return {"split": wanted} if there & others and there & set(wanted) else {}


def _splits(file: QuestionFile) -> set[str]:
    """Return the splits of a file: those of its rows, otherwise the one in its name."""
    return {(row.split or "").strip() or file.split for _, row, _ in read_rows(file.path, lambda problem: None)}


def sound_rows(file: QuestionFile, task: str, report: Report) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a file that can be asked, with their lines; the others are reported."""
    for number, row, _ in read_rows(file.path, report):
        if fault := fault_of(row, task):
            report(Problem("error", "malformed-row", f"{file.path}:{number}", f"{row.clip}: {fault}", f"{NAME}/{task}"))
        else:
            yield number, row


def _items(file: QuestionFile, task: str, root: Path, report: Report) -> Iterator[tuple[int, Item]]:
    folder = file.path.parent.relative_to(root).as_posix()
    below = "" if folder == "." else f"{folder}/"
    copies: Counter[str] = Counter()
    for number, row in sound_rows(file, task, report):
        yield number, to_item(row, task, folder=below, split=file.split, copy=copies[row.clip])
        copies[row.clip] += 1
