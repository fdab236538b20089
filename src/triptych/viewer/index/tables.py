"""The tables of an index, made by DuckDB from a Run's JSON lines without a Python object for each line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.metrics.metric import metric_name
from triptych.records import RESPONSE_STATUSES, SCORE_STATUSES
from triptych.records.natural_order import natural
from triptych.store.files.limits import check_limit
from triptych.viewer.index.database import Database, Unfit, named
from triptych.viewer.index.order import MAX_NUMBERS, natural_order, natural_pieces
from triptych.viewer.index.outcomes import scale_of

MAX_INDEXED = 2_000_000  # Items times repeats of a Run: 60,000 Items asked 33 times
MAX_FACETS = 200  # columns for facets; a Run from elsewhere may have a different facet on each Item
FACET = "facet:"  # what columns of facets are called by, so that none can take another column's name
Pair = tuple[str, str]  # Task and metric

_ITEM = {
    "id": "VARCHAR",
    "task": "VARCHAR",
    "unit": "VARCHAR",
    "instance": "VARCHAR",
    "place": "BIGINT",
    "facets": "VARCHAR",
}
_REPLY = {
    "item": "VARCHAR",
    "condition": "VARCHAR",
    "repeat": "BIGINT",
    "status": "VARCHAR",
    "text": "VARCHAR",
    "seconds": "DOUBLE",
}
_SCORE = {
    "unit": "VARCHAR",
    "task": "VARCHAR",
    "metric": "VARCHAR",
    "status": "VARCHAR",
    "numerator": "DOUBLE",
    "denominator": "DOUBLE",
    "extraction": "JSON",
    "repeat": "BIGINT",
    "note": "VARCHAR",
}

_ALL_ROWS = """
    CREATE OR REPLACE VIEW whole AS
    SELECT id, task, start, coalesce(place, 0) AS place, facets, coalesce(nullif(unit, ''), id) AS unit,
        coalesce(nullif(instance, ''), nullif(unit, ''), id) AS instance
    FROM items"""
_JOINED = """
    CREATE OR REPLACE TABLE joined AS
    SELECT substr(sha256(i.id), 1, 16) AS key, i.id AS item, x.repeat, i.unit, i.instance, i.task, i.place,
        coalesce(r.status, 'missing') AS status, coalesce(length(r.text), 0) AS length,
        CASE WHEN r.start IS NOT NULL THEN coalesce(r.seconds, 0) END AS seconds,
        md5(coalesce(r.text, '')) AS digest, i.start AS item_start, r.start AS reply_start {facets}
    FROM (SELECT *, {pieces} AS p FROM whole) i
    JOIN tasks USING (task) CROSS JOIN (SELECT unnest(range({repeats})) AS repeat) x
    {join} JOIN replies r ON r.item = i.id AND r.repeat = x.repeat LEFT JOIN facets f ON f.facets = i.facets
    ORDER BY tasks.rank, {order}, i.unit, i.place, i.id, x.repeat"""
# The outcome of a Score; see `triptych.viewer.index.outcomes`.
_SCORED = """
    SELECT n, unit, repeat, protocol, metric, main, status,
        CASE WHEN shown IS NULL THEN if(status = 'scored', 'unavailable', status) WHEN status = 'unparsed' THEN status
            WHEN NOT known THEN 'partly' WHEN merit >= high - 1e-9 THEN 'right' WHEN merit <= low + 1e-9 THEN 'wrong'
            ELSE 'partly' END AS outcome,
        shown AS value, merit, numerator, denominator,
        CASE json_type(extraction) WHEN 'ARRAY' THEN array_to_string(CAST(extraction AS VARCHAR[]), ' · ')
            WHEN 'VARCHAR' THEN json_extract_string(extraction, '$') END AS extraction,
        coalesce(note, '') AS note
    FROM (
        SELECT *, sign * shown AS merit
        FROM (
            SELECT scores.rowid AS n, unit, coalesce(repeat, 0) AS repeat, ? AS protocol, scores.metric, m.main, status,
                numerator, denominator, extraction, note, m.known, m.low, m.high, m.sign,
                CASE WHEN status IN ('scored', 'unparsed') AND denominator <> 0
                    THEN m.factor * (numerator / denominator) END AS shown
            FROM scores JOIN metrics m USING (task, metric)
        )
    ) ORDER BY n"""


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """What filters offer: values of facets, Tasks and statuses; and the number of rows."""

    rows: int
    facets: dict[str, list[str]]
    tasks: list[str]
    statuses: list[str]


def item_table(
    base: Database, items: Path, responses: Path, repeats: int, to: Path, *, uneven: bool = False
) -> ItemFacts:
    """Write one row per Item and repeat, ordered by Task and id; `status` is `missing` without a Response.

    `uneven`: the number of repeats differs between Items, so that without a Response there is no row. In a Run with
    very many facets only the first ones get columns. Raises Unfit, and DataError for more than `MAX_INDEXED` rows.
    """
    base.load("items", items, _ITEM, "id IS NULL OR task IS NULL")
    base.load(
        "replies",
        responses,
        _REPLY,
        _any_missing(_REPLY, "text", "seconds") + f" OR repeat < 0 OR status NOT IN {RESPONSE_STATUSES!r}",
    )
    base.locate("items", items, "id", "start DESC")
    base.locate("replies", responses, "item, repeat", "condition DESC, start DESC")
    rows = base.fetch_value("SELECT count(*) FROM items") * repeats
    check_limit("the Run described by its manifest", rows, MAX_INDEXED, "Items times repeats", unit="rows")
    facets = _facets(base)
    tasks = sorted([task for (task,) in base.run("SELECT DISTINCT task FROM items")], key=natural)
    base.table("tasks", {"task": (str, tasks), "rank": (int, range(len(tasks)))})
    base.run(_ALL_ROWS)
    numbers = _numbers(base)
    columns = "".join(f", f.{named(FACET + name)}" for name in facets)
    order, join = ", ".join(natural_order("i.p", numbers)), "INNER" if uneven else "LEFT"
    pieces = natural_pieces("unit", numbers)
    base.run(_JOINED.format(repeats=repeats, join=join, pieces=pieces, facets=columns, order=order))
    base.write(to, "SELECT rowid AS n, * FROM joined")
    statuses = sorted([status for (status,) in base.run("SELECT DISTINCT status FROM joined")])
    return ItemFacts(
        base.fetch_value("SELECT count(*) FROM joined"),
        {name: name_facets for name, name_facets in facets.items() if 0 < len(name_facets) <= 400},
        tasks,
        statuses,
    )


def _facets(base: Database) -> dict[str, list[str]]:
    """Make the table `facets` of all facets that occur, with a column for each name; return name -> values."""
    texts = [text for (text,) in base.run("SELECT DISTINCT facets FROM items WHERE facets IS NOT NULL")]
    try:
        decoder = msgspec.json.Decoder(dict[str, str])
        facets = [decoder.decode(text) for text in texts]
    except msgspec.MsgspecError as error:
        raise Unfit(str(error)) from None
    names = sorted({name for row_facets in facets for name in row_facets})[:MAX_FACETS]
    columns = {f"{FACET}{name}": (str, [facet.get(name) for facet in facets]) for name in names}
    base.table("facets", {"facets": (str, texts), **columns})
    return {
        name: sorted({facets_of_table[name] for facets_of_table in facets if name in facets_of_table}, key=natural)
        for name in names
    }


def _numbers(base: Database) -> int:
    """Return how many numbers the names of Units hold, of those by which they are sorted."""
    for numbers in (2, 4, 8):
        more = f"[0-9]([0-9]*[^0-9]+[0-9]){{{numbers}}}"
        if not base.fetch_value(f"SELECT count(*) FROM whole WHERE regexp_matches(unit, '{more}')"):
            return numbers
    return MAX_NUMBERS


def pairs_of(base: Database, scores: Path) -> list[Pair]:
    """Return the Tasks and metrics of a file of Scores, in the order in which they appear. Raises Unfit."""
    columns = {name: _SCORE[name] for name in ("task", "metric")}
    base.load("pairs", scores, columns, _any_missing(columns))
    return _pairs(base, "pairs")


def _any_missing(columns: Iterable[str], *optional: str) -> str:
    return " OR ".join([f"{name} IS NULL" for name in columns if name not in optional])


def _pairs(base: Database, table: str) -> list[Pair]:
    pairs = base.run(f"SELECT task, metric FROM {table} GROUP BY ALL ORDER BY min(rowid)")
    return [(task, metric) for task, metric in pairs]


def score_table(base: Database, scores: Path, protocol: str, spec: BenchmarkSpec | None, to: Path) -> list[Pair]:
    """Write one row per Score; return their Tasks and metrics. `main`: it is of the Unit's main metric.

    Raises Unfit.
    """
    numbers = "NOT isfinite(numerator) OR NOT isfinite(denominator)"
    base.load(
        "scores",
        scores,
        _SCORE,
        _any_missing(_SCORE, "extraction", "repeat", "note") + f" OR {numbers} OR status NOT IN {SCORE_STATUSES!r}",
    )
    pairs = _pairs(base, "scores")
    main = main_metrics(pairs, spec)
    scales = [scale_of(metric) for _, metric in pairs]
    base.table(
        "metrics",
        {
            "task": (str, [task for task, _ in pairs]),
            "metric": (str, [metric for _, metric in pairs]),
            "main": (bool, [main[task] == metric for task, metric in pairs]),
            "known": (bool, [s.defined for s in scales]),
            "factor": (float, [s.factor for s in scales]),
            "sign": (float, [s.sign for s in scales]),
            "low": (float, [s.low for s in scales]),
            "high": (float, [s.high for s in scales]),
        },
    )
    base.write(to, _SCORED, [protocol])
    return pairs


def main_metrics(pairs: Sequence[Pair], spec: BenchmarkSpec | None) -> dict[str, str]:
    """Return Task -> the first metric of its specification (or the protocol's own rule of that name), otherwise the
    first metric of its Scores."""
    wanted = {spec.full_id(task): task.metrics[0] for task in spec.tasks if task.metrics} if spec else {}
    main: dict[str, str] = {}
    for task, metric in pairs:
        first = metric_name(wanted.get(task, ""))
        metric_known = main.setdefault(task, metric)
        if metric_name(metric_known) != first and metric_name(metric) == first:
            main[task] = metric
    return main


def metrics_of(pairs: Sequence[Pair]) -> list[str]:
    """Return the metrics, in order of appearance."""
    return list(dict.fromkeys([metric for _, metric in pairs]))
