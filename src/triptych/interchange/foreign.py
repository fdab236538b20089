"""Logs of other harnesses as Runs: their samples become Items and Responses, and their scores are kept."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from triptych.benchmarks import Benchmark, known_benchmarks, load_benchmark
from triptych.errors import DataError, TriptychError
from triptych.records import (
    SCHEMA_VERSION,
    ErrorInfo,
    Intermediate,
    Item,
    Response,
    ResponseStatus,
    RunManifest,
    Usage,
    text,
)
from triptych.records.log_figures import READ_BY_HARNESS, STORED, LogFigure
from triptych.records.log_rows import LogRow
from triptych.store.files.limits import MAX_KEPT, check_limit
from triptych.store.folder import RunFolder
from triptych.store.log_figures import write_log_figures
from triptych.version import __version__

BENCHMARK = "imported"  # for questions of no benchmark here
MAX_REPEATS = 10_000
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class ForeignSample:
    """A sample in a log.

    `labels`: those of options that the log has only by number; `read`: what the harness extracted from the reply;
    `more`: further texts to keep, as (engine, text): other replies, log-likelihoods. `task`: its own, if a log has
    several; `filter`: the filter of its scores, if the log parses a reply in several ways. `ours`: Triptych's own
    records, if it wrote the log. `facts`: objects in the row, which a benchmark of ours may know how to read. `served`:
    the model that replied, as its endpoint named it.
    """

    id: str
    question: str
    target: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    reply: str = ""
    status: ResponseStatus = "answered"
    epoch: int = 0
    error: str = ""
    usage: Usage | None = None
    seconds: float = 0.0
    thinking: str | None = None
    read: str | None = None
    more: tuple[tuple[str, str], ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    facets: Mapping[str, str] = field(default_factory=dict)
    ours: Mapping[str, Any] | None = None
    task: str = ""
    filter: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    served: str = ""

    @property
    def size(self) -> int:
        """Approximate size in memory, in bytes."""
        texts = (self.question, self.reply, self.error, self.thinking or "", self.read or "", *self.choices)
        more = (*self.target, *(text for pair in self.more for text in pair))
        ours = len(msgspec.json.encode(self.ours)) if self.ours else 0
        return 2000 + ours + sum(map(len, texts)) + sum(map(len, more)) + 200 * (len(self.scores) + len(self.facets))


@dataclass(frozen=True)
class ForeignLog:
    """A log of another harness: one model, one or several tasks. `figures`: the log's own figures."""

    harness: str
    task: str
    model: str
    path: Path
    samples: Iterable[ForeignSample]
    created: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    figures: Sequence[LogFigure] = ()
    manifest: Mapping[str, Any] | None = None


def write_run(log: ForeignLog, out: Path, data: Path | None = None) -> RunFolder:
    """Write the log as a Run folder at `out`, unscored. If the log has no samples, has one twice, or has
    one that can't be read, raises DataError and writes nothing.

    If every sample has Triptych's own records (an exported Run, or one of our benchmarks run in Inspect), or if its
    tasks are the harness's own form of one of our benchmarks, the Run is of that benchmark and scores like any other;
    `data` has the questions of the latter. Otherwise it is of `imported`: its protocol `official` uses the scores in
    the log, `standard` parses the replies again; the figures in the log are kept in addition.
    """
    try:
        log, manifest, rows = _read(log, data)
        _check_records(rows)
        msgspec.json.encode((manifest, tuple(log.figures)))  # half a surrogate pair fails before anything is written
    except TriptychError:
        raise
    except (*ODD, zipfile.BadZipFile, zlib.error) as error:
        problem = f"{type(error).__name__}: {error}"[:300]
        raise DataError("a sample of the log can't be read", where=log.path, got=problem) from None
    folder = RunFolder.create(out, manifest)
    with folder.writer() as writer:
        for item, response in rows:
            writer.add_item(item)
            if response is not None:
                writer.add_response(response)
        writer.sync()
    if manifest.benchmark == BENCHMARK or manifest.model_settings.get("located"):
        write_log_figures(out, log.figures)
    return folder


Row = tuple[Item, Response | None]
# Errors raised by data of another form than a log's
ODD = (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError, RecursionError)


def _read(log: ForeignLog, data: Path | None) -> tuple[ForeignLog, RunManifest, list[Row]]:
    samples = list(_bounded(log))
    if not samples:
        raise DataError("the log contains no samples", where=log.path)
    tasks = {sample.task or log.task for sample in samples}
    benchmarks = list(known_benchmarks().values())
    if (bench := next((b for b in benchmarks if b.claims_log(log.harness, tasks)), None)) and not any(
        sample.ours for sample in samples
    ):
        return _located(log, samples, bench, data)
    if data is not None:
        unknown = sorted(task for task in tasks if not any(b.claims_log(log.harness, {task}) for b in benchmarks))
        named = ", ".join((unknown or sorted(tasks))[:5]) or "no task"
        raise DataError(
            "the log is not of a benchmark whose data could be joined",
            where=log.path,
            expected="tasks of a harness that are a benchmark of Triptych, such as xmod_bench_audio_text of lmms-eval",
            got=f"{named} of {log.harness}",
            fix="leave out --data",
        )
    is_ours = all(sample.ours for sample in samples) and log.task.startswith("triptych/")
    rows = [_own_row(sample) for sample in samples] if is_ours else list(_foreign_rows(log, samples))
    _check_places(log, [(item.id, response.repeat if response else 0) for item, response in rows])
    return log, _manifest(log, rows, is_ours=is_ours), rows


def _located(
    log: ForeignLog, samples: Sequence[ForeignSample], bench: Benchmark, data: Path | None
) -> tuple[ForeignLog, RunManifest, list[Row]]:
    """Return the log as a Run of one of our benchmarks, with the log's scores on its Responses."""
    log_rows = [
        LogRow(s.task or log.task, s.id, _whole_characters(s.question), s.target[0] if s.target else "", s.facts)
        for s in samples
    ]
    _check_places(log, [(f"{row.task} {row.id}", s.epoch) for row, s in zip(log_rows, samples, strict=True)])
    located = bench.locate_log(log_rows, data)
    with_scores = [replace(sample, scores=scores) for sample, scores in zip(samples, located.scores, strict=True)]
    rows: list[Row] = [
        (item, _response(sample, item.id)) for item, sample in zip(located.items, with_scores, strict=True)
    ]
    _check_places(log, [(item.id, response.repeat if response else 0) for item, response in rows])
    figures = [_scaled(figure, located.percent) for figure in log.figures]
    manifest = structs.replace(
        _manifest(log, rows, is_ours=False),
        benchmark=bench.name,
        benchmark_version=located.version or bench.spec.version,
        model_settings={"harness": log.harness, "task": log.task, "located": "data" if data else "list"},
        prompt=located.prompt,
        sample=located.sample,
        planned=max(located.planned or 0, len(rows)),
        note="; ".join((*log.notes, *located.notes)),
    )
    return replace(log, figures=figures), manifest, rows


def _scaled(figure: LogFigure, percent: Collection[str]) -> LogFigure:
    """Return a figure as the mean of its samples' scores, in percent."""
    if figure.metric not in percent:
        return figure
    return structs.replace(figure, aggregation="mean", scale=100.0)


def _bounded(log: ForeignLog) -> Iterator[ForeignSample]:
    """Yield the samples, which are kept in memory until all are known to be valid. Raises DataError for too many."""
    total = 0
    for sample in log.samples:
        check_limit("the log's samples", total := total + sample.size, MAX_KEPT, log.path)
        yield sample


def _check_records(rows: Sequence[Row]) -> None:
    """Encode and decode the records, so that errors occur before anything is written."""
    for row in rows:
        msgspec.json.decode(msgspec.json.encode(row), type=Row)


def _check_places(log: ForeignLog, places: Sequence[tuple[str, int]]) -> None:
    """Check that every Item and repeat occurs once, and that the number of repeats is plausible."""
    twice = next((item_number for item_number, n in Counter(places).items() if n > 1), None)
    if twice is not None:
        raise DataError("the log contains a sample twice", where=log.path, got=f"{twice[0]}, epoch {twice[1] + 1}")
    if wrong := [repeat for _, repeat in places if not 0 <= repeat < MAX_REPEATS]:
        raise DataError("not a valid epoch number", where=log.path, expected=f"1 to {MAX_REPEATS}", got=wrong[0] + 1)


def _own_row(sample: ForeignSample) -> Row:
    assert sample.ours is not None
    item = msgspec.convert(sample.ours["item"], Item)
    stored = sample.ours.get("response")
    if stored is not None:
        return item, msgspec.convert(stored, Response)
    return item, _response(sample, item.id)


def _foreign_rows(log: ForeignLog, samples: Sequence[ForeignSample]) -> Iterator[Row]:
    scorers = _scorers(samples)
    by_task: dict[str, list[ForeignSample]] = defaultdict(list)
    for sample in samples:
        by_task[sample.task].append(sample)
    labels = {task: _labels(task_samples) for task, task_samples in by_task.items()}
    for sample in samples:
        scorer = scorers.get((sample.task, sample.filter), "")
        yield _item(log, sample, labels[sample.task], scorer), _response(sample, _id(log, sample))


def _id(log: ForeignLog, sample: ForeignSample) -> str:
    return _question_id(log, sample) + (f"@{sample.filter}" if sample.filter else "")


def _question_id(log: ForeignLog, sample: ForeignSample) -> str:
    return f"{BENCHMARK}/{sample.task or log.task}/{sample.id}"


def _scorers(samples: Sequence[ForeignSample]) -> dict[tuple[str, str], str]:
    """Return the score for figures, by task and filter: the first whose values are between 0 and 1 in every sample that
    has it; otherwise the first."""
    inside: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    for sample in samples:
        scorer = inside[sample.task, sample.filter]
        for name, value in sample.scores.items():
            scorer[name] = scorer.get(name, True) and 0 <= value <= 1
    return {
        key: next((name for name, fits in scorers.items() if fits), next(iter(scorers), ""))
        for key, scorers in inside.items()
    }


def _whole_characters(words: str) -> str:
    """Replace half a character (as left by models that stop inside one) by `?`, since no file can contain it."""
    return words.encode("utf-8", "replace").decode("utf-8")


def _labels(samples: Sequence[ForeignSample]) -> tuple[str, ...]:
    """Return the letters of questions whose options are in their text, if every target is a single letter."""
    letters = {t for s in samples for t in s.target}
    if not letters or not all(len(t) == 1 and t in _LETTERS for t in letters):
        return ()
    return tuple(_LETTERS[: max(4, 1 + max(_LETTERS.index(t) for t in letters))])


def _item(log: ForeignLog, sample: ForeignSample, labels: tuple[str, ...], scorer: str) -> Item:
    letters = sample.labels or tuple(_LETTERS[: len(sample.choices)]) or labels
    fields = {"log_task": sample.task or log.task, "filter": sample.filter, "scorer": scorer}
    lettered = bool(letters) and len(sample.target) == 1 and sample.target[0] in letters
    target = sample.target[0] if len(sample.target) == 1 else sample.target or None
    return Item(
        id=_id(log, sample),
        task=f"{BENCHMARK}/log",
        parts=(text(_whole_characters(sample.question), "question"),),
        options=tuple((text(_whole_characters(choice)),) for choice in sample.choices),
        labels=letters if lettered else (),
        answer="letter" if lettered else "text",
        target=target,
        instance=_question_id(log, sample) if sample.filter else "",
        facets={**sample.facets, **{name: value for name, value in fields.items() if value}},
    )


def _response(sample: ForeignSample, item: str) -> Response:
    failed = sample.status == "failed"
    return Response(
        item=item,
        condition="",
        repeat=sample.epoch,
        status=sample.status,
        text=_whole_characters(sample.reply),
        usage=sample.usage,
        seconds=sample.seconds,
        error=ErrorInfo("internal", sample.error) if failed else None,
        served_model=sample.served or None,
        thinking=sample.thinking,
        intermediates=tuple(
            Intermediate(engine, "text", "", _whole_characters(words)) for engine, words in _steps(sample)
        ),
    )


def _steps(sample: ForeignSample) -> Iterator[tuple[str, str]]:
    """Yield what the log has in addition to the reply: scores, extracted answers, other replies."""
    for name, value in sample.scores.items():
        yield STORED + name, repr(value)
    if sample.read is not None:
        yield READ_BY_HARNESS, sample.read
    yield from sample.more


def _log_manifest(log: ForeignLog, manifest: RunManifest) -> RunManifest:
    """Return the manifest in a log, without its data folder, since a log from elsewhere can't name files here."""
    if not 0 < manifest.repeats <= MAX_REPEATS:
        raise DataError(
            "the number of repeats in the log's manifest is not valid", where=log.path, got=manifest.repeats
        )
    return structs.replace(manifest, data=manifest.data if manifest.data == "mini" else log.path.name)


def _manifest(log: ForeignLog, rows: Sequence[Row], *, is_ours: bool) -> RunManifest:
    """Return the manifest: the one in our own logs, otherwise one made from the log."""
    if is_ours and log.manifest is not None:
        return _log_manifest(log, msgspec.convert(log.manifest, RunManifest))
    name = log.task.removeprefix("triptych/") if is_ours else BENCHMARK
    spec = load_benchmark(name).spec
    questions = hashlib.sha256("\n".join(msgspec.json.encode(item).decode() for item, _ in rows).encode())
    return RunManifest(
        schema_version=SCHEMA_VERSION,
        benchmark=name,
        benchmark_version=spec.version,
        data=log.path.name,
        data_sha256=questions.hexdigest()[:16],
        tasks=tuple(dict.fromkeys(item.task.partition("/")[2] for item, _ in rows)),
        model=f"replay/{log.model}",
        revision="",
        model_settings={"harness": log.harness, "task": log.task},
        conditions=(),
        prompt=spec.prompt if is_ours else f"{log.harness}'s own",
        decoding=dict(log.settings),
        seed=0,
        repeats=1 + max(response.repeat if response else 0 for _, response in rows),
        created=log.created,
        code_version=__version__,
        planned=len(rows),
        note="; ".join(log.notes),
    )
