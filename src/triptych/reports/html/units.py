"""The data behind the numbers: the Units of each Run with reply and Scores, reduced to what fits a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from triptych.errors import TriptychError
from triptych.metrics.metric import find_metric
from triptych.records import SCORE_STATUSES, Extraction, Item, Response, Score
from triptych.records.harmless import visible
from triptych.reports.html.links import item_key
from triptych.reports.tables.book import Report
from triptych.scoring.runs import load_scores
from triptych.store.folder import RunFolder

MAX_EMBEDDED_UNITS = 1500  # Units of a Run that the page holds; the viewer has them all
REPLY, TARGET = 240, 120  # characters


def units_data(report: Report, protocols: Sequence[str], slugs: dict[str, str]) -> dict[str, Any]:
    """Return the chapter's data for the page's script; a Run with more than MOST Units is left to the viewer.

    `runs`: label -> `units` ([id, key, task, facets, target, reply, status, repeat]) and `scores` (protocol -> metric
    -> [unit, status, value, extraction]); tasks, facets and statuses are indices into lists. `lower`: metrics for which
    lower is better.
    """
    tasks, facets = _Numbers(), _Numbers()
    main = {
        report.benchmark.spec.full_id(task): task.metrics[0] for task in report.benchmark.spec.tasks if task.metrics
    }
    runs = {
        visible(label): _run(folder, protocols, tasks, facets, slugs[label]) for label, folder in report.folders.items()
    }
    return {
        "benchmark": report.benchmark.name,
        "tasks": list(tasks),
        "facets": [dict(facet) for facet in facets],
        "statuses": list(SCORE_STATUSES),
        "main": main,
        "lower": sorted(
            metric
            for metric in {m for run in runs.values() for value in run["scores"].values() for m in value}
            if is_error(metric)
        ),
        "runs": runs,
    }


def is_error(metric: str) -> bool:
    """Return True if lower is better for the metric; False for an unknown metric."""
    try:
        return find_metric(metric).better == "lower"
    except TriptychError:
        return False


class _Numbers(dict[Any, int]):
    """Number values in order of first appearance."""

    def number_of(self, thing: Any) -> int:
        return self.setdefault(thing, len(self))


def _run(folder: RunFolder, protocols: Sequence[str], tasks: _Numbers, facets: _Numbers, slug: str) -> dict[str, Any]:
    items = [item for item in folder.items() if not item.place]
    document: dict[str, Any] = {
        "slug": slug,
        "data": folder.manifest.data,
        "units": [],
        "scores": {},
        "count": len(items),
    }
    if len(items) > MAX_EMBEDDED_UNITS:
        return document
    first = {item.unit_id: item for item in items}
    responses = {(r.item, r.repeat): r for r in folder.responses()}
    numbers = _Numbers()
    for protocol in protocols:
        if folder.scores_path(protocol).exists():
            document["scores"][protocol] = _scores(load_scores(folder, protocol), numbers, first)
    document["units"] = [
        _unit(first[unit], repeat, responses.get((first[unit].id, repeat)), tasks, facets) for unit, repeat in numbers
    ]
    return document


def _scores(scores: Iterable[Score], numbers: _Numbers, items_by_id: dict[str, Item]) -> dict[str, list[Any]]:
    score_list: dict[str, list[Any]] = {}
    for score in scores:
        if score.unit in items_by_id:
            value = None if score.value is None else round(score.value, 4)
            row = [
                numbers.number_of((score.unit, score.repeat)),
                SCORE_STATUSES.index(score.status),
                value,
                _read(score.extraction),
            ]
            score_list.setdefault(score.metric, []).append(row)
    return score_list


def _unit(item: Item, repeat: int, response: Response | None, tasks: _Numbers, facets: _Numbers) -> list[Any]:
    reply = cut(response.text, REPLY) if response else ""
    status = response.status if response else "missing"
    facet = facets.number_of(tuple(sorted(item.facets.items())))
    return [
        item.unit_id,
        item_key(item.id),
        tasks.number_of(item.task),
        facet,
        cut(_read(item.target), TARGET),
        reply,
        status,
        repeat,
    ]


def _read(extraction: Extraction) -> str:
    """Return the extracted answer on one line."""
    if extraction is None:
        return ""
    return cut(extraction if isinstance(extraction, str) else "; ".join(extraction), TARGET)


def cut(text: str, max_length: int) -> str:
    """Return the text with invisible characters made visible; a long one is truncated, with the number of omitted
    characters."""
    more = f" … ({len(text) - max_length:,} more characters)" if len(text) > max_length else ""
    return visible(text[:max_length]) + more
