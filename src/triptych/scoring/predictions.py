"""Score outputs made elsewhere, in the authors' own formats."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from triptych.benchmarks.registry import Benchmark
from triptych.errors import DataError
from triptych.models.encoders.settings import EncoderSettings
from triptych.protocols.protocol import Outputs, Protocol
from triptych.records import Item
from triptych.scoring.figures.tallies import Tallies
from triptych.scoring.judging import JudgedUnits, JudgeSession, ask_judges
from triptych.scoring.outcome import Scored, choose, score_all
from triptych.scoring.signature import make_signature
from triptych.scoring.stored.units import group_units


def score_predictions(
    benchmark: Benchmark,
    paths: Sequence[Path],
    data: Path | None = None,
    reference: Path | None = None,
    protocols: Sequence[str] | None = None,
    session: JudgeSession | None = None,
    queue: Path | None = None,
    *,
    recover: bool = False,
    encoders: EncoderSettings | None = None,
) -> Scored:
    """Score results files. Targets come from the files if their format has them, otherwise from `data` (a folder) or
    `reference` (a file in the format of the data).

    With data, every question of the Tasks in the files counts; one without a prediction is `missing`.
    `session`: the judges and the folder of their verdicts. `recover`: read damaged files as far as possible, if the
    format allows it. `queue`: a file of ambiguous replies for people, read and written. `encoders`: see
    `score_all`. Raises DataError if the predictions have no targets.
    """
    questions = _questions(benchmark, data, reference)
    outputs = benchmark.outputs(paths, questions or None, recover=recover)
    items = merge_items(outputs, questions)
    _check_targets(outputs, items, data or reference)
    digest = _digest(paths)
    chosen = choose(benchmark, protocols)
    units = [list(group_units(items, outputs.responses.values()))]
    judging = ask_judges(units, benchmark, chosen, session) if session and session.adapters is not None else None
    judged = JudgedUnits(units, session, benchmark, chosen)

    def sign(protocol: Protocol, metrics: Iterable[str], media: str) -> str:
        return make_signature(
            benchmark=benchmark.name,
            version=benchmark.spec.version,
            data=_data_name(benchmark, data, reference),
            protocol=protocol,
            metrics=metrics,
            model=f"predictions({digest})",
            judge=judged.signature_text,
        )

    def notes(tallies: Tallies) -> Iterator[str]:
        yield from outputs.notes
        yield from unmatched(outputs, items)
        yield from judged.notes(judging)

    return score_all(judged, chosen, benchmark, sign, notes=notes, judging=judging, queue=queue, encoders=encoders)


def verdicts_place(path: Path) -> Path:
    """Return `results.verdicts/` next to `results.json` or next to a folder `results/`. Raises DataError for a link."""
    path = path.resolve()
    folder = path.with_name(f"{path.name if path.is_dir() else path.stem}.verdicts")
    if folder.is_symlink():  # the results and the folder next to them may come from an untrusted source
        fix = "name the folder: --verdicts DIR"
        raise DataError("the folder of verdicts next to the results is a symbolic link", where=folder, fix=fix)
    return folder


def _questions(benchmark: Benchmark, data: Path | None, reference: Path | None) -> dict[str, Item]:
    """Return the Items by id, from the folder and the reference. Malformed rows are skipped; `check` reports them."""
    items: dict[str, Item] = {}
    for path in filter(None, (data, reference)):
        items |= {item.id: item for item in benchmark.items(path, None, lambda problem: None)}
    return items


def merge_items(outputs: Outputs, questions: Mapping[str, Item]) -> list[Item]:
    """Return the Items of the files, followed by those of the data that belong to a Task in the files (no others if
    the files' own are `whole`)."""
    if outputs.complete:
        return list(outputs.items.values())
    items_by_id = {**questions, **outputs.items}
    tasks = {items_by_id[id_].task for id_ in outputs.responses if id_ in items_by_id} | {
        i.task for i in outputs.items.values()
    }
    return [item for item in items_by_id.values() if item.task in tasks]


def _check_targets(outputs: Outputs, items: Sequence[Item], source: Path | None) -> None:
    if not outputs.responses:
        raise DataError("no prediction can be read here", got="; ".join(outputs.notes[:3]) or "nothing")
    if not items:
        raise DataError(
            "the predictions name no question that is known",
            got="; ".join([f"{len(outputs.responses)} predictions", *outputs.notes[:1]]),
            where=source,
            fix="pass --data with the folder of the released questions",
        )
    if all(item.target is None for item in items):
        raise DataError("there are no targets to score against", fix="pass --data or --reference", where=source)


def unmatched(outputs: Outputs, items: Sequence[Item]) -> Iterator[str]:
    """Yield a note on predictions that belong to no Item, so that they are not dropped silently."""
    ids = {item.id for item in items}
    strange = [id_ for id_ in outputs.responses if id_ not in ids]
    if strange:
        if len(strange) == 1:
            yield f"1 prediction belongs to no known question and isn't counted: {strange[0]}"
        else:
            yield f"{len(strange):,} predictions belong to no known question and aren't counted, such as {strange[0]}"


def _data_name(benchmark: Benchmark, data: Path | None, reference: Path | None) -> str:
    if data is not None:
        return _digest(benchmark.source_files(data))
    return _digest([reference]) if reference is not None else "as in predictions"


def _digest(paths: Sequence[Path]) -> str:
    """Return a short hash of the files' contents, in a fixed order, independent of their paths."""
    files = [f for p in paths for f in (sorted(p.rglob("*")) if p.is_dir() else [p]) if f.is_file()]
    contents = sorted(hashlib.sha256(file.read_bytes()).hexdigest() for file in files)
    return hashlib.sha256(" ".join(contents).encode()).hexdigest()[:8]
