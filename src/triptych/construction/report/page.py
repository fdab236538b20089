"""`report.html` of a build: the funnel, reasons with one example each, statistics, and samples to view and play."""

from __future__ import annotations

import base64
import io
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.construction.engine.folder import PAGE, PASSED_BY, BuildFolder, StageCounts
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Record
from triptych.construction.report.figures import funnel_figure, statistics_figures
from triptych.construction.report.reasons import emptied_parts_of
from triptych.construction.report.statistics import (
    FACETS,
    BuildStatistics,
    Spread,
    kind_of,
    question_and_answer,
    records_of,
    shown_media,
    statistics,
    task_of,
)
from triptych.errors import TriptychError
from triptych.media.films.stills import stills
from triptych.media.opening import MAX_BYTES
from triptych.media.payload import DataFolder
from triptych.records import media
from triptych.reports.html.media import PIXELS, QUALITY, Embedded, Embedder
from triptych.reports.html.page import fill_template
from triptych.reports.plots.draw import need_matplotlib
from triptych.store.files.atomic import write_atomically
from triptych.store.files.run_files import read_own

SAMPLES = 18  # records shown, spread over the tasks
BUDGET = 4_000_000  # bytes of media in the page
MAX_ROWS = 12  # rows of a table that is shown open
_SHOWN = ("title", "question", "text", "transcript", "answer", "reasoning", "category", "genre", "dynasty", "split")
_MAX_TEXT_LENGTH = 600  # characters shown of a field


@dataclass(frozen=True)
class Reason:
    """A reason why records ended in a stage, their number, and an example."""

    stage: str
    decision: str
    reason: str
    count: int
    example: str
    note: str


@dataclass(frozen=True)
class Sample:
    """A record as the page shows it."""

    id: str
    task: str
    media: tuple[Embedded, ...]
    texts: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Row:
    """A row of a table: a name, and cells as text."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """A table of statistics."""

    id: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    open: bool = True


def write_report(folder: BuildFolder, to: Path | None = None) -> Path:
    """Write the page into the build folder, or to a file; return its path.

    The page shows material of the build even if it may not be passed on, so it is not part of `out/`. Raises
    SpecError if jinja2 or matplotlib is not installed, DataError if the build folder is damaged.
    """
    path = to or folder.path / PAGE
    write_atomically(path, report(folder).encode())
    return path


def report(folder: BuildFolder) -> str:
    """Return the page of a build in its present state; equal builds give equal pages."""
    need_matplotlib()
    manifest, counts, records = folder.manifest(), folder.funnel(), records_of(folder)
    assert manifest is not None
    stats = statistics(records, folder.path)
    name = str(manifest.config.get("name") or manifest.recipe)
    return fill_template(
        "build.html",
        title=name,
        manifest=manifest,
        counts=counts,
        facts=_facts(counts, records, stats),
        emptied=emptied_parts_of(folder, records),
        waiting=sum(each.decisions.get("pending", 0) + each.decisions.get("failed", 0) for each in counts),
        funnel=funnel_figure(counts),
        reasons=list(_reasons(folder, counts)),
        figures=statistics_figures(stats),
        grids=list(_grids(stats)),
        most_rows=MAX_ROWS,
        samples=list(_samples(records, folder.path, manifest.seed)),
        place=str(folder.path),
    )


def _facts(
    counts: Sequence[StageCounts], records: Sequence[Record], statistics_: BuildStatistics
) -> list[tuple[str, str]]:
    """Return the figures at the top of the page."""
    facts = [("records of raw material", f"{counts[0].came + counts[0].passed_by:,}" if counts else "0")]
    facts.append(("records now", f"{len(records):,}"))
    facts.append(("tasks", f"{len(statistics_.tasks):,}"))
    facts.append(("sources", f"{len({source for record in records for source in record.sources}):,}"))
    if statistics_.seconds:
        facts.append(("hours of recordings", f"{sum(statistics_.seconds) / 3600:.2f}"))
    return facts


def _reasons(folder: BuildFolder, counts: Sequence[StageCounts]) -> Iterator[Reason]:
    """Yield every reason for which records didn't go on, with the first such record."""
    for each in counts:
        wanted = {r for r in each.reasons if not r.startswith("revised: ")}
        first: dict[str, tuple[str, str]] = {}
        for line in folder.lines(each.stage):
            if len(first) == len(wanted):
                break
            text = f"{line.outcome.decision}: {line.outcome.reason}"
            if line.key != PASSED_BY and text in wanted:
                first.setdefault(text, (line.id, line.outcome.note))
        for text in each.reasons:
            if text in first:
                decision, _, reason = text.partition(": ")
                yield Reason(each.stage, decision, reason, each.reasons[text], *first[text])


def _grids(statistics_: BuildStatistics) -> Iterator[Grid]:
    headings = (
        "records",
        "sources",
        "recordings",
        "pictures",
        "videos",
        "question, characters",
        "answer, characters",
        "options",
        "correct options",
    )
    rows = []
    for task in statistics_.tasks:
        media_counts = tuple(_count(task.media.get(kind, 0)) for kind in ("audio", "image", "video"))
        means = (_mean(task.question), _mean(task.answer), _figure(task.options), _figure(task.right))
        rows.append(Row(task.task, (_count(task.records), _count(task.sources), *media_counts, *means)))
    yield _full_grid("tasks", "Records by task", headings, rows)
    lengths = [(task.task, task.seconds) for task in statistics_.tasks if task.seconds]
    if lengths:
        timed = [
            Row(
                name,
                (_count(s.n), *(f"{v:.1f}" for v in (s.minimum, s.median, s.mean, s.maximum)), f"{s.total / 3600:.2f}"),
            )
            for name, s in lengths
        ]
        yield _full_grid(
            "lengths", "Durations in seconds", ("files", "shortest", "median", "mean", "longest", "total, hours"), timed
        )
    for name, by_task in statistics_.facets.items():
        yield _crossed(name, by_task)


def _crossed(name: str, by_task: Mapping[str, Mapping[str, int]]) -> Grid:
    """Return a table of a facet's values by task, with sums; only the sums if there are too many tasks for a page."""
    total: dict[str, int] = defaultdict(int)
    for records_of_task in by_task.values():
        for value, n in records_of_task.items():
            total[value] += n
    tasks = tuple(by_task) if len(by_task) <= MAX_ROWS else ()
    rows = [
        Row(
            value, (*(_count(by_task[task].get(value, 0)) for task in tasks), *([_count(n)] if len(tasks) != 1 else []))
        )
        for value, n in sorted(total.items(), key=lambda each: (-each[1], each[0]))
    ]
    return Grid(
        f"by-{name}", f"Records by {FACETS[name]}", (*tasks, *(["all"] if len(tasks) != 1 else [])), tuple(rows), False
    )


def _full_grid(id: str, title: str, headings: Sequence[str], rows: Sequence[Row]) -> Grid:
    """Return the table without empty columns."""
    columns = [n for n in range(len(headings)) if any(row.cells[n] not in ("", "0") for row in rows)]
    narrow = tuple(Row(row.name, tuple(row.cells[n] for n in columns)) for row in rows)
    return Grid(id, title, tuple(headings[n] for n in columns), narrow)


def _samples(records: Sequence[Record], root: Path, seed: int) -> Iterator[Sample]:
    """Yield records to view: some of each task, drawn by the build's seed."""
    sizes: Mapping[str, int] = Counter(map(task_of, records))
    each = max(1, SAMPLES // max(1, len(sizes)))
    embedder, data = Embedder(BUDGET), DataFolder(root)
    tasks = random.Random(seed).sample(sorted(sizes), min(SAMPLES, len(sizes)))
    drawn = {
        task: random.Random(f"{seed} {task}").sample(range(n), min(each, n))
        for task, n in sizes.items()
        if task in tasks
    }
    chosen = _records_at(records, drawn)
    for task, places in drawn.items():
        for number in places:
            yield _sample(chosen[task, number], task, embedder, data)


def _records_at(records: Iterable[Record], places: Mapping[str, Sequence[int]]) -> dict[tuple[str, int], Record]:
    """Return the records at some places among those of their task."""
    seen, wanted = Counter[str](), {(task, number) for task, numbers in places.items() for number in numbers}
    chosen = dict[tuple[str, int], Record]()
    for record in records:
        task = task_of(record)
        if (task, seen[task]) in wanted:
            chosen[task, seen[task]] = record
        seen[task] += 1
    return chosen


def _sample(record: Record, task: str, embedder: Embedder, data: DataFolder) -> Sample:
    fields = record.fields
    question, answer = question_and_answer(fields)
    shown = {**fields, "question": question, "answer": answer}
    if not question and isinstance(fields.get("target"), list):
        shown["text"] = "\n".join(map(str, fields["target"]))
    if shown.get("text") == f"{fields.get('question')}\n{fields.get('answer')}":
        shown["text"] = ""  # the text in which duplicates were searched for
    texts = tuple((name, _text(shown[name])) for name in _SHOWN if shown.get(name) not in (None, "", []))
    options, answers = fields.get("options"), fields.get("answers")
    listed = isinstance(options, list) and isinstance(answers, list)
    marked = tuple((str(o), n in (answers or ())) for n, o in enumerate(options or ())) if listed else ()
    if marked:
        texts = tuple(pair for pair in texts if pair[0] != "answer")
    return Sample(record.id, task, tuple(_embed(v, embedder, data) for v in shown_media(fields)), texts, marked)


def _embed(value: str, embedder: Embedder, data: DataFolder) -> Embedded:
    """Return a recording or picture in reduced size; for a video a picture from its middle."""
    kind: Any = kind_of(value)
    if kind != "video":
        return embedder.embed(media(kind, value), data)
    still = _middle_frame(MediaStore(data.path), value)
    if not still or len(still) * 4 // 3 > embedder.left:
        return Embedded("video", note="not shown here", name=value)
    embedder.left -= len(still) * 4 // 3
    return Embedded(
        "image", address=f"data:image/jpeg;base64,{base64.b64encode(still).decode()}", name="video, a still"
    )


def _middle_frame(store: MediaStore, value: str) -> bytes:
    """Return a picture from the middle of a video as JPEG; empty if there is none."""
    from PIL import Image

    try:
        path = store.path(value)
        (pixels,) = stills(read_own(path, MAX_BYTES), 1, path)
    except (TriptychError, OSError, ValueError):
        return b""
    image, out = Image.fromarray(pixels), io.BytesIO()
    image.thumbnail((PIXELS, PIXELS))
    image.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= _MAX_TEXT_LENGTH else f"{text[:_MAX_TEXT_LENGTH]}…"


def _count(n: int) -> str:
    return f"{n:,}"


def _mean(spread: Spread | None) -> str:
    return f"{spread.mean:.1f}" if spread else ""


def _figure(value: float | None) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if value is not None else ""
