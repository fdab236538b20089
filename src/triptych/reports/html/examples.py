"""A few replies shown whole: what was asked, what came, what was read out of it, and what it scored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from triptych.benchmarks import Benchmark
from triptych.records import Extraction, Item, Part, Response, Score
from triptych.reports.book import Report
from triptych.reports.html.behind import cut
from triptych.reports.html.media import Embedded, Embedder
from triptych.reports.links import VIEWER, item_path
from triptych.scoring.runs import load_scores
from triptych.store.folder import RunFolder

EACH, TEXT = 2, 700  # examples of a Run; characters of a text
KINDS = ("wrong", "unparsed", "failed", "refused", "truncated")


@dataclass(frozen=True)
class Option:
    """One option: its letter where it has one, and its Parts; `key`: it is (among) the right, `chosen`: the reply's."""

    label: str
    parts: tuple[Embedded, ...]
    key: bool
    chosen: bool


@dataclass(frozen=True)
class Example:
    """One reply with what it answers."""

    id: str
    run: str
    task: str
    kind: str
    parts: tuple[Embedded, ...]
    options: tuple[Option, ...]
    target: str
    reply: str
    read: str
    score: str
    link: str
    note: str = ""


def examples(report: Report, protocol: str, slugs: Mapping[str, str], embedder: Embedder) -> list[Example]:
    """Of each Run up to EACH replies that are no right answers, of as many kinds and Tasks as there are."""
    found = []
    for label, folder in report.folders.items():
        if not folder.scores_path(protocol).exists():
            continue
        chosen = choose(load_scores(folder, protocol))
        wanted = {score.unit for score, _ in chosen}
        items = {item.unit_id: item for item in folder.items() if item.unit_id in wanted and not item.place}
        replies = {r.item: r for r in folder.responses() if r.repeat == 0}
        root = data_root(report.benchmark, folder)
        for score, kind in chosen:
            if (item := items.get(score.unit)) is not None:
                reply = replies.get(item.id)
                found.append(_example(item, reply, score, kind, label, slugs[label], root, embedder))
    return found


def choose(scores: Iterable[Score]) -> list[tuple[Score, str]]:
    """Scores that lost something, each kind and Task first once; the same every time."""
    lost = [(score, kind) for score in scores if not score.repeat and (kind := _kind(score))]
    lost.sort(key=lambda pair: (pair[0].task, pair[0].unit))
    found: list[tuple[Score, str]] = []
    seen: set[str] = set()
    for kind in KINDS:
        tasks = {family(score.task) for score, _ in found}
        found += [pair for pair in lost if pair[1] == kind and family(pair[0].task) not in tasks][:1]
    for pair in lost:
        if len(found) < EACH and family(pair[0].task) not in seen | {family(score.task) for score, _ in found}:
            found.append(pair)
    return found[:EACH]


def family(task: str) -> str:
    """The Task's first step below the benchmark, so that examples are of different things."""
    return "/".join(task.split("/")[:2])


def data_root(benchmark: Benchmark, folder: RunFolder) -> Path | None:
    """Where the Run's media lie, if they are still there."""
    data = folder.manifest.data
    root = benchmark.mini if data == "mini" else Path(data)
    return root if root.is_dir() else None


def _kind(score: Score) -> str:
    if score.status == "scored":
        return "wrong" if score.value == 0 else ""
    return score.status if score.status in KINDS else ""


def _example(
    item: Item,
    reply: Response | None,
    score: Score,
    kind: str,
    run: str,
    slug: str,
    root: Path | None,
    embedder: Embedder,
) -> Example:
    text = reply.text if reply else ""
    error = f"{reply.error.kind}: {reply.error.message}" if reply and reply.error else ""
    return Example(
        id=item.id,
        run=run,
        task=item.task,
        kind=kind,
        parts=_parts(item.parts, root, embedder),
        options=_options(item, score.extraction, root, embedder),
        target=cut(_words(item.target), TEXT),
        reply=cut(text, TEXT) or error,
        read=cut(_words(score.extraction), TEXT),
        score="" if score.value is None else f"{score.metric} {score.value:.2f}",
        link=VIEWER + item_path(slug, item.id),
        note=score.note,
    )


def _parts(parts: Iterable[Part], root: Path | None, embedder: Embedder) -> tuple[Embedded, ...]:
    shown = [embedder.embed(part, root) for part in parts]
    return tuple(Embedded(p.kind, cut(p.text, TEXT), p.address, p.note, p.name) for p in shown)


def _options(item: Item, extraction: Extraction, root: Path | None, embedder: Embedder) -> tuple[Option, ...]:
    targets, read = _several(item.target), _several(extraction)
    found = []
    for number, (option, text) in enumerate(zip(item.options, item.option_texts(), strict=True)):
        label = item.labels[number] if number < len(item.labels) else ""
        names = {label, text} - {""}
        found.append(Option(label, _parts(option, root, embedder), bool(names & targets), bool(names & read)))
    return tuple(found)


def _several(value: str | Sequence[str] | None) -> set[str]:
    return set() if value is None else {value} if isinstance(value, str) else set(value)


def _words(value: Extraction) -> str:
    return "" if value is None else value if isinstance(value, str) else "; ".join(value)
