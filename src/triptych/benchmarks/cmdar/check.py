"""Check whether the data is complete and well-formed.

Every finding names its file and rows; known facts about the release are notes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from triptych.benchmarks.cmdar.reader import candidates, question_files, read_file
from triptych.benchmarks.cmdar.rows import CATEGORIES, KINDS, Kind, first_row, kind_of
from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.errors import DataError
from triptych.media.paths import media_fault
from triptych.metrics.replies.string_match import words
from triptych.metrics.sets import set_scores
from triptych.records import Item, Problem
from triptych.records.problems import Severity, first_few

MINI = Path(__file__).parent / "mini"


def check(spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec]) -> Iterator[Problem]:
    """Yield findings on the Tasks' files: presence, counts, rows, answers, media, and the scores of constant answers.

    Raises DataError if there is no question file at all.
    """
    files = question_files(data)
    partial = data.resolve() == MINI.resolve()  # the mini set is not a release, so no count is expected
    if not files:
        raise DataError("no question file of CMDAR found", where=data, expected="a file such as MDAR-main.json")
    for task in tasks:
        kind = next((k for k in KINDS if k == task.id), None)
        if kind is None or kind not in files:
            yield Problem(
                "warning", "file-missing", str(data), f"no file with {task.id} questions found", spec.full_id(task)
            )
            continue
        yield from _file(task, kind, files[kind], data if data.is_dir() else data.parent, partial)
    if not partial:
        yield from _unknown_files(data)


def _unknown_files(data: Path) -> Iterator[Problem]:
    for path in candidates(data):
        if not kind_of(first_row(path)):
            message = "not read: the file does not begin with JSON rows that have the released fields"
            yield Problem("note", "file-unknown", str(path), message)


def _file(task: TaskSpec, kind: Kind, paths: Sequence[Path], root: Path, partial: bool) -> Iterator[Problem]:
    full, where = f"cmdar/{kind}", str(paths[0])
    problems: list[Problem] = []
    try:
        items = list(read_file(paths[0], kind, problems.append))
    except DataError as error:
        message = f"{error.problem}: {error.got}; none of its questions is used"
        yield Problem("error", "malformed-file", where, message, full)
        return
    yield from problems
    if len(paths) > 1:
        unread = ", ".join(p.name for p in paths[1:])
        yield Problem(
            "note", "file-doubled", where, f"other files with the same questions are not read: {unread}", full
        )
    if not partial:
        yield from _count(task, len(items) + len(problems), where, full)
    yield from _rows(items, where)
    yield from _media(items, root)
    yield from _key_positions(items, kind, where)


def _count(task: TaskSpec, rows: int, where: str, full: str) -> Iterator[Problem]:
    if task.count is not None and rows != task.count:
        message = f"{rows:,} questions, but {task.count:,} were released"
        yield Problem("warning", "count", where, message, full, abs(task.count - rows))
    elif task.id == "multi":
        yield Problem(
            "note", "count", where, f"{rows} questions, as released; the paper counts 1,000", full, 1000 - rows
        )


def _rows(items: Sequence[Item], where: str) -> Iterator[Problem]:
    """Yield faults and peculiarities of single questions, one finding per kind."""
    twins = Counter(_wording(item) for item in items)
    tests: tuple[tuple[Severity, str, Callable[[Item], bool], str], ...] = (
        (
            "error",
            "target-not-an-option",
            lambda i: not _keys(i) <= _stripped(i),
            "the answer is not among the options",
        ),
        ("warning", "target-blank", _differs_by_blank, "the answer differs from its option only by whitespace"),
        ("warning", "option-count", _odd_count, "the number of options is not as released: 4 (main), 4 to 6 (multi)"),
        ("warning", "option-empty", lambda i: "" in _stripped(i), "an option is empty"),
        ("warning", "option-doubled", lambda i: len(_stripped(i)) < len(i.options), "two options are identical"),
        (
            "warning",
            "option-same-words",
            _same_words,
            "a wrong option has the same words as the answer; protocol official accepts both",
        ),
        (
            "warning",
            "option-separator",
            _holds_separator,
            "an option contains a separator at which protocol official splits replies",
        ),
        ("warning", "answer-doubled", lambda i: len(set(_listed(i))) < len(_listed(i)), "an answer is listed twice"),
        ("warning", "category-unknown", lambda i: i.facets["subtask"] not in CATEGORIES, "the category is unknown"),
        ("warning", "audio-doubled", _audio_doubled, "both audios are the same file"),
        ("warning", "question-doubled", lambda i: twins[_wording(i)] > 1, "the question occurs twice"),
        ("note", "blank", _stray_blank, "an option or the answer begins or ends with whitespace"),
    )
    for severity, kind, test, message in tests:
        if hits := [item.id for item in items if test(item)]:
            yield Problem(severity, kind, f"{where}: {first_few(hits)}", message, items[0].task, len(hits))


def _listed(item: Item) -> tuple[str, ...]:
    return item.target if isinstance(item.target, tuple) else (item.target or "",)


def _keys(item: Item) -> set[str]:
    """Return the answers without surrounding whitespace; empty for open questions, which have no options."""
    return {answer.strip() for answer in _listed(item)} if item.options else set()


def _stripped(item: Item) -> set[str]:
    return {option.strip() for option in item.option_texts()}


def _odd_count(item: Item) -> bool:
    counts_allowed = {"option": (4,), "options": (4, 5, 6)}.get(item.answer)
    return counts_allowed is not None and len(item.options) not in counts_allowed


def _differs_by_blank(item: Item) -> bool:
    return _keys(item) <= _stripped(item) and not (set(_listed(item)) <= set(item.option_texts()) or not item.options)


def _stray_blank(item: Item) -> bool:
    return any(t != t.strip() for t in (*item.option_texts(), *_listed(item)))


def _same_words(item: Item) -> bool:
    if item.answer != "option":
        return False
    right = words(_listed(item)[0])
    return sum(words(option) == right for option in item.option_texts()) > 1


def _holds_separator(item: Item) -> bool:
    return item.answer == "options" and any(mark in option for option in item.option_texts() for mark in "；;\n")


def _audio_doubled(item: Item) -> bool:
    paths = [p.path for p in item.parts if p.is_media]
    return len(set(paths)) < len(paths)


def _wording(item: Item) -> tuple[object, ...]:
    return (*((p.path or p.text) for p in item.parts), *item.option_texts())


def _media(items: Sequence[Item], root: Path) -> Iterator[Problem]:
    """Yield findings on audio that is missing, empty or outside the data folder, one per kind."""
    paths = {p.path: item.id for item in items for p in item.parts if p.is_media}
    faults: dict[str, list[str]] = {}
    for path in paths:
        if fault := media_fault(root, path):
            faults.setdefault(fault, []).append(path)
    for fault, hits in faults.items():
        message = f"{len(hits):,} of {len(paths):,} audio files are {_MEDIA_FAULTS[fault]}"
        yield Problem("error", fault, f"{root}/{hits[0]} ({paths[hits[0]]})", message, items[0].task, len(hits))


_MEDIA_FAULTS = {
    "missing-media": "missing; scoring and Runs without media (--condition blind) work without them",
    "empty-media": "empty",
    "unsafe-path": "outside the data folder (an absolute path, a path with .., or a link that leads out)",
}


def _key_positions(items: Sequence[Item], kind: Kind, where: str) -> Iterator[Problem]:
    """Yield the scores of constant answers that are clearly above those for evenly distributed correct options."""
    places = Counter(positions for item in items if (positions := item.target_positions))
    if not places:
        return
    best, hits = min(places.items(), key=lambda pair: (-pair[1], pair[0]))
    share = 100 * hits / len(items)
    if kind == "main" and share > 100 * 1.2 / max(len(item.options) for item in items):
        spread = ", ".join(f"{100 * places[(n,)] / len(items):.1f}" for n in range(max(len(i.options) for i in items)))
        message = (
            f"correct options are unevenly distributed ({spread}%): always option {best[0] + 1} scores {share:.2f}"
        )
        yield Problem("note", "key-position", where, message, f"cmdar/{kind}", hits)
    longest = 100 * sum(_is_longest(item) for item in items) / len(items)
    if kind == "main" and longest > 100 * 1.2 / max(len(item.options) for item in items):
        message = f"the longest option is often correct: always choosing it scores {longest:.2f}"
        yield Problem("note", "key-length", where, message, f"cmdar/{kind}")
    if kind == "multi" and share > 20:
        jaccard = 100 * sum(_constant_jaccard(item, best) for item in items) / len(items)
        options = ", ".join(str(n + 1) for n in best)
        message = f"always answering options {options} scores EM {share:.2f} and JI {jaccard:.2f}"
        yield Problem("note", "key-position", where, message, f"cmdar/{kind}", hits)


def _is_longest(item: Item) -> bool:
    """Return whether the first of the longest options is the answer."""
    return max((option.strip() for option in item.option_texts()), key=len) in _keys(item)


def _constant_jaccard(item: Item, places: Sequence[int]) -> float:
    options = item.option_texts()
    return set_scores({options[n].strip() for n in places if n < len(options)}, _keys(item))["ji"]
