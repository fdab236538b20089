"""Check whether the data is complete and well-formed.

Every finding names its file and rows. If data is missing, a note says how to apply for it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from triptych.benchmarks.mcs_bench.instructions import is_standard
from triptych.benchmarks.mcs_bench.reader import sound_rows, source_files
from triptych.benchmarks.mcs_bench.rows import Row, options, tasks
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError, MediaError
from triptych.media.paths import media_fault, resolve_inside
from triptych.media.sniff import sniff
from triptych.records import Problem
from triptych.records.problems import Severity, first_few

MINI = Path(__file__).parent / "mini"
APPLY = (
    "fill in Application_Form_for_Using_MCS-Bench.docx from https://github.com/SCUT-DLVCLab/MCS-Bench and mail it to "
    "the authors, with one or two of your papers of the last six years on ancient texts; they send a link and a "
    "password (research that is not commercial, CC BY-NC-SA 4.0)"
)


def check(spec: BenchmarkSpec, data: Path, selected: Sequence[TaskSpec]) -> Iterator[Problem]:
    """Yield findings on the Tasks' rows: counts, fields, answers, options, encodings, pictures.

    Raises DataError, which says how to apply for the data, if there is no question file at all.
    """
    files = source_files(data)
    if not files:
        raise DataError(
            "no question file of MCS-Bench found", where=data, expected="a JSON list with Task_ID", fix=APPLY
        )
    problems: list[Problem] = []
    wanted = {task.id for task in selected}
    rows = [row for row in sound_rows(files, problems.append) if row.task in wanted]
    yield from (p for p in problems if not p.task or p.task.partition("/")[2] in wanted)
    where = str(files[0] if len(files) == 1 else data)
    if data.resolve() != MINI.resolve():  # the mini set is not a release, so no count is expected
        yield from _counts(spec, selected, rows, problems, where)
    yield from _rows(rows, where)
    yield from _pictures(rows, data if data.is_dir() else data.parent)


def _counts(
    spec: BenchmarkSpec, selected: Sequence[TaskSpec], rows: Sequence[Row], problems: Sequence[Problem], where: str
) -> Iterator[Problem]:
    there = Counter(row.task for row in rows) + Counter(p.task.partition("/")[2] for p in problems)
    complete = True
    for task in selected:
        if there[task.id] != task.count:
            complete = False
            message = f"{there[task.id]:,} questions, but {task.count:,} were released"
            kind = "count" if there[task.id] else "task-missing"
            yield Problem("warning", kind, where, message, spec.full_id(task), abs((task.count or 0) - there[task.id]))
    if not complete:
        yield Problem("note", "how-to-apply", where, f"to get the complete data: {APPLY}")


def _rows(rows: Sequence[Row], where: str) -> Iterator[Problem]:
    """Yield faults and peculiarities of single questions, one finding per kind and Task."""
    tests: tuple[tuple[Severity, str, Callable[[Row], bool], str], ...] = (
        ("error", "encoding", _is_damaged, "the text contains U+FFFD: it was once decoded with the wrong encoding"),
        ("warning", "options-unread", _options_unread, "no options could be extracted from the question"),
        (
            "warning",
            "instruction",
            _other_words,
            "the instruction differs from the paper's for this task (Figures 17 to 25)",
        ),
        (
            "note",
            "no-traditional",
            lambda row: not row.question_traditional,
            "it has no form in traditional characters",
        ),
        (
            "note",
            "answer-never-right",
            _never_right,
            "protocol official never finds the answer, which contains punctuation or spaces",
        ),
    )
    for severity, kind, test, message in tests:
        hits: dict[str, list[str]] = defaultdict(list)
        for row in rows:
            if test(row):
                hits[row.task].append(row.item_id)
        for task, ids in hits.items():
            yield Problem(severity, kind, f"{where}: {first_few(ids)}", message, f"mcs_bench/{task}", len(ids))


def _kind(row: Row) -> str:
    return tasks()[f"mcs_bench/{row.task}"].facets["kind"]


def _is_damaged(row: Row) -> bool:
    texts = (row.question, row.question_traditional, row.target, str(row.answer_traditional))
    return any("\ufffd" in (text or "") for text in texts)


def _options_unread(row: Row) -> bool:
    return _kind(row) == "choice" and row.target.strip() not in options(row.question or "")


def _other_words(row: Row) -> bool:
    return not is_standard(row.task, row.question or "")


def _never_right(row: Row) -> bool:
    return _kind(row) == "picture" and not row.target.replace("_", "").isalnum()


def _pictures(rows: Sequence[Row], root: Path) -> Iterator[Problem]:
    """Yield findings on pictures that are missing, empty, not pictures or outside the data folder, one per kind."""
    paths = {row.path: row for row in rows}
    faults: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        if fault := _picture_fault(root, path):
            faults[fault].append(path)
    for fault, hits in faults.items():
        message = f"{len(hits):,} of {len(paths):,} pictures are {_FAULTS[fault]}"
        first = paths[hits[0]]
        yield Problem(
            "error", fault, f"{root}/{hits[0]} ({first.item_id})", message, f"mcs_bench/{first.task}", len(hits)
        )


_FAULTS = {
    "missing-media": "missing; scoring works without them",
    "empty-media": "empty",
    "no-picture": "not JPEG, PNG or other pictures, judging by their first bytes",
    "unsafe-path": "outside the data folder (an absolute path, a path with .., or a link that leads out)",
}


def _picture_fault(root: Path, path: str) -> str:
    """Return the kind of fault; empty if there is none."""
    if fault := media_fault(root, path):
        return fault
    try:
        with resolve_inside(root, path).open("rb") as file:
            kind = sniff(file.read(64)) or ""
    except (OSError, MediaError):  # it vanished meanwhile, or can't be read
        return "missing-media"
    return "" if kind.startswith("image/") else "no-picture"
