"""Checks that a Run's Scores follow from its Responses, and its summary from its Scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import isclose

from triptych.audit.results.systems import System
from triptych.protocols.protocol import Protocol
from triptych.records import ANSWERED, Aggregate, Finding, Score, figure_key, finding
from triptych.scoring.apply import scores_of
from triptych.scoring.figures.aggregate import aggregate_columns
from triptych.scoring.figures.cells import Columns
from triptych.scoring.notes.cost import COSTS
from triptych.scoring.queue import NAME, decide, read_queue
from triptych.scoring.runs import load_scores, load_summary
from triptych.scoring.stored.files import has_scores
from triptych.scoring.stored.units import group_units
from triptych.store.folder import RunFolder

_SHOWN = 5
Key = tuple[str, str, int]  # Unit, metric, repeat


def check_run_scores(system: System) -> Iterator[Finding]:
    """Yield one finding per protocol, Task and fault; none for a Run that was never scored. Verdicts of judges are not
    computed again."""
    folder = RunFolder.open(system.path)
    if not folder.summary_path.is_file():
        return
    stored_scores, summary = _scores_function(system, folder), load_summary(folder)
    for name, protocol in system.benchmark.protocols.items():
        if folder.scores_path(name).is_file():
            scores = [score for score_list in stored_scores(name) for score in score_list]
            stored = _stored(folder, name, scores)
            faults = list(_scores(system, folder, protocol, stored, scores))
            # figures of Scores that were changed don't follow either; one finding is enough
            yield from faults or _summary(system, folder, protocol, stored, summary.get(name, []))


def _scores_function(system: System, folder: RunFolder) -> Callable[[str], Iterable[Sequence[Score]]]:
    """Return a function from a protocol's name to the Scores that the Responses give: the system's own Scores, unless
    each question was asked repeatedly."""
    if folder.manifest.repeats == 1:
        return system.scores
    repeats, uneven = folder.manifest.repeats, folder.manifest.uneven
    every = group_units(system.items.values(), folder.responses(), repeats, uneven=uneven)
    units = decide(every, read_queue(folder.path / NAME))
    protocols = system.benchmark.protocols
    return lambda name: (scores_of(unit, protocols[name]) for unit in units)


def _stored(folder: RunFolder, protocol: str, scores: Sequence[Score]) -> Sequence[Score]:
    """Return a protocol's stored Scores: `scores` themselves if the file contains exactly these, as it mostly does."""
    with suppress(OSError):  # load_scores reports it
        if has_scores(folder, protocol, scores):
            return scores
    return load_scores(folder, protocol)


def _scores(
    system: System, folder: RunFolder, protocol: Protocol, stored: Sequence[Score], scores: Sequence[Score]
) -> Iterator[Finding]:
    """Yield findings on stored Scores that differ, are missing, or follow from no Response."""
    if _scores_match(stored, scores):
        return
    left: dict[Key, list[Score]] = defaultdict(list)
    for score in stored:
        left.setdefault((score.unit, score.metric, score.repeat), []).append(score)
    faults: dict[tuple[str, str], list[str]] = defaultdict(list)
    for score in scores:
        stored_scores = left.pop((score.unit, score.metric, score.repeat), ())
        if not stored_scores:
            faults["questions have no stored Score", score.task].append(score.unit)
        elif score.status in ANSWERED and _statistics(stored_scores[0]) != _statistics(score):
            faults["stored Scores don't follow from the Responses", score.task].append(score.unit)
        if len(stored_scores) > 1:
            faults["questions have more than one stored Score", score.task].append(score.unit)
    for others in left.values():
        faults["stored Scores belong to no question of this Run", others[0].task].append(others[0].unit)
    for (words, task), places in faults.items():
        named = list(dict.fromkeys(places))
        yield finding(
            "score",
            "severe",
            system.benchmark.name,
            f"{system.name}, {protocol.name}: {len(named):,} {words}: {', '.join(named[:_SHOWN])}",
            file=str(folder.scores_path(protocol.name)),
            rows=[task],
            columns=[protocol.name],
            effect=f"triptych score {system.path} computes them again",
            about=words,
        )


def _scores_match(stored: Sequence[Score], scores: Sequence[Score]) -> bool:
    """Whether the stored Scores are those that the Responses give, in the same order, each once: so it mostly is."""
    if len(stored) != len(scores):
        return False
    for one, other in zip(stored, scores, strict=True) if stored is not scores else ():
        if one.unit != other.unit or one.metric != other.metric or one.repeat != other.repeat:
            return False
        differs = one.numerator != other.numerator or one.denominator != other.denominator
        if differs and other.status in ANSWERED:
            return False
    if len({score.unit for score in scores}) == len(scores):
        return True
    return len({(score.unit, score.metric, score.repeat) for score in scores}) == len(scores)


def _summary(
    system: System, folder: RunFolder, protocol: Protocol, stored: Sequence[Score], summary: Sequence[Aggregate]
) -> Iterator[Finding]:
    """Yield findings on figures of the summary that don't follow from the stored Scores."""
    stored_figures = {figure_key(a): a for a in summary if a.metric not in COSTS}
    columns = Columns(system.benchmark.spec)
    columns.add(stored)
    recomputed = {figure_key(a): a for a in aggregate_columns(columns, protocol, replicates=0)}
    off = [
        key
        for key, figure in stored_figures.items()
        if key not in recomputed or not _has_same_values(figure, recomputed[key])
    ]
    if not off:
        return
    first = stored_figures[off[0]]
    follows = recomputed[off[0]].value if off[0] in recomputed else None
    yield finding(
        "score",
        "severe",
        system.benchmark.name,
        f"{system.name}, {protocol.name}: {len(off):,} figures of the summary don't follow from the stored Scores: "
        f"{' '.join([first.task, first.metric, *first.slice.values()])}{' …' * (len(off) > 1)}",
        file=str(folder.summary_path),
        rows=[stored_figures[key].task for key in off[:_SHOWN]],
        columns=[protocol.name],
        published=first.value,
        recomputed=follows,
        effect=f"triptych score {system.path} computes them again",
        about="summary",
    )


def _has_same_values(one: Aggregate, other: Aggregate) -> bool:
    pairs = ((one.value, other.value), (one.value_all, other.value_all), (one.value_answered, other.value_answered))
    alike = all(a == b if a is None or b is None else isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in pairs)
    return alike and (one.n, one.counts) == (other.n, other.counts)


def _statistics(score: Score) -> tuple[float, float]:
    return score.numerator, score.denominator
