"""Released question files -> Items, one file at a time; files are read when they are needed.

Two releases are recognised: 104 files in `tasks/` (2025-09), and ten in `data/` or six of Lite in `data_lite/`
(2026-06, `unified.py`). Where a folder has both, the newer one is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.benchmarks.xmodbench import rows as released
from triptych.benchmarks.xmodbench import unified
from triptych.benchmarks.xmodbench.files import QuestionFiles
from triptych.benchmarks.xmodbench.lite import ids, lacking_notes, lite_family, short_tasks
from triptych.benchmarks.xmodbench.names import DUAL
from triptych.benchmarks.xmodbench.paper_lite import paper_lite
from triptych.benchmarks.xmodbench.rows import Facets, Report, Source
from triptych.benchmarks.xmodbench.unified import FULL, LITE, UnifiedFiles
from triptych.errors import DataError, SpecError
from triptych.records import Item, Problem, text

MINI = Path(__file__).parent / "mini"


def source_files(data: Path) -> list[Path]:
    """Return the question files under `data`, in a fixed order (or their archive)."""
    if newer := UnifiedFiles.find(data):
        return newer.paths()
    files = QuestionFiles(data)
    return [files.archive] if files.archive else [files.path(name) for name in files.names()]


def release(data: Path) -> str:
    """Return the release that is read: `2025-09`, `2026-06`, or `2026-06-lite` where there are only Lite's files."""
    newer = UnifiedFiles.find(data)
    return "2025-09" if newer is None else "2026-06" if newer.kind == FULL else "2026-06-lite"


def releases(data: Path) -> list[str]:
    """Return all releases whose files are in a folder, the one that is read first; empty if there is none."""
    kinds = {"2026-06": FULL, "2026-06-lite": LITE}
    release_names = [name for name, kind in kinds.items() if UnifiedFiles.find(data, (kind,))]
    older = QuestionFiles(data)
    return [*release_names, *(["2025-09"] if older.archive or older.names() else [])]


def read(spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec], report: Report) -> Iterator[Item]:
    """Yield the Items of the Tasks, in the files' order.

    A Task whose file was not released has no Items (`check` reports it). Raises DataError if no Task has any.
    """
    if newer := UnifiedFiles.find(data):
        yield from _unified_items(spec, newer, tasks, report)
        return
    files = QuestionFiles(data)
    present = [task for task in tasks if all(files.has_file(name) for name in task.files)]
    if not present:
        raise DataError("the data folder has no question file of these tasks", where=data, expected=tasks[0].files[0])
    for task in present:
        sources = [Source(spec.full_id(task), name, files.prefix) for name in task.files]
        yield from _dual(files, sources, report) if task.id.endswith(DUAL) else _single(files, sources[0], report)


def read_dual(spec: BenchmarkSpec, files: QuestionFiles, task: TaskSpec, report: Report) -> Iterator[Item]:
    """Yield the Items of a Task that joins audio and vision, as `read` does."""
    yield from _dual(files, [Source(spec.full_id(task), name, files.prefix) for name in task.files], report)


def _unified_items(
    spec: BenchmarkSpec, files: UnifiedFiles, tasks: Sequence[TaskSpec], report: Report
) -> Iterator[Item]:
    """Yield the Items of the release of 2026-06: the six directions file by file, then the joined forms."""
    wanted, any_files, shared = {spec.full_id(task) for task in tasks}, False, Facets()
    for name in files.names:
        for item in unified.items(files.rows(name, report), shared):
            if item.task in wanted:
                any_files = True
                yield item
    for item in _joined_forms(files, {task for task in wanted if task.endswith(DUAL)}):
        any_files = True
        yield item
    if not any_files:
        expected = f"rows of {spec.full_id(tasks[0])} in {', '.join(f'{name}.jsonl' for name in files.names)}"
        raise DataError("the data folder has no question of these tasks", where=files.folder, expected=expected)


def _joined_forms(files: UnifiedFiles, tasks: set[str]) -> Iterator[Item]:
    """Yield the joined forms of Instances with equal options and correct option. Faults of rows are known already."""
    parents = {task.rpartition("/")[0] for task in tasks}
    forms: dict[str, list[Item]] = {"audio_text": [], "vision_text": []}
    for name in files.names if tasks else ():
        for item in unified.items(files.rows(name, lambda problem: None), Facets()):
            direction = item.facets["content_direction"]
            if direction in forms and item.task.rpartition("/")[0] in parents:
                forms[direction].append(item)
    audio_items = {item.instance: item for item in forms["audio_text"]}
    for seen in forms["vision_text"]:
        other = audio_items.get(seen.instance)
        if other is not None and _ask_the_same(other, seen):
            yield _joined(other, seen, f"{seen.task.rpartition('/')[0]}/{DUAL}")


def sample(
    name: str,
    items: Iterable[Item],
    data: Path | None = None,
    report: Report = lambda problem: None,
    tasks: frozenset[str] = frozenset(),
) -> Iterator[Item]:
    """Yield the Items of a sample in the specification. Raises SpecError for another name.

    `lite`: the list of the authors; as released where the data folder has `data_lite`. `report` gets a note on each
    family and direction of `tasks` of which the data lacks questions.
    """
    if name == "paper-lite":
        yield from paper_lite(items)
    elif name != "lite":
        raise SpecError(f"xmodbench has no sample {name!r}", expected="lite, paper-lite")
    elif data is not None and data.resolve() == MINI.resolve():
        what = "the built-in mini set has questions of its own, and none of XModBench-Lite"
        raise SpecError(what, fix="--data DIR with the released files, or --sample paper-lite")
    elif data is not None and (released_list := UnifiedFiles.find(data, (LITE,))):
        yield from _as_released(released_list, items, tasks, report)
    else:
        drawn = []
        for item in items:
            if item.id in ids():
                drawn.append(item.id)
                yield item
        for problem in short_tasks(drawn, tasks):
            report(problem)


def _as_released(files: UnifiedFiles, items: Iterable[Item], tasks: frozenset[str], report: Report) -> Iterator[Item]:
    """Yield the Items whose questions are in `data_lite`, each row's once, known by what they ask.

    Some questions are in the data twice: of these, the Item with the row's id is taken, otherwise the first.
    """
    if UnifiedFiles.find(files.data) == files:  # the Items are read from there
        yield from items
        return
    listed = [item for name in files.names for item in unified.items(files.rows(name, report), Facets())]
    wanted = Counter(map(_content, listed))
    candidates = [item for item in items if _content(item) in wanted]
    listed_ids, chosen = {item.id for item in listed}, set()
    for item in sorted(candidates, key=lambda item: item.id not in listed_ids):  # stable: else in the data's order
        if wanted[_content(item)]:
            wanted[_content(item)] -= 1
            chosen.add(item.id)
    yield from (item for item in candidates if item.id in chosen)
    shortages: Counter[tuple[str, str, str]] = Counter()
    rows: Counter[tuple[str, str]] = Counter()
    for item in reversed(listed):
        cell = lite_family(item.facets["subtask"]), item.facets["direction"]
        rows[cell] += 1
        if item.id.rpartition("/")[0] in tasks and wanted[_content(item)]:
            wanted[_content(item)] -= 1
            shortages[(*cell, item.facets["subtask"])] += 1
    for problem in lacking_notes(shortages, rows):
        report(problem)


def _content(item: Item) -> int:
    """Return a number for what an Item asks: the same for the same question in other files."""
    return hash((item.task, item.parts[1:], item.options, item.target))


def _single(files: QuestionFiles, source: Source, report: Report) -> Iterator[Item]:
    rows = files.decoded.get(source.name)
    if rows is None:
        rows = released.decode(files.read(source.name), source, report)
    yield from released.items(rows, source)


def _dual(files: QuestionFiles, sources: Sequence[Source], report: Report) -> Iterator[Item]:
    """Yield the audio and vision forms of each Instance as one Item: both questions and contents, one set of options.

    The options are in the order of the vision form. Forms with different correct options or sets of options ask
    different things: they are reported and left out.
    """
    vision_form = list(_single(files, _as_direction(sources[1], "vision_text"), report))
    audio_items = {item.instance: item for item in _audio_to_text(files, sources[0], report)}
    for seen in vision_form:
        other = audio_items.get(seen.instance)
        if other is None:
            continue
        if not _ask_the_same(other, seen):
            where = f"{sources[1].name}: {seen.id}"
            report(Problem("error", "dual-mismatch", where, f"{other.id} has another target or options", seen.task))
            continue
        yield _joined(other, seen, sources[0].task)


def _ask_the_same(one: Item, other: Item) -> bool:
    """Return whether two Items have the same correct option and the same set of options."""
    if one.options == other.options and one.labels == other.labels and one.target == other.target:
        return True
    return _options_key(one) == _options_key(other)


def _options_key(item: Item) -> tuple[object, object]:
    """Return the correct option, and all options in an order that doesn't depend on their letters."""
    options = dict(zip(item.labels, item.options, strict=True))
    return options[str(item.target)], sorted(item.options, key=repr)


def _audio_to_text(files: QuestionFiles, source: Source, report: Report) -> Iterator[Item]:
    """Yield the Items that go from audio to text: in `order` they are in the file named text_audio."""
    as_named = list(_single(files, _as_direction(source, "audio_text"), report))
    if as_named and as_named[0].facets["content_direction"] == "text_audio":
        swapped = Source(source.task, source.name.replace("audio_text", "text_audio"), source.prefix)
        return (
            _single(files, _as_direction(swapped, "audio_text"), report) if files.has_file(swapped.name) else iter(())
        )
    return iter(as_named)


def _as_direction(source: Source, direction: str) -> Source:
    return Source(f"{source.task.rpartition('/')[0]}/{direction}", source.name, source.prefix)


def _joined(item: Item, seen: Item, task: str) -> Item:
    family, subtask, _, index = seen.id.split("/")
    question = text(f"{item.parts[0].text}\n{seen.parts[0].text}", "question")
    return Item(
        id=f"{family}/{subtask}/{DUAL}/{index}",
        task=task,
        parts=(question, item.parts[1], seen.parts[1]),
        options=seen.options,
        labels=seen.labels,
        answer="letter",
        target=seen.target,
        instance=seen.instance,
        facets={**seen.facets, "direction": DUAL, "content_direction": DUAL},
    )
