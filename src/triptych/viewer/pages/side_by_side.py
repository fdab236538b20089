"""Several Runs side by side: the figures of each, and the Items that all of them have with every reply next to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from triptych.reports.html.links import item_path, run_path
from triptych.scoring.notes.labels import label_of
from triptych.store.folder import RunFolder
from triptych.viewer.catalogue import benchmark_of, scores_of
from triptych.viewer.index.files import RunIndex, open_index
from triptych.viewer.index.query import (
    PAGE,
    Filter,
    Row,
    Sides,
    ask,
    conditions,
    names_of,
    read_filter,
    scores_as_sql,
    with_texts,
)
from triptych.viewer.pages.figures import overview_of
from triptych.viewer.pages.lists import page_number

MAX_RUNS = 6  # Runs side by side
LETTERS = "ABCDEF"
KINDS = {
    "": "all",
    "differ": "outcomes differ",
    "every": "right in all",
    "some": "right in some",
    "none": "right in none",
}
_KIND_SQL = {
    "": "true",
    "differ": "outcomes > 1",
    "every": "hits = {n}",
    "some": "hits BETWEEN 1 AND {n} - 1",
    "none": "hits = 0",
}


@dataclass(frozen=True, slots=True)
class Several:
    """The indexes of the Runs, in the order of their letters, and the statement that joins them by Item and repeat."""

    indexes: tuple[RunIndex, ...]

    @property
    def sides(self) -> Sides:
        """The Runs as filter expressions name them: `C.outcome = wrong`."""
        aliases = [("i", "s"), *((f"i{n}", f"s{n}") for n in range(1, len(self.indexes)))]
        return {letter: (index, *names) for letter, index, names in zip(LETTERS, self.indexes, aliases, strict=False)}

    def counts(self, wanted: Filter) -> tuple[dict[str, int], list[int]]:
        """Return the number of Items of every kind, and how many each Run has right."""
        base, values = self._base(wanted)
        kinds = [
            f"count(*) FILTER (WHERE {sql.format(n=len(self.indexes))}) AS {name or 'total'}"
            for name, sql in _KIND_SQL.items()
        ]
        right = [f"count(*) FILTER (WHERE o{n} = 'right') AS right{n}" for n in range(len(self.indexes))]
        row = ask(f"SELECT {', '.join([*kinds, *right])} FROM ({base})", values)[0]
        return {name: row[name or "total"] for name in KINDS}, [row[f"right{n}"] for n in range(len(self.indexes))]

    def page(self, wanted: Filter, kind: str, number: int) -> list[dict[str, Any]]:
        """Return one page of Items, each with a reply of every Run; the first page is 1."""
        base, values = self._base(wanted)
        chosen = _KIND_SQL[kind].format(n=len(self.indexes))
        rows = ask(
            f"SELECT * FROM ({base}) WHERE {chosen} ORDER BY n LIMIT {PAGE} OFFSET {PAGE * max(0, number - 1)}", values
        )
        texts = [
            with_texts(index, [{**row, "item_start": row[f"a{n}"], "reply_start": row[f"r{n}"]} for row in rows])
            for n, index in enumerate(self.indexes)
        ]
        return [
            {**row, "cells": [_cell(cell, n) for n, cell in enumerate(each)], **_question_fields(each[0])}
            for row, each in zip(rows, zip(*texts, strict=True), strict=True)
        ]

    def _base(self, wanted: Filter) -> tuple[str, list[Any]]:
        metric, values = ("metric = ?", [wanted.metric]) if wanted.metric else ("main", [])
        columns, joins, bound = list[str](), list[str](), list[Any]()
        for n, (index, i, s) in enumerate(self.sides.values()):
            columns.append(
                f"{i}.item_start AS a{n}, {i}.reply_start AS r{n}, {i}.status AS status{n}, {s}.outcome AS o{n},"
                f" {s}.value AS v{n}, {s}.extraction AS e{n}"
            )
            joins.append(f"{'JOIN' if n else 'FROM'} read_parquet(?) {i}" + (" USING (item, repeat)" if n else ""))
            bound.append(str(index.file("items")))
        scores = []
        for index, i, s in self.sides.values():
            scores_sql = f"(SELECT * FROM {scores_as_sql(index, wanted.protocol)} WHERE {metric}) {s}"
            scores.append(f"LEFT JOIN {scores_sql} ON {s}.unit = {i}.unit AND {s}.repeat = {i}.repeat")
            bound += values
        where, more = conditions(wanted, self.indexes[0], self.sides)
        numbers = range(len(self.indexes))
        hits = " + ".join(f"CAST(coalesce(o{n} = 'right', false) AS INTEGER)" for n in numbers)
        each = ", ".join(f"coalesce(o{n}, 'none')" for n in numbers)
        sql = (
            f"SELECT *, {hits} AS hits, len(list_distinct([{each}])) AS outcomes FROM (SELECT i.n, i.item, i.repeat,"
            f" i.task, {', '.join(columns)} {' '.join(joins)} {' '.join(scores)} WHERE {where})"
        )
        return sql, [*bound, *more]


def _cell(row: Row, n: int) -> dict[str, Any]:
    return {
        "outcome": row[f"o{n}"] or "none",
        "value": row[f"v{n}"],
        "status": row[f"status{n}"],
        "parsed": row[f"e{n}"],
        "reply": row["reply"],
    }


def _question_fields(row: Row) -> dict[str, Any]:
    return {"question": row["question"], "target": row["target"]}


def side_page(runs: Mapping[str, RunFolder], parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return the page of up to six Runs, in the order in which the address names them."""
    joined = Several(tuple(open_index(folder) for folder in runs.values()))
    wanted = read_filter(parameters, joined.indexes[0], joined.sides)
    counts, right = joined.counts(wanted)
    kind, number = parameters.get("kind", ""), page_number(parameters)
    kind = kind if kind in KINDS else ""
    rows = joined.page(wanted, kind, number)
    slugs = list(runs)
    for row in rows:
        for slug, cell in zip(slugs, row["cells"], strict=True):
            cell["href"] = item_path(slug, row["item"], row["repeat"])
    base = "/side?" + urlencode([("run", slug) for slug in slugs])
    here = f"{base}&{wanted.query()}"
    total = counts[""]
    return {
        "base": base,
        "here": f"{here}&kind={kind}",
        "wanted": wanted,
        "contents": joined.indexes[0].contents,
        "names": names_of(joined.indexes[0]),
        "kind": kind,
        "rows": rows,
        "page": number,
        "total": total,
        "kinds": [(name, words, counts[name], f"{here}&kind={name}") for name, words in KINDS.items()],
        "pages": -(-counts[kind] // PAGE),
        **_overview(runs),
        "runs": [
            {
                "letter": letter,
                "slug": slug,
                "href": run_path(slug),
                "label": label_of(folder),
                "right": hits,
                "share": f"{100 * hits / total:.1f}%" if total else "–",
                "rows": index.contents.rows,
                "without": "/side?" + urlencode([("run", other) for other in slugs if other != slug]),
            }
            for letter, (slug, folder), hits, index in zip(LETTERS, runs.items(), right, joined.indexes, strict=False)
        ],
    }


def _overview(runs: Mapping[str, RunFolder]) -> dict[str, Any]:
    """Return the main figures of all Runs in one table, if they are of one benchmark that is installed here."""
    first = next(iter(runs.values())).manifest
    benchmark = benchmark_of(first)
    scored = {slug: scores for slug, folder in runs.items() if (scores := scores_of(folder))}
    same = {folder.manifest.benchmark for folder in runs.values()} == {first.benchmark}
    shown = overview_of(benchmark, scored, runs) if benchmark and scored and same else None
    letters = dict(zip(runs, LETTERS, strict=False))
    return {
        "headings": shown.table.headings if shown else (),
        "protocol": shown.table.protocol if shown else "",
        "figures": [(letters[label], cells) for label, _, cells, _ in shown.rows] if shown else [],
    }
