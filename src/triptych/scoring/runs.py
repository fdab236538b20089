"""Score a Run from its folder alone, without the data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from triptych.benchmarks import load_benchmark
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import RunFolderError
from triptych.judges.asking import Judging
from triptych.models.encoders.settings import EncoderSettings
from triptych.protocols.protocol import Protocol
from triptych.records import Aggregate, RunManifest, Score
from triptych.records.arguments import refuse_other
from triptych.records.unreadable import UNREADABLE, reason
from triptych.running.readings import reading_notes
from triptych.scoring.figures.tallies import Tallies
from triptych.scoring.judging import JudgedUnits, JudgeSession, ask_judges, last_session
from triptych.scoring.notes.cost import cost_text
from triptych.scoring.outcome import Joined, Scored, choose, score_all
from triptych.scoring.queue import NAME as QUEUE
from triptych.scoring.signature import run_signature
from triptych.scoring.stored.files import ScoreFiles
from triptych.scoring.stored.lines import decode_scores
from triptych.scoring.stored.sources import Source, sources, unchanged
from triptych.store.decoded import read_once
from triptych.store.files.atomic import write_atomically
from triptych.store.files.lock import locked
from triptych.store.files.run_files import read_own
from triptych.store.folder import RunFolder
from triptych.store.log_figures import log_notes

if TYPE_CHECKING:
    from triptych.scoring.stored.corpus import Corpora, Corpus

SUMMARY_VERSION = 1
LOCK = ".scoring.lock"


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """The contents of `summary.json`. `counts`: Units by the status of their Responses; `read`: the files that the
    scores were computed from; `sent`: kind of media -> how it was sent; `credited`: protocol -> Task -> (replies that
    it counts as correct although they choose another option, replies that choose one)."""

    summary_version: int
    benchmark: str
    model: str
    condition: str
    counts: dict[str, int]
    notes: tuple[str, ...]
    protocols: dict[str, list[Aggregate]]
    read: dict[str, Source] = {}
    sent: dict[str, str] = {}
    credited: dict[str, dict[str, tuple[int, int]]] = {}


class _Sent(msgspec.Struct):
    sent: dict[str, str] = {}


class _Read(msgspec.Struct):
    read: dict[str, Source] = {}


def score_run(
    folder: RunFolder,
    protocols: Sequence[str] | None = None,
    session: JudgeSession | None = None,
    queue: Path | None = None,
    encoders: EncoderSettings | None = None,
    joined: Joined | None = None,
) -> Scored:
    """Score a Run; write `scores/PROTOCOL.jsonl` and `summary.json`, each whole and atomically.

    `protocols`: None for all of the benchmark's. Other protocols in the summary are kept; if they are out of date, they
    are scored again, without asking a judge. Only the requested ones are returned. `session`: the judges; None: the
    verdicts of the panel asked last are read, and no judge is asked. `queue`: a file of ambiguous replies for people,
    read and written; None: the Run's own `ambiguous.jsonl`, if there is one. `encoders`: see `score_all`.
    `joined`: Scores of the Run's parts (`scoring.stored.joining`), which need not be computed. Raises DataError if the
    Run's data is damaged.

    Only one process scores a Run at a time; others wait. Judges are asked before that. So scores that are written later
    are computed from at least as many replies and verdicts as those before.
    """
    chosen = choose(load_benchmark(folder.manifest.benchmark), protocols)
    judging = _ask_judges(folder, chosen, session) if session and session.adapters is not None else None
    with locked(folder.path, LOCK, wait=True):
        return _score_locked(folder, chosen, session, judging, queue, encoders, joined)


def _ask_judges(folder: RunFolder, chosen: Mapping[str, Protocol], session: JudgeSession) -> Judging:
    """Ask the judges for the verdicts that are missing; scoring reads them from the folder."""
    from triptych.scoring.stored.corpus import Corpus

    with Corpus(folder) as corpus:
        return ask_judges(corpus, load_benchmark(folder.manifest.benchmark), chosen, session)


def _score_locked(
    folder: RunFolder,
    chosen: Mapping[str, Protocol],
    session: JudgeSession | None,
    judging: Judging | None,
    queue: Path | None,
    encoders: EncoderSettings | None,
    joined: Joined | None,
) -> Scored:
    from triptych.scoring.stored.corpus import Corpora, Corpus

    manifest, read = folder.manifest, sources(folder)
    benchmark = load_benchmark(manifest.benchmark)
    own_queue = folder.path / QUEUE if (folder.path / QUEUE).exists() else None
    before = _scored_before(folder, [name for name in benchmark.protocols if name not in chosen])
    outdated = before if is_outdated(folder) else {}
    wanted = {name: p for name, p in benchmark.protocols.items() if name in chosen or name in outdated}
    units = Corpora(joined.shards) if joined and wanted.keys() <= joined.stored_scores.keys() else Corpus(folder)
    with units as corpus, ScoreFiles(folder, wanted) as files:
        judged = JudgedUnits(corpus, session or last_session(folder.verdicts_path), benchmark, wanted)

        def notes(tallies: Tallies) -> Iterator[str]:
            yield from _notes(manifest, benchmark.spec, corpus)
            yield from tallies.notes(manifest.model)
            yield from reading_notes(folder, cost_text)
            yield from log_notes(folder.path, folder.items, folder.responses)
            yield from judged.notes(judging)

        scored = score_all(
            judged,
            wanted,
            benchmark,
            lambda protocol, metrics, media: run_signature(manifest, protocol, metrics, judged.signature_text, media),
            files.add,
            notes,
            judging=judging,
            costs=not manifest.model.startswith("replay/"),
            queue=queue or own_queue,
            encoders=encoders,
            stored_scores=joined.stored_scores if joined else None,
        )
    # scoring has just rewritten the queue
    all_scores = scored if outdated else _with_those_before(scored, before, benchmark.protocols)
    write_summary(
        folder, all_scores, read | {name: source for name, source in sources(folder).items() if name == QUEUE}
    )
    only = {name: scored[name] for name in chosen}
    return Scored(only, scored.counts, scored.notes, scored.judging, scored.sent, scored.credited)


def _scored_before(folder: RunFolder, names: Sequence[str]) -> Scored:
    """Return the summary's figures of these protocols, if their Scores still exist; empty if it can't be read."""
    try:
        before = load_summary(folder)
    except RunFolderError:
        return Scored({})
    there = {name: before[name] for name in names if name in before and folder.scores_path(name).exists()}
    credited = {name: credited_scores for name, credited_scores in before.credited.items() if name in there}
    return Scored(there, before.counts, before.notes, sent=before.sent, credited=credited)


def _with_those_before(scored: Scored, before: Scored, order: Iterable[str]) -> Scored:
    if not before:
        return scored
    both = {**before, **scored}
    notes = dict.fromkeys((*before.notes, *scored.notes))
    credited = {**before.credited, **scored.credited}
    ordered = {name: both[name] for name in order if name in both}
    return Scored(ordered, scored.counts, notes, sent=scored.sent, credited=credited)


def load_summary(folder: RunFolder) -> Scored:
    """Return `summary.json`. Raises RunFolderError if the Run was never scored or the file is damaged."""
    path = folder.summary_path
    try:
        summary = msgspec.json.decode(read_own(path), type=Summary)
    except FileNotFoundError:
        raise RunFolderError("the Run has no scores yet", where=path, fix=f"triptych score {folder.path}") from None
    except (OSError, *UNREADABLE) as error:
        raise RunFolderError(
            "the Run's summary can't be read", where=path, got=reason(error), fix=f"triptych score {folder.path}"
        ) from None
    return Scored(summary.protocols, summary.counts, summary.notes, sent=summary.sent, credited=summary.credited)


def up_to_date(folder: RunFolder) -> Scored:
    """Return a Run's scores; scores the Run if it has none or they are out of date."""
    if is_outdated(folder) or not folder.summary_path.exists():
        return score_run(folder)
    return load_summary(folder)


def media_formats(folder: RunFolder) -> dict[str, str]:
    """Return how media were sent in a scored Run, by their kind; empty if its Responses don't say so."""
    try:
        return msgspec.json.decode(read_own(folder.summary_path), type=_Sent).sent
    except (OSError, *UNREADABLE):
        return {}


def is_outdated(folder: RunFolder) -> bool:
    """Return whether replies, verdicts or people's decisions have changed since the Run was scored. False if it was
    never scored, or if its summary can't be read (`load_summary` reports why)."""
    try:
        read = msgspec.json.decode(read_own(folder.summary_path), type=_Read).read
    except (OSError, *UNREADABLE):
        return False
    return not unchanged(folder, read)


def load_scores(folder: RunFolder, protocol: str) -> Sequence[Score]:
    """Return the Scores of one protocol. Raises RunFolderError if there are none or the file is damaged,
    SpecError for a protocol that the benchmark doesn't have."""
    refuse_other("folder", folder, RunFolder, "a RunFolder", "RunFolder.open(PATH)")
    path = folder.scores_path(protocol)
    try:
        return read_once(path, lambda: decode_scores(read_own(path)))
    except FileNotFoundError:
        load_benchmark(folder.manifest.benchmark).protocol(protocol)  # raises SpecError for a misspelt name
        raise RunFolderError(
            "not scored under this protocol", where=path, fix=f"triptych score {folder.path}"
        ) from None
    except (OSError, *UNREADABLE) as error:
        raise RunFolderError(
            "the Scores can't be read", where=path, got=reason(error), fix=f"triptych score {folder.path}"
        ) from None


def write_summary(folder: RunFolder, scored: Scored, read: Mapping[str, Source]) -> None:
    """Write `summary.json`, indented. `read`: the files that the scores were computed from."""
    manifest = folder.manifest
    summary = Summary(
        summary_version=SUMMARY_VERSION,
        benchmark=manifest.benchmark,
        model=manifest.model,
        condition=manifest.condition,
        counts=scored.counts,
        notes=scored.notes,
        protocols=dict(scored),
        read=dict(read),
        sent=scored.sent,
        credited=scored.credited,
    )
    write_atomically(folder.summary_path, msgspec.json.format(msgspec.json.encode(summary), indent=1) + b"\n")


def _notes(manifest: RunManifest, spec: BenchmarkSpec, corpus: Corpus | Corpora) -> list[str]:
    """Return notes on what the counts don't show: Requests not sent yet, and a newer version of the specification."""
    notes = []
    units_planned = corpus.items * manifest.repeats
    if manifest.shard:
        notes.append(f"shard {manifest.shard}: a part of the selected Items; `triptych merge` joins the shards")
    if partial := corpus.partial:
        notes.append(
            f"{partial:,} Units of several Items were asked only in part; they count once all their Items are asked"
        )
    if manifest.planned is not None and units_planned < manifest.planned:
        chosen = manifest.limit or manifest.filters or manifest.sample or manifest.items_file or manifest.shard
        all_ = "selected" if chosen else "in the data"
        left = manifest.planned - units_planned
        counts = f"{all_} {manifest.planned:,}, asked {units_planned:,}"
        notes.append(f"unfinished: {counts}; the {left:,} Requests not asked yet are not counted")
    if manifest.benchmark_version not in (spec.version, *spec.releases):
        notes.append(f"run with {manifest.benchmark} {manifest.benchmark_version}, scored with version {spec.version}")
    return notes
