"""A few complete questions: what was asked, each Run's reply, the answer extracted from it, and its score."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite

from triptych.benchmarks.data_folders import data_folder
from triptych.errors import TriptychError
from triptych.media.payload import DataFolder
from triptych.metrics.metric import find_metric
from triptych.records import Extraction, Item, Part, Response, Score
from triptych.reports.html.links import item_path, origin_path
from triptych.reports.html.media import Embedded, Embedder
from triptych.reports.html.origin import Origin, origin
from triptych.reports.html.units import cut
from triptych.reports.tables.book import Report
from triptych.scoring.runs import load_scores

EACH, MAX_EXAMPLES, TEXT = 2, 10, 700  # questions of a Run, of a chapter; characters of a text
KINDS = ("wrong", "unparsed", "failed", "refused", "truncated")


@dataclass(frozen=True)
class Option:
    """One option: its letter, if it has one, and its Parts; `key`: it is correct; `chosen`: the Runs that chose it."""

    label: str
    parts: tuple[Embedded, ...]
    key: bool
    chosen: tuple[str, ...]


@dataclass(frozen=True)
class Reply:
    """One Run's reply and its outcome: `kind` is `right`, one of KINDS, or another status."""

    run: str
    kind: str
    text: str
    read: str
    score: str
    link: str
    note: str = ""


@dataclass(frozen=True)
class Example:
    """One question with the replies of all Runs that were asked it in this form."""

    id: str
    task: str
    parts: tuple[Embedded, ...]
    options: tuple[Option, ...]
    target: str
    replies: tuple[Reply, ...]
    origin: Origin | None = None
    made: str = ""  # the viewer's page that shows how the question was made


@dataclass(frozen=True)
class _RunExamples:
    """A Run's Scores and, for the selected Units, its Items and Responses."""

    label: str
    slug: str
    root: DataFolder | None
    scores: Mapping[tuple[str, str], Score]
    items: Mapping[str, Item]
    replies: Mapping[str, Response]


def examples(report: Report, protocol: str, slugs: Mapping[str, str], embedder: Embedder) -> list[Example]:
    """Return questions that some Run didn't answer correctly, from as many kinds of error and Tasks as possible: up to
    EACH per Run, MAX_EXAMPLES in total."""
    every = {
        label: [score for score in load_scores(folder, protocol) if not score.repeat]
        for label, folder in report.folders.items()
        if folder.scores_path(protocol).exists()
    }
    chosen: dict[str, Score] = {}
    for scores in every.values():
        chosen |= {score.unit: score for score in choose(scores, chosen) if score.unit not in chosen}
    wanted = dict(list(chosen.items())[:MAX_EXAMPLES])
    runs = [_run_examples(report, label, slugs[label], scores, wanted) for label, scores in every.items()]
    return [example for score in wanted.values() for example in _examples(score, runs, embedder)]


def choose(scores: Iterable[Score], ids: Collection[str] = ()) -> list[Score]:
    """Return a deterministic choice of Scores below the best: one of each kind and Task first, Units of `ids` before
    others."""
    failures = [(score, kind) for score in scores if not score.repeat and (kind := _kind(score)) in KINDS]
    failures.sort(key=lambda pair: (pair[0].unit not in ids, pair[0].task, pair[0].unit))
    metric_scores: list[Score] = []
    for kind in KINDS:
        tasks = {family(score.task) for score in metric_scores}
        metric_scores += [score for score, losses in failures if losses == kind and family(score.task) not in tasks][:1]
    for score, _ in failures:
        if len(metric_scores) < EACH and family(score.task) not in {family(other.task) for other in metric_scores}:
            metric_scores.append(score)
    return metric_scores[:EACH]


def _run_examples(
    report: Report, label: str, slug: str, scores: Iterable[Score], wanted: Mapping[str, Score]
) -> _RunExamples:
    folder = report.folders[label]
    items = {item.unit_id: item for item in folder.items() if item.unit_id in wanted and not item.place}
    ids = {item.id for item in items.values()}
    return _RunExamples(
        label,
        slug,
        data_folder(folder.manifest, report.benchmark.mini, report.data),
        {(score.unit, score.metric): score for score in scores if score.unit in wanted},
        items,
        {r.item: r for r in folder.responses() if r.repeat == 0 and r.item in ids},
    )


def _examples(score: Score, runs: Sequence[_RunExamples], embedder: Embedder) -> Iterator[Example]:
    """Return the examples of a Score's Unit: one, or several if Conditions changed what was asked."""
    forms: list[list[_RunExamples]] = []
    for run in runs:
        if (item := run.items.get(score.unit)) is None or (score.unit, score.metric) not in run.scores:
            continue
        same = next((part_spec for part_spec in forms if asks_the_same(part_spec[0].items[score.unit], item)), None)
        forms.append([run]) if same is None else same.append(run)
    for form in forms:
        scores = [run.scores[score.unit, score.metric] for run in form]
        if any(_kind(one) in KINDS for one in scores):
            yield _example(score.unit, form, scores, embedder)


def asks_the_same(one: Item, other: Item) -> bool:
    """Return True if both Items ask the same: stem, options and target, with the same media, changed in the same way.

    A file's hash is known only if a Run read the file; two known hashes must be equal.
    """
    if (one.labels, one.target, len(one.options)) != (other.labels, other.target, len(other.options)):
        return False
    pairs = zip((one.parts, *one.options), (other.parts, *other.options), strict=True)
    return all(len(a) == len(b) and all(map(_is_same_part, a, b)) for a, b in pairs)


def _is_same_part(one: Part, other: Part) -> bool:
    hashes = {one.sha256, other.sha256} - {""}
    return (one.kind, one.text, one.content_name) == (other.kind, other.text, other.content_name) and len(hashes) < 2


def _example(unit: str, runs: Sequence[_RunExamples], scores: Sequence[Score], embedder: Embedder) -> Example:
    item, root = runs[0].items[unit], runs[0].root
    return Example(
        id=item.id,
        task=item.task,
        parts=_parts(item.parts, root, embedder),
        options=_options(
            item, {run.label: one.extraction for run, one in zip(runs, scores, strict=True)}, root, embedder
        ),
        target=cut(_words(item.target), TEXT),
        replies=tuple(_reply(run, one, run.items[unit]) for run, one in zip(runs, scores, strict=True)),
        origin=origin(item, root),
        made=origin_path(runs[0].slug, item.id),
    )


def _reply(run: _RunExamples, score: Score, item: Item) -> Reply:
    reply = run.replies.get(item.id)
    error = f"{reply.error.kind}: {reply.error.message}" if reply and reply.error else ""
    return Reply(
        run=run.label,
        kind=_kind(score),
        text=cut(reply.text if reply else "", TEXT) or error,
        read=cut(_words(score.extraction), TEXT),
        score="" if score.value is None else f"{score.metric} {score.value:.2f}",
        link=item_path(run.slug, item.id),
        note=score.note,
    )


def family(task: str) -> str:
    """Return the Task's first path component below the benchmark, which keeps examples diverse."""
    return "/".join(task.split("/")[:2])


def _kind(score: Score) -> str:
    """Return the outcome of a reply: `right` for the best score, `wrong` for the worst, `part` in between; otherwise
    its status."""
    if score.status != "scored" or score.value is None:
        return score.status
    best, worst = _bounds(score.metric)
    way = 1 if best > worst else -1
    return "wrong" if way * score.value <= way * worst else "right" if way * score.value >= way * best else "part"


@cache
def _bounds(metric: str) -> tuple[float, float]:
    """Return (best, worst) of a Score's value; the worst of an unbounded error rate is one error per reference word."""
    try:
        definition = find_metric(metric)
    except TriptychError:
        return 1.0, 0.0
    low, high = (bound / (100 if definition.unit == "%" else 1) for bound in definition.range)
    low, high = (bound if isfinite(bound) else edge for bound, edge in ((low, 0.0), (high, 1.0)))
    return (high, low) if definition.better == "higher" else (low, min(high, 1.0))


def _parts(parts: Iterable[Part], root: DataFolder | None, embedder: Embedder) -> tuple[Embedded, ...]:
    shown = [embedder.embed(part, root) for part in parts]
    return tuple(Embedded(p.kind, cut(p.text, TEXT), p.address, p.note, p.name) for p in shown)


def _options(
    item: Item, extractions: Mapping[str, Extraction], root: DataFolder | None, embedder: Embedder
) -> tuple[Option, ...]:
    targets, read = _as_set(item.target), {run: _as_set(extraction) for run, extraction in extractions.items()}
    options = []
    for number, (option, text) in enumerate(zip(item.options, item.option_texts(), strict=True)):
        label = item.labels[number] if number < len(item.labels) else ""
        names = {label, text} - {""}
        chosen = tuple(run for run, extraction in read.items() if names & extraction)
        options.append(Option(label, _parts(option, root, embedder), bool(names & targets), chosen))
    return tuple(options)


def _as_set(value: str | Sequence[str] | None) -> set[str]:
    return set() if value is None else {value} if isinstance(value, str) else set(value)


def _words(value: Extraction) -> str:
    return "" if value is None else value if isinstance(value, str) else "; ".join(value)
