"""The rows of an index: the columns of lists and filters, for Items, replies and Scores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.metrics.metric import metric_name
from triptych.records import Item, Response, Score
from triptych.reports.html.links import item_key
from triptych.store.folder import RunFolder
from triptych.store.limits import check_limit
from triptych.store.replies import ReplyJournal
from triptych.viewer.order import natural
from triptych.viewer.outcomes import glance

if TYPE_CHECKING:
    import polars

SNIPPET = 280  # characters of a text that lists show
SEARCHED = 20_000  # characters of a text that a search looks at
MOST_INDEXED = 2_000_000  # Items times repeats of a Run: 60,000 Items asked 33 times
MOST_FACETS = 200  # columns for facets; a Run from elsewhere may have a different facet on each Item
FACET = "facet:"  # what columns of facets are called by, so that none can take another column's name
_ENCODER = msgspec.json.Encoder()


def item_table(folder: RunFolder) -> polars.DataFrame:
    """Return one row per Item and repeat, ordered by Task and id; `status` is `missing` without a reply.

    In a Run with very many facets only the first ones get columns. Raises DataError for more than `MOST_INDEXED` rows.
    """
    import polars as pl

    given = {(r.item, r.repeat): r for r in folder.responses()}
    items = sorted(folder.items(), key=lambda item: (natural(item.task), natural(item.unit_id), item.place, item.id))
    repeats = range(folder.manifest.repeats)
    rows_wanted = len(items) * len(repeats)
    check_limit("the Run described by its manifest", rows_wanted, MOST_INDEXED, "Items times repeats", unit="rows")
    asked = [
        (item, repeat) for item in items for repeat in repeats
        if not folder.manifest.uneven or (item.id, repeat) in given
    ]  # fmt: skip
    rows = [_item_row(item, repeat, given.get((item.id, repeat))) for item, repeat in asked]
    names = sorted({name for item in items for name in item.facets})[:MOST_FACETS]
    facets = [
        pl.Series(f"{FACET}{name}", [item.facets.get(name) for item, _ in asked], dtype=pl.String) for name in names
    ]
    return _frame(rows, _ITEM).with_columns(facets)


def facet_values(items: polars.DataFrame) -> dict[str, list[str]]:
    """Return facet -> its values, in order, without facets that have (nearly) as many values as there are Items."""
    names = [name for name in items.columns if name.startswith(FACET)]
    found = {name.removeprefix(FACET): sorted(items[name].drop_nulls().unique(), key=natural) for name in names}
    return {name: values for name, values in found.items() if 0 < len(values) <= 400}


def _frame(rows: Sequence[tuple[Any, ...]], columns: Mapping[str, type]) -> polars.DataFrame:
    """Return rows as a table, numbered in their order."""
    import polars as pl

    types = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}
    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    series = [pl.Series(name, own, types[kind]) for (name, kind), own in zip(columns.items(), values, strict=True)]
    return pl.DataFrame(series).with_row_index("n")


_ITEM: Mapping[str, type] = {
    "key": str, "item": str, "repeat": int, "unit": str, "instance": str, "task": str, "place": int, "status": str,
    "question": str, "reply": str, "target": str, "kinds": str, "length": int, "seconds": float, "digest": str,
    "hay": str, "item_json": str, "response_json": str,
}  # fmt: skip


def _item_row(item: Item, repeat: int, response: Response | None) -> tuple[Any, ...]:
    reply = response.text if response else ""
    question = "\n".join([part.text for part in item.parts if part.text])
    options = " ".join([part.text for option in item.options for part in option])
    target = target_text(item)
    hay = "\n".join((item.id, question, options, target, reply))[:SEARCHED].casefold()
    return (
        item_key(item.id), item.id, repeat, item.unit_id, item.instance_id, item.task, item.place,
        response.status if response else "missing", question[:SNIPPET], reply[:SNIPPET], target[:SNIPPET],
        " ".join(dict.fromkeys([part.kind for part in item.all_parts])), len(reply),
        response.seconds if response else None, hashlib.blake2b(reply.encode(), digest_size=8).hexdigest(), hay,
        _ENCODER.encode(item).decode(), _ENCODER.encode(response).decode() if response else None,
    )  # fmt: skip


def target_text(item: Item) -> str:
    """Return the reference answer as one text; empty if it is unknown."""
    return " · ".join(item.targets)


_SCORE: Mapping[str, type] = {
    "unit": str, "repeat": int, "protocol": str, "metric": str, "main": bool, "status": str, "outcome": str,
    "value": float, "merit": float, "numerator": float, "denominator": float, "extraction": str, "note": str,
}  # fmt: skip
_VERDICT: Mapping[str, type] = {"judge": str, "unit": str, "json": str}


def score_table(scores: Mapping[str, Sequence[Score]], spec: BenchmarkSpec | None) -> polars.DataFrame:
    """Return one row per Score. `main`: it is of the Unit's main metric under its protocol."""
    wanted = {spec.full_id(task): task.metrics[0] for task in spec.tasks if task.metrics} if spec else {}
    rows = [row for protocol, own in scores.items() for row in _score_rows(protocol, own, wanted)]
    return _frame(rows, _SCORE)


def _score_rows(protocol: str, scores: Sequence[Score], wanted: Mapping[str, str]) -> Iterable[tuple[Any, ...]]:
    main = _main_metrics(scores, wanted)
    for score in scores:
        told = glance(score)
        said = score.extraction
        yield (
            score.unit, score.repeat, protocol, score.metric, main[score.task] == score.metric, score.status,
            told.outcome, told.value, told.merit, score.numerator, score.denominator,
            said if said is None or isinstance(said, str) else " · ".join(said), score.note,
        )  # fmt: skip


def _main_metrics(scores: Sequence[Score], wanted: Mapping[str, str]) -> dict[str, str]:
    """Return Task -> the first metric of its specification (or the protocol's own rule of that name), otherwise the
    first metric of its Scores."""
    main: dict[str, str] = {}
    for score in scores:
        first = metric_name(wanted.get(score.task, ""))
        known = main.setdefault(score.task, score.metric)
        if metric_name(known) != first and metric_name(score.metric) == first:
            main[score.task] = score.metric
    return main


def metrics_of(scores: Sequence[Score]) -> list[str]:
    """Return the metrics of Scores, in order of appearance."""
    return list(dict.fromkeys([score.metric for score in scores]))


def verdict_table(folder: RunFolder) -> polars.DataFrame:
    """Return one row per valid reply of a judge: its journal, its Unit, and the Response as JSON."""
    rows = [
        (path.stem, response.item, _ENCODER.encode(response).decode())
        for path in sorted(folder.verdicts_path.glob("*.jsonl"))
        for response in ReplyJournal(folder.verdicts_path, path.stem).latest().values()
    ]
    return _frame(rows, _VERDICT)
