"""Filters and pages over one Run's index. Every question is one SQL statement with bound values."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from triptych.errors import DataError
from triptych.records import Item, Response
from triptych.reports.html.links import FACET as PARAMETER
from triptych.viewer.index.building import TEXTS
from triptych.viewer.index.database import named, quote_sql
from triptych.viewer.index.expressions import MAX_EXPRESSION_LENGTH, Field, as_sql, parse_expression
from triptych.viewer.index.files import RunIndex
from triptych.viewer.index.journals import Lines
from triptych.viewer.index.rows import texts_of
from triptych.viewer.index.tables import FACET as COLUMN

if TYPE_CHECKING:
    import duckdb

PAGE = 50
# Orders of a list: name in the address -> columns. Unknown names sort like the first.
ORDERS = {
    "": "i.n",
    "score": "s.merit IS NULL, s.merit, i.n",
    "-score": "s.merit IS NULL, s.merit DESC, i.n",
    "length": "i.length, i.n",
    "-length": "i.length DESC, i.n",
    "seconds": "i.seconds IS NULL, i.seconds, i.n",
    "-seconds": "i.seconds IS NULL, i.seconds DESC, i.n",
}
Row = dict[str, Any]
Beside = tuple[Row | None, int | None, Row | None]
Sides = Mapping[str, tuple["RunIndex", str, str]]  # letter of a Run -> its index, and how SQL names its tables


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter; empty fields match everything.

    `task` may be a leading path; all words of `q` must occur in id, question, options, target or reply, ignoring case;
    `where` is a filter expression (`viewer.index.expressions`); `entries` are the annotated Items. `figure`: a figure's
    name, `tasks`: the Tasks that it is computed from. With a `problem` (of the expression), nothing matches.
    """

    protocol: str = ""
    metric: str = ""
    task: str = ""
    status: str = ""
    outcome: str = ""
    q: str = ""
    where: str = ""
    annotated: str = ""
    figure: str = ""
    sort: str = ""
    facets: tuple[tuple[str, str], ...] = ()
    entries: tuple[str, ...] = field(default=(), compare=False)
    tasks: tuple[str, ...] = field(default=(), compare=False)
    problem: str = field(default="", compare=False)

    def query(self, **changes: Any) -> str:
        """Return the filter as a query string, with some of its fields changed."""
        changed = replace(self, **changes)
        names = ("protocol", "metric", "task", "status", "outcome", "q", "where", "annotated", "figure", "sort")
        values = {name: getattr(changed, name) for name in names}
        values |= {f"{PARAMETER}{name}": value for name, value in changed.facets}
        return urlencode({name: value for name, value in values.items() if value})

    def facet(self, name: str) -> str:
        """Return the value of one facet; empty for any."""
        return dict(self.facets).get(name, "")


def read_filter(parameters: Mapping[str, str], index: RunIndex, sides: Sides | None = None) -> Filter:
    """Return the filter in a query string. `sides`: the Runs that an expression may name, as in `B.outcome`.

    Protocol and metric are those asked for, if the Run has them, otherwise its first protocol and every Task's main
    metric. Facets that the Run's Items don't have are ignored.
    """
    metrics = index.contents.metrics
    protocol = parameters.get("protocol", "")
    protocol = protocol if protocol in metrics else next(iter(metrics), "")
    metric = parameters.get("metric", "")
    facets = {name.removeprefix(PARAMETER): value for name, value in parameters.items() if name.startswith(PARAMETER)}
    where = parameters.get("where", "").strip()[: MAX_EXPRESSION_LENGTH + 1]
    return Filter(
        protocol=protocol,
        metric=metric if metric in metrics.get(protocol, ()) else "",
        task=parameters.get("task", "").strip("/"),
        status=parameters.get("status", ""),
        outcome=parameters.get("outcome", ""),
        q=parameters.get("q", "").strip()[:500],
        where=where,
        annotated=parameters.get("annotated", ""),
        figure=parameters.get("figure", ""),
        sort=parameters.get("sort", "") if parameters.get("sort", "") in ORDERS else "",
        facets=tuple(sorted((k, v) for k, v in facets.items() if v and k in index.contents.facets)),
        problem=_problem(where, index, sides or {}),
    )


def _problem(where: str, index: RunIndex, sides: Sides) -> str:
    """Return what is wrong with a filter expression; empty if it can be used."""
    try:
        if where:
            _where_clause(where, index, sides)
    except DataError as error:
        return str(error)
    return ""


def _where_clause(where: str, index: RunIndex, sides: Sides) -> tuple[str, list[Any]]:
    def field_of(name: str) -> Field | None:
        letter, dot, key_name = name.partition(".")
        return _field(key_name, *sides[letter]) if dot and letter in sides else _field(name, index, "i", "s")

    names = [*names_of(index), *([f"{', '.join(sides)} before a point: B.outcome"] if sides else [])]
    return as_sql(parse_expression(where), field_of, ", ".join(names))


class Questions:
    """Query one Run's index."""

    def __init__(self, index: RunIndex) -> None:
        self.index = index

    def page(self, wanted: Filter, number: int) -> list[Row]:
        """Return one page of the list; the first page is 1."""
        base, values = self._base(wanted)
        shown = (
            "i.n, i.key, i.item, i.repeat, i.unit, i.instance, i.task, i.status, i.length, i.seconds, i.item_start,"
            " i.reply_start, s.outcome, s.value, s.metric, s.extraction, s.note"
        )
        order = ORDERS[wanted.sort]
        sql = f"SELECT {shown} {base} ORDER BY {order} LIMIT {PAGE} OFFSET {PAGE * max(0, number - 1)}"
        return with_texts(self.index, ask(sql, values))

    def counts(self, wanted: Filter) -> dict[str, int]:
        """Return the number of rows of every outcome, ignoring the filter's outcome."""
        base, values = self._base(replace(wanted, outcome=""))
        sql = f"SELECT coalesce(s.outcome, 'none') AS name, count(*) AS n {base} GROUP BY 1"
        return dict(_counted(sql, tuple(tuple(v) if isinstance(v, list) else v for v in values)))

    def statuses(self) -> dict[str, int]:
        """Return the number of replies by status."""
        return dict(_counted(f"SELECT status AS name, count(*) AS n FROM {self._read('items')} GROUP BY 1", ()))

    def neighbours(self, wanted: Filter, key: str, repeat: int) -> Beside:
        """Return (previous row, position of this one, next row) in the filtered list; None if it isn't in it."""
        base, values = self._base(wanted)
        numbered = f"SELECT i.key, i.repeat, row_number() OVER (ORDER BY {ORDERS[wanted.sort]}) AS place {base}"
        return neighbours(numbered, values, key, repeat)

    def item(self, key: str, repeat: int) -> Row | None:
        """Return one Item with its records, `record` and `response`; None if there is none of this key."""
        rows = ask(f"SELECT * FROM {self._read('items')} WHERE key = ? AND repeat = ?", [key, repeat])
        return next(iter(with_records(self.index, rows)), None)

    def first_of(self, unit: str, repeat: int) -> Row | None:
        """Return the first Item of a Unit."""
        rows = ask(f"SELECT * FROM {self._read('items')} WHERE unit = ? AND repeat = ? AND place = 0", [unit, repeat])
        return next(iter(with_records(self.index, rows[:1])), None)

    def instance(self, instance: str, repeat: int, protocol: str) -> list[Row]:
        """Return all Items of an Instance, with the main Score of each."""
        sql = (
            f"SELECT i.*, s.outcome, s.value, s.metric, s.extraction FROM {self._read('items')} i"
            f" LEFT JOIN {scores_as_sql(self.index, protocol)} s ON s.unit = i.unit AND s.repeat = i.repeat AND s.main"
            " WHERE i.instance = ? AND i.repeat = ? ORDER BY i.n LIMIT 60"
        )
        return with_texts(self.index, ask(sql, [instance, repeat]))

    def scores(self, unit: str, repeat: int) -> list[Row]:
        """Return every Score of a Unit, by protocol."""
        sources = [scores_as_sql(self.index, protocol) for protocol in self.index.contents.metrics]
        sql = "SELECT * FROM {} WHERE unit = ? AND repeat = ? ORDER BY n"
        return [row for source in sources for row in ask(sql.format(source), [unit, repeat])]

    def verdicts(self, unit: str) -> list[Row]:
        """Return the replies of judges on a Unit."""
        return ask(f"SELECT * FROM {self._read('verdicts')} WHERE unit = ? ORDER BY n", [unit])

    def _read(self, name: str) -> str:
        """Return a table of the index as SQL."""
        return f"read_parquet({quote_sql(self.index.file(name))})"

    def _base(self, wanted: Filter) -> tuple[str, list[Any]]:
        """Return FROM and WHERE of every list, and their values."""
        metric, values = ("metric = ?", [wanted.metric]) if wanted.metric else ("main", [])
        where, more = conditions(wanted, self.index)
        return (
            f"FROM {self._read('items')} i LEFT JOIN"
            f" (SELECT * FROM {scores_as_sql(self.index, wanted.protocol)} WHERE {metric}) s"
            f" ON s.unit = i.unit AND s.repeat = i.repeat WHERE {where}",
            [*values, *more],
        )


def scores_as_sql(index: RunIndex, protocol: str) -> str:
    """Return the Scores of a protocol as SQL; without any rows if the Run has none."""
    path = index.scores(protocol)
    return f"read_parquet({quote_sql(path)})" if path is not None else _NO_SCORES


_NO_SCORES = """(SELECT 0 AS n, '' AS unit, 0 AS repeat, '' AS protocol, '' AS metric, false AS main, '' AS status,
    '' AS outcome, 0.0 AS value, 0.0 AS merit, 0.0 AS numerator, 0.0 AS denominator, '' AS extraction, '' AS note
    WHERE false)"""


def with_records(index: RunIndex, rows: Sequence[Row]) -> list[Row]:
    """Return rows with the columns `record` and `response`, read from the Run where the index says that they are.

    Raises DataError if there is a damaged or another record.
    """
    items, responses = index.journals
    fields = []
    with Lines(items, Item) as item_lines, Lines(responses, Response) as replies:
        for row in rows:
            record = item_lines.record_at(row["item_start"])
            response = replies.record_at(row["reply_start"]) if row["reply_start"] is not None else None
            if record.id != row["item"] or (response is not None and response.item != record.id):
                fix = "load the page again"
                raise DataError(
                    "the Run's files were changed while the page was made", where=index.folder.path, fix=fix
                )
            fields.append({**row, "record": record, "response": response})
    return fields


def with_texts(index: RunIndex, rows: Sequence[Row]) -> list[Row]:
    """Return rows with the columns `question`, `reply`, `target` and `kinds`."""
    return [{**row, **texts_of(row["record"], row["response"])} for row in with_records(index, rows)]


def neighbours(numbered: str, values: Sequence[Any], key: str, repeat: int) -> Beside:
    """Return the neighbours of one row among those that a statement numbers (key, repeat, place)."""
    sql = (
        f"WITH f AS ({numbered}), here AS (SELECT place FROM f WHERE key = ? AND repeat = ?)"
        " SELECT * FROM f WHERE place BETWEEN (SELECT place FROM here) - 1 AND (SELECT place FROM here) + 1"
    )
    rows = {row["place"]: row for row in ask(sql, [*values, key, repeat])}
    number = next((p for p, row in rows.items() if (row["key"], row["repeat"]) == (key, repeat)), None)
    return (None, None, None) if number is None else (rows.get(number - 1), number, rows.get(number + 1))


def conditions(wanted: Filter, index: RunIndex, sides: Sides | None = None) -> tuple[str, list[Any]]:
    """Return the filter as SQL over `i` (items) and `s` (scores), and its values."""
    sql_conditions: list[tuple[str, list[Any]]] = [("true", [])]
    if wanted.metric:
        sql_conditions.append(("s.metric IS NOT NULL", []))
    if wanted.task:
        sql_conditions.append(("(i.task = ? OR starts_with(i.task, ?))", [wanted.task, f"{wanted.task}/"]))
    if wanted.tasks:
        sql_conditions.append(("i.task IN (SELECT unnest(?))", [list(wanted.tasks)]))
    if wanted.status:
        sql_conditions.append(("i.status = ?", [wanted.status]))
    if wanted.outcome:
        sql_conditions.append(("coalesce(s.outcome, 'none') = ?", [wanted.outcome]))
    if wanted.q:
        words = wanted.q.casefold().split()
        texts = f"read_parquet([{', '.join(map(quote_sql, index.texts()))}])"
        every = " AND ".join([f"contains({_HAY}, ?)"] * len(words))
        sql_conditions.append((f"i.n IN (SELECT n FROM {texts} WHERE {every or 'true'})", words))
    if wanted.where:
        sql_conditions.append(("false", []) if wanted.problem else _where_clause(wanted.where, index, sides or {}))
    if wanted.annotated:
        negated = "NOT " if wanted.annotated == "no" else ""
        sql_conditions.append((f"{negated}{_ENTRY} IN (SELECT unnest(?))", [list(wanted.entries)]))
    sql_conditions += [(f"i.{named(COLUMN + name)} = ?", [value]) for name, value in wanted.facets]
    return " AND ".join(sql for sql, _ in sql_conditions), [value for _, values in sql_conditions for value in values]


_HAY = r"(question || chr(10) || target || chr(10) || reply)"
_FIELDS = {
    "outcome": Field("coalesce({s}.outcome, 'none')"),
    "status": Field("{i}.status"),
    "task": Field("{i}.task"),
    "metric": Field("{s}.metric"),
    "score": Field("{s}.value", numeric=True),
    "parsed": Field("{s}.extraction"),
    "seconds": Field("{i}.seconds", numeric=True),
    "length": Field("{i}.length", numeric=True),
    "repeat": Field("{i}.repeat", numeric=True),
    "id": Field("{i}.item"),
    "instance": Field("{i}.instance"),
}


def names_of(index: RunIndex) -> list[str]:
    """Return the fields of filter expressions over a Run's Items: the columns of lists, texts, and facets."""
    return [*_FIELDS, *TEXTS, *(name for name in index.contents.facets if name not in (*_FIELDS, *TEXTS))]


def _field(name: str, index: RunIndex, items: str, scores: str) -> Field | None:
    """Return a field as SQL over a Run's tables. A facet whose name is another field's is written `f.NAME`."""
    if name in _FIELDS:
        return replace(_FIELDS[name], sql=_FIELDS[name].sql.format(i=items, s=scores))
    if name in TEXTS:
        texts = f"read_parquet([{', '.join(map(quote_sql, index.texts()))}])"
        return Field(f"(SELECT x.{name} FROM {texts} x WHERE x.n = {items}.n)", words=True)
    facet = name.removeprefix(PARAMETER)
    return Field(f"{items}.{named(COLUMN + facet)}") if facet in index.contents.facets else None


_ENTRY = "(i.item || chr(31) || i.repeat)"


def _entry(item: str, repeat: int) -> str:
    return f"{item}\x1f{repeat}"


def entries_of(annotated: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Return (item, repeat) pairs in the form of filters."""
    return tuple(sorted({_entry(item, repeat) for item, repeat in annotated}))


@lru_cache(maxsize=512)
def _counted(sql: str, values: tuple[Any, ...]) -> dict[str, int]:
    """Return (name, n) rows as a table. The files of an index never change, so results are cached."""
    return {row["name"]: row["n"] for row in ask(sql, values)}


def ask(sql: str, values: Sequence[Any]) -> list[Row]:
    """Return the rows of a statement."""
    cursor = _cursor()
    cursor.execute(sql, list(values))
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


_local = threading.local()


def _cursor() -> duckdb.DuckDBPyConnection:
    """Return one cursor per thread: threads share a database without tables, but a cursor belongs to one thread."""
    if not hasattr(_local, "cursor"):
        _local.cursor = _database().cursor()
    return _local.cursor  # type: ignore[no-any-return]


@cache
def _database() -> duckdb.DuckDBPyConnection:
    import duckdb

    settings: dict[str, str | bool | int | float | list[str]] = {"threads": 2, "memory_limit": "1GB"}
    return duckdb.connect(":memory:", config=settings)
