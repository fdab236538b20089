"""Check whether the data is complete and well-formed, and compare it with the paper's counts.

Findings name files and rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from triptych.benchmarks.mcga.names import DYNASTIES, GENRES, NAME, SPEECH_TASKS, SPLITS, speech_form
from triptych.benchmarks.mcga.reader import EXPECTED, QuestionFile, question_files, sound_rows
from triptych.benchmarks.mcga.rows import CHOICES, Row, options
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError, MediaError
from triptych.media.lengths import seconds_of
from triptych.media.paths import media_fault, resolve_inside
from triptych.records import Problem
from triptych.records.problems import Severity, first_few

MINI = Path(__file__).parent / "mini"
# Section 3.6, Figure 5 and Table 4 of the paper: the whole corpus, and ASR's test split.
CLIPS, HOURS, WORKS, CELLS = 22_000, 119, 4_497, 37
MIN_SECONDS, MAX_SECONDS = 3.5, 30.0
PER_GENRE = 200
_FEW = 4  # this few equal answers mean nothing in a set of a dozen
_ROUNDING = 0.05  # seconds: the paper rounds to a tenth
LocatedRow = tuple[QuestionFile, int, Row]


def check(spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec]) -> Iterator[Problem]:
    """Yield findings on the Tasks' files: presence, counts, rows, answers, genres and dynasties, media.

    A text task reads the file of its speech form. Raises DataError if there is no question file at all.
    """
    files = question_files(data)
    if not files:
        raise DataError(f"no question file of {NAME} found", where=data, expected=EXPECTED)
    root = data if data.is_dir() else data.parent
    released = root.resolve() != MINI.resolve()  # the mini set is not a release, so no count is expected
    clips: dict[str, Row] = {}
    for task in dict.fromkeys(speech_form(task.id) for task in tasks):
        matching_files = [file for file in files if file.task == task]
        if not matching_files:
            yield Problem("warning", "file-missing", str(data), f"no file for {task} found", f"{NAME}/{task}")
            continue
        problems: list[Problem] = []
        rows = [
            (file, number, row) for file in matching_files for number, row in sound_rows(file, task, problems.append)
        ]
        yield from problems
        yield from _rows(rows, task)
        if released and task == "asr":
            yield from _test_split(rows)
        clips |= {_folder_prefix(file, root) + row.path: row for file, _, row in rows}
    yield from _media(clips, root)
    if released and {speech_form(task.id) for task in tasks} == set(SPEECH_TASKS):
        yield from _corpus(clips, files, data)


def _folder_prefix(file: QuestionFile, root: Path) -> str:
    folder = file.path.parent.relative_to(root).as_posix()
    return "" if folder == "." else f"{folder}/"


def _rows(rows: Sequence[LocatedRow], task: str) -> Iterator[Problem]:
    """Yield faults and peculiarities of single rows, one finding per kind."""
    wordings = Counter((row.path, row.question(task)) for _, _, row in rows)
    tests: tuple[tuple[Severity, str, Callable[[QuestionFile, Row], bool], str], ...] = (
        (
            "error",
            "encoding",
            lambda f, r: "\ufffd" in f"{r.asr}{r.question(task)}{r.target(task)}",
            "the text contains U+FFFD: it was once decoded with the wrong encoding",
        ),
        (
            "error",
            "row-doubled",
            lambda f, r: wordings[r.path, r.question(task)] > 1,
            "the same question is asked about the same clip twice",
        ),
        (
            "error",
            "key-not-an-option",
            lambda f, r: _key_lost(r, task),
            "the target is not among the question's options",
        ),
        (
            "warning",
            "options-unread",
            lambda f, r: task in CHOICES and not options(r.question(task)),
            "no options could be extracted from the question",
        ),
        ("warning", "genre-unknown", lambda f, r: r.genre not in GENRES, f"the genre is not one of {' '.join(GENRES)}"),
        (
            "warning",
            "dynasty-unknown",
            lambda f, r: r.dynasty not in DYNASTIES,
            f"the dynasty is not one of {' '.join(DYNASTIES)}",
        ),
        (
            "warning",
            "split-unknown",
            lambda f, r: (r.split or f.split) not in SPLITS,
            f"the split is not one of {', '.join(SPLITS)}",
        ),
        (
            "warning",
            "split-differs",
            lambda f, r: bool(f.split and r.split and f.split != r.split),
            "the split differs from the one in the file's name",
        ),
    )
    for severity, kind, test, message in tests:
        if hits := [f"{file.path}:{number}" for file, number, row in rows if test(file, row)]:
            yield Problem(severity, kind, first_few(hits), message, f"{NAME}/{task}", len(hits))
    yield from _keys(rows, task)


def _key_lost(row: Row, task: str) -> bool:
    given_options = options(row.question(task)) if task in CHOICES else {}
    return bool(given_options) and row.target(task) not in given_options


def _keys(rows: Sequence[LocatedRow], task: str) -> Iterator[Problem]:
    """Yield the score of the best constant answer if it is clearly above an even distribution."""
    if task not in (*CHOICES, "sqa") or not rows:
        return
    keys = Counter(row.target(task) or "" for _, _, row in rows)
    key, hits = min(keys.items(), key=lambda pair: (-pair[1], pair[0]))
    share = 100 * hits / len(rows)
    if hits > _FEW and share > (5 if task == "sqa" else 30):
        message = f"always answering {key!r} is correct in {share:.1f}%"
        yield Problem("note", "key-frequent", str(rows[0][0].path), message, f"{NAME}/{task}", hits)


def _test_split(rows: Sequence[LocatedRow]) -> Iterator[Problem]:
    """Check ASR's test split: 1,000 clips, 200 per genre."""
    genres = Counter(row.genre or "" for file, _, row in rows if (row.split or file.split) == "test")
    if not genres:
        return
    for genre in GENRES:
        if genres[genre] != PER_GENRE:
            message = f"{genres[genre]:,} test clips of {genre}, but the paper counts {PER_GENRE}"
            where, off = str(rows[0][0].path), abs(genres[genre] - PER_GENRE)
            yield Problem("warning", "count", where, message, f"{NAME}/asr", off)


def _media(clips: dict[str, Row], root: Path) -> Iterator[Problem]:
    """Yield findings on audio that is missing, empty, unreadable, outside the data folder, or too short or long."""
    faults: dict[str, list[str]] = defaultdict(list)
    for path in clips:
        if fault := media_fault(root, path) or _length_fault(root, path):
            faults[fault].append(path)
    for fault, hits in faults.items():
        severity, message = _MEDIA_FAULTS[fault]
        yield Problem(
            severity,
            fault,
            first_few([f"{root}/{p}" for p in hits]),
            f"{len(hits):,} of {len(clips):,} clips are {message}",
            NAME,
            len(hits),
        )


_MEDIA_FAULTS: dict[str, tuple[Severity, str]] = {
    "missing-media": ("error", "missing; scoring, text tasks and Runs without media work without them"),
    "empty-media": ("error", "empty"),
    "unsafe-path": ("error", "outside the data folder (an absolute path, a path with .., or a link that leads out)"),
    "unreadable-media": ("error", "not readable as audio"),
    "length": (
        "warning",
        f"shorter than {MIN_SECONDS} s or longer than {MAX_SECONDS:g} s; longer clips are cut before they are sent",
    ),
}


def _length_fault(root: Path, path: str) -> str:
    """Return the kind of fault; empty if the clip's length is within the paper's range."""
    seconds = _seconds(root, path)
    if seconds is None:
        return "unreadable-media"
    return "" if MIN_SECONDS - _ROUNDING <= seconds <= MAX_SECONDS + _ROUNDING else "length"


def _seconds(root: Path, path: str) -> float | None:
    try:
        return seconds_of(resolve_inside(root, path))
    except MediaError:
        return None


def _corpus(clips: dict[str, Row], files: Sequence[QuestionFile], data: Path) -> Iterator[Problem]:
    """Compare the whole corpus with the paper if all splits are present; otherwise report how much is."""
    splits = {row.split for row in clips.values() if row.split} | {file.split for file in files if file.split}
    cells = {(row.genre, row.dynasty) for row in clips.values() if row.genre in GENRES and row.dynasty in DYNASTIES}
    works = {row.work for row in clips.values() if row.work}
    hours = sum(filter(None, (_seconds(data if data.is_dir() else data.parent, path) for path in clips))) / 3600
    text = f"{len(clips):,} clips, {hours:.1f} h, {len(cells)} cells of genre and dynasty, {len(works):,} works"
    paper = f"the paper counts {CLIPS:,} clips, {HOURS} h, {CELLS} cells, {WORKS:,} works"
    if not splits.issuperset(SPLITS):
        message = f"{text} in split {', '.join(sorted(splits))}; {paper} in all splits"
        yield Problem("note", "partial-release", str(data), message, NAME)
    elif (len(clips), round(hours), len(cells), len(works)) != (CLIPS, HOURS, CELLS, WORKS):
        yield Problem("warning", "count", str(data), f"{text}; {paper}", NAME, abs(CLIPS - len(clips)))
