"""People's words on a Run, pulled: annotations for `errors`, ratings for `judge calibrate` and `analyse --ratings`."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from triptych.construction.asking.questions import Result
from triptych.errors import DataError
from triptych.portal.exchange.ends import End
from triptych.portal.exchange.pull import Pulled
from triptych.portal.exchange.runs import WORK, cases_of, key_of, of_run, queue_name, subject_of
from triptych.records import Annotation
from triptych.store.annotations import add_annotation, read_annotations
from triptych.store.files.atomic import write_atomically
from triptych.store.folder import RunFolder

RATINGS_FOLDER = "people"  # of ratings, in the Run's folder


def pull_run(end: End, path: Path, work: str, *, queue: str = "") -> Pulled:
    """Write people's words on a Run into its folder. Doing so again changes only what has changed.

    errors    `annotations.jsonl`: what `triptych errors` and `analyse --kind agreement` read
    verdicts  `people/METRIC.jsonl` for `judge calibrate`, `people/METRIC.csv` for `analyse --ratings`

    Raises DataError for an unknown queue or unknown work.
    """
    if work not in WORK:
        raise DataError("unknown work on a Run", got=work, expected=", ".join(WORK))
    folder, name = RunFolder.open(path), queue or queue_name(path, work)
    people_known, offered = end.results(name)
    sent = [
        msgspec.structs.replace(each, result=msgspec.structs.replace(each.result, id=result_of_run))
        for each in offered
        if (result_of_run := of_run(path, each.result.id)) is not None
    ]
    still = end.confirm(name, {each.id for each in sent}, str(path.resolve()))
    final = [each.result for each in sent if each.id in still and each.chosen]
    if work == "errors":
        votes = [each.result for each in sent if each.id in still and not each.chosen]
        _annotate(folder, final, votes, set(people_known.people))
    else:
        _rate(folder, final)
    return Pulled(name, len(final), 0, 0, tuple(people_known.withdrawn))


def _annotate(folder: RunFolder, final: Sequence[Result], votes: Sequence[Result], people: Collection[str]) -> None:
    """Add what is new to the Run's annotations. All votes on a reply come before the decision, since the last counts;
    a reply whose disagreement is open gets none."""
    wanted: dict[str, list[Annotation]] = defaultdict(list)
    decisions = {result.id: result for result in final}
    for vote in votes:
        if vote.id in decisions:
            wanted[vote.id].append(_annotation(vote))
    for result in final:
        wanted[result.id].append(_annotation(result))
    present: dict[str, list[Annotation]] = defaultdict(list)
    for each in read_annotations(folder.path):
        if each.by in people:
            present[key_of(each.item, each.repeat)].append(each)
    for key in {**wanted, **present}:
        for line in _changes(present.get(key, []), wanted.get(key, [])):
            add_annotation(folder.path, line)


def _changes(present: Sequence[Annotation], wanted: Sequence[Annotation]) -> Iterator[Annotation]:
    """The lines that make `wanted`, in its order, out of `present`: none if they are the same."""
    if list(present) == list(wanted):
        return
    people = {each.by for each in wanted}
    yield from (Annotation(each.item, each.repeat, by=each.by) for each in present if each.by not in people)
    yield from wanted


def _annotation(result: Result) -> Annotation:
    item, repeat = subject_of(result.id)
    return msgspec.convert(
        {**result.values, "item": item, "repeat": repeat, "by": result.person, "at": result.at}, Annotation
    )


def _rate(folder: RunFolder, final: Sequence[Result]) -> None:
    """Write the ratings of each metric, whole; of a reply that has changed since there is none."""
    marks: dict[str, dict[str, Any]] = defaultdict(dict)
    for result in final:
        marks[result.id][result.person] = result.values.get("human")
    people = sorted({person for figures in marks.values() for person in figures})
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    points: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for unit, case in cases_of(folder):
        rating = marks.get(f"{case.metric}:{key_of(unit.item.id, unit.repeat)}", {})
        scores = {who: case.rubric.labels.get(value, value) for who, value in rating.items() if value is not None}
        if scores:
            slots = {name: case.slots[name] for name in case.rubric.slots if case.slots.get(name)}
            subject = key_of(unit.unit_id, unit.repeat) if folder.manifest.repeats > 1 else unit.unit_id
            rows[case.metric].append({"id": subject, **slots, "human": [scores.get(who) for who in people]})
            for who, value in scores.items():
                points[case.metric][unit.unit_id, who].append(float(value))
    for metric in _rated_metrics(folder, rows):
        lines = b"".join(msgspec.json.encode(row) + b"\n" for row in rows.get(metric, ()))
        _write_or_remove(folder.path / RATINGS_FOLDER / f"{metric}.jsonl", lines)
        _write_or_remove(
            folder.path / RATINGS_FOLDER / f"{metric}.csv", _table(points[metric]) if rows.get(metric) else b""
        )


def _rated_metrics(folder: RunFolder, rows: Collection[str]) -> set[str]:
    """The metrics with ratings, now or before."""
    return {*rows, *(path.stem for path in (folder.path / RATINGS_FOLDER).glob("*.jsonl"))}


def _write_or_remove(path: Path, data: bytes) -> None:
    if data:
        write_atomically(path, data)
    else:
        path.unlink(missing_ok=True)


def _table(points: dict[tuple[str, str], list[float]]) -> bytes:
    """Ratings as `analyse --ratings` reads them: the mean over the repeats of a question."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["item", "value", "rater"])
    writer.writerows([item, fmean(values), who] for (item, who), values in sorted(points.items()))
    return out.getvalue().encode()
