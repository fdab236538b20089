"""Check whether the data is complete and well-formed.

Every finding names its file and rows; known facts about the release are notes.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.benchmarks.xmodbench import rows as released
from triptych.benchmarks.xmodbench import unified
from triptych.benchmarks.xmodbench.files import QuestionFiles
from triptych.benchmarks.xmodbench.names import CONFIG_OF, DIRECTIONS, DUAL, LETTERS, VIDEO, direction_label, split_task
from triptych.benchmarks.xmodbench.reader import read_dual
from triptych.benchmarks.xmodbench.rows import Row, Source
from triptych.benchmarks.xmodbench.unified import LITE, UnifiedFiles
from triptych.media.paths import media_fault
from triptych.records import Problem
from triptych.records.problems import Severity, first_few

MINI = Path(__file__).parent / "mini"


def check(spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec]) -> Iterator[Problem]:
    """Yield findings on the Tasks' files (presence, counts, rows, pairing of the directions, media), then on others.

    Raises DataError if there are no question files at all.
    """
    if newer := UnifiedFiles.find(data):
        yield from check_newer(spec, newer, data, tasks)
        return
    files = QuestionFiles(data)
    partial = data.resolve() == MINI.resolve()  # the mini set has only a few rows of every file
    yield from _missing_files(spec, files, tasks, "note" if partial else "warning")
    present = [t for t in tasks if all(files.has_file(name) for name in t.files)]
    six = [t for t in present if split_task(t.id)[2] in DIRECTIONS]
    by_subtask: dict[str, list[TaskSpec]] = defaultdict(list)
    for task in six:
        by_subtask[split_task(task.id)[1]].append(task)
    media, census = Media(data), Census()
    dual = {split_task(t.id)[1]: t for t in present if t.id.endswith(DUAL)}
    mismatches: list[Problem] = []
    for subtask, members in by_subtask.items():
        yield from _subtask(spec, files, subtask, members, media, census, counted=not partial)
        if subtask in dual:
            mismatches += _dual_forms(spec, files, dual.pop(subtask))
        files.decoded.clear()
    yield from mismatches
    for task in dual.values():
        yield from _dual_forms(spec, files, task)
    yield from media.problems()
    yield from census.notes(spec.name)
    if len(tasks) == len(spec.tasks):
        yield from _other_files(spec, files)


def check_newer(spec: BenchmarkSpec, files: UnifiedFiles, data: Path, tasks: Sequence[TaskSpec]) -> Iterator[Problem]:
    """Yield findings on the release of 2026-06: missing files, faults and peculiarities of rows, counts, media."""
    wanted = {spec.full_id(task) for task in tasks}
    text = f"release of 2026-06: {len(files.names)} files in {files.folder.name}"
    yield Problem("note", "release", str(files.folder), text)
    for name in files.missing_files:
        yield Problem(
            "warning", "file-missing", str(files.path(name)), f"{name}.jsonl is missing; its rows have no Items"
        )
    media, census, counts = Media(data), Census(), unified.Census()
    for name in files.names:
        problems: list[Problem] = []
        rows = [placed for placed in files.rows(name, problems.append) if placed.task in wanted]
        yield from problems
        counts.add(rows)
        by_task: dict[str, list[Row | None]] = defaultdict(list)
        for placed in rows:
            by_task[placed.task].append(placed.row)
            media.add(placed.row, Source(placed.task, files.path(name).name, placed.prefix))
        for task, items_of_task in by_task.items():
            yield from _rows(items_of_task, Source(task, f"{name}.jsonl, {task.split('/')[2]}"))
        census.add([placed.row for placed in rows])
    yield from _uneven(counts, frozenset(files.missing_files))
    yield from media.problems()
    yield from census.notes(spec.name)
    if UnifiedFiles.find(data, (LITE,)) not in (None, files):
        yield from _lite_as_listed(data)


def _uneven(counts: unified.Census, missing: frozenset[str]) -> Iterator[Problem]:
    """Yield one finding per subtask whose directions differ in their number of rows. `missing`: files that aren't here
    and are reported; a direction of which they hold the rows is not compared."""
    for subtask, counts_by_direction in counts.by_subtask():
        read = [
            direction
            for direction in DIRECTIONS
            if direction in counts_by_direction or not _files_of(subtask, direction) & missing
        ]
        if len({counts_by_direction.get(direction, 0) for direction in read}) > 1:
            text = ", ".join(f"{direction} {counts_by_direction.get(direction, 0):,}" for direction in read)
            yield Problem("warning", "count", subtask, f"the directions differ in their number of rows: {text}")


def _files_of(subtask: str, direction: str) -> frozenset[str]:
    """Return the files of 2026-06 and of Lite that have a subtask's rows of a direction."""
    content = direction_label(subtask, direction)  # the two that `order` confuses are exchanged
    return frozenset((content.replace("vision", "video" if subtask in VIDEO else "image"), CONFIG_OF[content]))


def _lite_as_listed(data: Path) -> Iterator[Problem]:
    """Yield a warning if Lite's rows are not the list that is known."""
    files = UnifiedFiles.find(data, (LITE,))
    assert files
    problems: list[Problem] = []
    for name in files.names:
        files.rows(name, problems.append)
    yield from problems


def _missing_files(
    spec: BenchmarkSpec, files: QuestionFiles, tasks: Sequence[TaskSpec], severity: Severity
) -> Iterator[Problem]:
    """Yield one finding per subtask with the directions that have no file."""
    missing: dict[str, list[TaskSpec]] = defaultdict(list)
    for task in tasks:
        if split_task(task.id)[2] in DIRECTIONS and not files.has_file(task.files[0]):
            missing[task.id.rpartition("/")[0]].append(task)
    for subtask, without in missing.items():
        names = ", ".join(split_task(task.id)[2] for task in without)
        message = f"{subtask}: no question file for {names}; these tasks have no Items"
        where, rows = str(files.path(without[0].files[0])), sum(task.count or 0 for task in without)
        yield Problem(severity, "file-missing", where, message, f"{spec.name}/{subtask}", rows)


def _subtask(
    spec: BenchmarkSpec,
    files: QuestionFiles,
    subtask: str,
    tasks: Sequence[TaskSpec],
    media: Media,
    census: Census,
    *,
    counted: bool,
) -> Iterator[Problem]:
    """Check the rows of each direction, then compare the directions."""
    directions: dict[str, list[Row | None]] = {}
    for task in tasks:
        source = Source(spec.full_id(task), task.files[0], files.prefix)
        problems: list[Problem] = []
        rows = files.decoded[source.name] = released.decode(files.read(source.name), source, problems.append)
        yield from problems
        if counted and task.count is not None and len(rows) != task.count:
            message = f"{len(rows)} rows, but {task.count} were released"
            yield Problem("warning", "count", source.name, message, source.task, abs(len(rows) - task.count))
        yield from _rows(rows, source)
        for row in rows:
            media.add(row, source)
        census.add(rows)
        directions[split_task(task.id)[2]] = rows
    yield from _pairing(spec, subtask, tasks, directions, census)


def _rows(rows: Sequence[Row | None], source: Source) -> Iterator[Problem]:
    """Yield peculiarities of single rows, one finding per kind and file."""
    direction = split_task(source.task)[2]
    tests: tuple[tuple[Severity, str, Callable[[Row], bool], str], ...] = (
        (
            "warning",
            "key-doubled",
            _key_doubled,
            "a wrong option equals the target: only the target's letter is scored as correct",
        ),
        ("note", "option-doubled", _option_doubled, "two wrong options are identical"),
        ("warning", "key-ambiguous", _key_ambiguous, "a wrong option has the same description as the target"),
        ("note", "question-repeats-stem", _repeats_stem, "the question repeats the stem (no_context removes it too)"),
        (
            "note",
            "direction-swapped",
            lambda row: released.content_direction(row) != direction,
            "the content's direction differs from the file's name (see facet content_direction)",
        ),
        ("warning", "question-empty", lambda row: not row.wording.strip(), "the question is empty"),
    )
    for severity, kind, test, message in tests:
        hits = [index for index, row in enumerate(rows) if row is not None and test(row)]
        if hits:
            counted = f"{len(hits)} of {len(rows)} rows: {message}"
            yield Problem(severity, kind, _row_reference(source.name, hits), counted, source.task, len(hits))


def _has_doubled_options(row: Row) -> bool:
    return len({option.input for option in row.options.values()}) < len(row.options)


def _key_doubled(row: Row) -> bool:
    inputs = [option.input for option in row.options.values()]
    return inputs.count(row.options[row.correct_answer].input) > 1


def _option_doubled(row: Row) -> bool:
    return _has_doubled_options(row) and not _key_doubled(row)


def _key_ambiguous(row: Row) -> bool:
    """Return whether another option has the target's emotion and description, so that the question can't tell which."""
    key = row.options[row.correct_answer]
    if not (key.emotion or key.description):
        return False
    alike = [o for o in row.options.values() if (o.emotion, o.description) == (key.emotion, key.description)]
    return len(alike) > 1 and not _key_doubled(row)


def _repeats_stem(row: Row) -> bool:
    return row.conditions.modality == "Text" and row.conditions.input.casefold() in row.wording.casefold()


def _pairing(
    spec: BenchmarkSpec,
    subtask: str,
    tasks: Sequence[TaskSpec],
    directions: dict[str, list[Row | None]],
    census: Census,
) -> Iterator[Problem]:
    """Check that rows of one Instance have the same target, stem and options, as far as these share a modality.

    Released files have the same letters in all directions. In a set that draws the target's position for each
    direction, contents are compared instead: the target's and, in any order, all options'.
    """
    files = [(task, list(_placed(subtask, directions[split_task(task.id)[2]], task))) for task in tasks]
    members = Counter(instance for _, rows in files for _, instance, _ in rows)
    shared = _shares_letters([rows for _, rows in files])
    facts = [[(index, instance, _meaning(row, shared)) for index, instance, row in rows] for _, rows in files]
    usual, contradictions = _most_frequent_values(facts), 0
    for (task, _), located in zip(files, facts, strict=True):
        broken: dict[int, list[str]] = {}
        for index, instance, meaning in located:
            if others := [w for w, kind, value in meaning if usual[instance, w, kind] != value]:
                broken[index] = others
        contradictions += len(broken)
        if broken:
            what = ", ".join(dict.fromkeys(name for others in broken.values() for name in others))
            message = f"{what}: differs from most other directions of the Instance"
            yield Problem(
                "error",
                "pairing",
                _row_reference(task.files[0], list(broken)),
                message,
                spec.full_id(task),
                len(broken),
            )
    yield from _pairing_notes(spec, tasks, members)
    if len(tasks) > 1 and not contradictions and shared:
        census.paired.append(subtask)


LocatedRow = tuple[int, str, Row]  # a valid row with its position and Instance


def _placed(subtask: str, rows: Sequence[Row | None], task: TaskSpec) -> Iterator[LocatedRow]:
    """Yield every valid row of a file."""
    direction = split_task(task.id)[2]
    for index, row in enumerate(rows):
        if row is not None:
            yield index, released.row_instance(row, subtask, direction, index, len(rows)), row


def _shares_letters(files: Sequence[Sequence[LocatedRow]]) -> bool:
    """Return whether at least half of the Instances have the target's letter in common over their directions."""
    letters: dict[str, set[str]] = defaultdict(set)
    for rows in files:
        for _, instance, row in rows:
            letters[instance].add(row.correct_answer)
    return 2 * sum(len(letter_group) == 1 for letter_group in letters.values()) >= len(letters)


Meaning = tuple[tuple[str, str, object], ...]  # (field, modality, value)


def _most_frequent_values(files: Sequence[Sequence[tuple[int, str, Meaning]]]) -> dict[tuple[str, str, str], object]:
    """Return (Instance, field, modality) -> the most frequent value, the first of several that are equally frequent."""
    values: dict[tuple[str, str, str], list[object]] = {}
    for rows in files:
        for _, instance, meaning in rows:
            for what, kind, value in meaning:
                values.setdefault((instance, what, kind), []).append(value)
    # Directions nearly always agree: they are counted only if one doesn't.
    return {
        fact: stated[0] if stated.count(stated[0]) == len(stated) else Counter(stated).most_common(1)[0][0]
        for fact, stated in values.items()
    }


def _meaning(row: Row, shared: bool) -> Meaning:
    """Return (field, modality, value) for the fields on which directions must agree; `shared`: on letters, too."""
    kind = released.KINDS[row.options["A"].modality]
    options = tuple([row.options[letter].input for letter in LETTERS])
    key = ("key", "", row.correct_answer) if shared else ("key", kind, row.options[row.correct_answer].input)
    stem = ("stem", released.KINDS[row.conditions.modality], row.conditions.input)
    return key, stem, ("options", kind, options if shared else tuple(sorted(options)))


def _pairing_notes(spec: BenchmarkSpec, tasks: Sequence[TaskSpec], members: Counter[str]) -> Iterator[Problem]:
    parent = f"{spec.name}/{tasks[0].id.rpartition('/')[0]}"
    short = [instance for instance, count in members.items() if count < len(tasks)]
    if short:
        message = f"{len(short)} of {len(members)} Instances lack some of the {len(tasks)} directions"
        yield Problem("note", "instance-incomplete", f"{parent}: {short[0]}", message, parent, len(short))


def _dual_forms(spec: BenchmarkSpec, files: QuestionFiles, task: TaskSpec) -> Iterator[Problem]:
    """Yield the reader's findings on joining audio and vision forms; faults of rows were reported before."""
    problems: list[Problem] = []
    for _ in read_dual(spec, files, task, problems.append):
        pass
    yield from (problem for problem in problems if problem.kind == "dual-mismatch")


class Census:
    """Counts over all Tasks: rows, the targets' letters, and the subtasks that are paired without contradiction."""

    def __init__(self) -> None:
        self.files: int = 0
        self.keys: Counter[str] = Counter()
        self.paired: list[str] = []

    def add(self, rows: Sequence[Row | None]) -> None:
        """Count a file's valid rows."""
        self.files += 1
        self.keys.update(row.correct_answer for row in rows if row is not None)

    def notes(self, name: str) -> Iterator[Problem]:
        """Yield the number of rows read, and what the targets' letters mean for consistency."""
        total = self.keys.total()
        if not total:
            return
        yield Problem("note", "rows", name, f"{total:,} valid rows in {self.files} question files", name, total)
        if self.paired:
            letter, count = self.keys.most_common(1)[0]
            verified = f"verified in {len(self.paired)} subtask{'s' * (len(self.paired) != 1)}"
            message = (
                f"the target's letter is the same in all directions of an Instance ({verified}): "
                f"always answering one letter is perfectly consistent, and {letter} is correct in {count / total:.1%}"
            )
            yield Problem("note", "shared-letters", name, message, name, total)


class Media:
    """The media that the rows name, and their faults."""

    def __init__(self, root: Path) -> None:
        self.root: Path = root if root.is_dir() else root.parent
        self._rows: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))  # task -> path -> rows
        self._folders: dict[str, bool] = {}  # folder below the root -> whether it exists
        self._paths: dict[tuple[str, str], str] = {}  # (name in a file, prefix) -> path

    def add(self, row: Row | None, source: Source) -> None:
        """Record the media of a row."""
        if row is None:
            return
        rows, paths, prefix = self._rows[source.task], self._paths, source.prefix
        names = {content.input for content in row.options.values() if content.modality != "Text"}
        if row.conditions.modality != "Text":
            names.add(row.conditions.input)
        for name in names:
            if (path := paths.get((name, prefix))) is None:
                path = paths[name, prefix] = released.media_path(name, prefix)
            rows[path] += 1

    def problems(self) -> Iterator[Problem]:
        """Yield one finding per Task and kind of fault; a single one if every file is missing."""
        every = {path for paths in self._rows.values() for path in paths}
        faults = {path: fault for path in sorted(every) if (fault := self._fault(path))}
        if every and set(faults.values()) == {"missing-media"} and len(faults) == len(every):
            message = f"none of the {len(every)} media files was found; text Conditions and scoring work without them"
            yield Problem("error", "missing-media", f"{self.root}/{min(every)}", message, rows=len(every))
            return
        for task, paths in self._rows.items():
            for kind in sorted({faults[path] for path in paths if path in faults}):
                hit = [path for path in paths if faults.get(path) == kind]
                message = f"{len(hit)} of {len(paths)} media files: {_FAULTS[kind]}"
                yield Problem("error", kind, f"{self.root}/{hit[0]}", message, task, sum(paths[p] for p in hit))

    def _fault(self, path: str) -> str:
        """Return the kind of fault, empty if none. Resolving a path is slow, so missing files are recognised first."""
        plain = not path.startswith("/") and ".." not in path and ":" not in path
        if plain and not self._has_folder(path.rpartition("/")[0]):
            return "missing-media"
        there = os.path.isfile(self.root / path)  # noqa: PTH113  (False for a name that is too long, where Path raises)
        return "missing-media" if plain and not there else media_fault(self.root, path)

    def _has_folder(self, folder: str) -> bool:
        """Return whether a folder exists below the root; most files that are missing have none."""
        if folder not in self._folders:
            self._folders[folder] = os.path.exists(self.root / folder)  # noqa: PTH110  (as above)
        return self._folders[folder]


_FAULTS = {
    "missing-media": "missing",
    "empty-media": "empty",
    "unsafe-path": "outside the data folder (an absolute path, a path with .., or a link that leads out)",
}


def _other_files(spec: BenchmarkSpec, files: QuestionFiles) -> Iterator[Problem]:
    """Yield findings on question files that no Task uses (an older generation, or unknown), and on their rows."""
    used = {name for task in spec.tasks for name in task.files}
    rows = 0
    names = [name for name in files.names() if name not in used]
    for name in names:
        problems: list[Problem] = []
        rows += len(released.decode(files.read(name), Source("", name), problems.append))
        yield from problems
    if names:
        message = f"{len(names)} question files with {rows} rows belong to no task: an older generation, or unknown"
        yield Problem("note", "unused-file", names[0], message, rows=rows)


def _row_reference(name: str, rows: Sequence[int]) -> str:
    return f"{name}[{first_few(rows)}]"
