"""Compare two Runs Item by Item under one protocol: outcomes and replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from triptych.analysis.comparing.shared import NO_EVIDENCE
from triptych.viewer.index.files import RunIndex
from triptych.viewer.index.query import (
    PAGE,
    Beside,
    Filter,
    Row,
    Sides,
    ask,
    conditions,
    neighbours,
    scores_as_sql,
    with_texts,
)

# Every pair is in exactly one of these; `differ` are the second and third, `replies` cuts across. `unscored`: in one of
# the Runs at least, the Score doesn't show whether the model is right, as in `triptych compare`.
KINDS = ("both", "a", "b", "neither", "unscored")
_NO_SCORE = ", ".join(f"'{status}'" for status in NO_EVIDENCE)
_KIND = """CASE WHEN {unscored} THEN 'unscored' WHEN {a} AND {b} THEN 'both'
    WHEN {better} THEN 'a' WHEN {worse} THEN 'b' ELSE 'neither' END"""


@dataclass(frozen=True, slots=True)
class Pair:
    """The two indexes, and the statement that joins them."""

    a: RunIndex
    b: RunIndex

    @property
    def sides(self) -> Sides:
        """The Runs as filter expressions name them: `B.outcome = wrong`."""
        return {"A": (self.a, "i", "s"), "B": (self.b, "j", "t")}

    def counts(self, wanted: Filter) -> dict[str, int]:
        """Return the number of pairs of every kind; `replies`: with different replies; `partly`: with a Score between
        right and wrong."""
        base, values = self._base(wanted, "")
        sql = (
            f"SELECT kind, count(*) AS n, count(*) FILTER (WHERE said_differently) AS replies,"
            f" count(*) FILTER (WHERE between_) AS between_ FROM ({base}) GROUP BY 1"
        )
        rows = {row["kind"]: row for row in ask(sql, values)}
        counts_by_kind = {kind: rows[kind]["n"] if kind in rows else 0 for kind in KINDS}
        counts_by_kind["differ"] = counts_by_kind["a"] + counts_by_kind["b"]
        counts_by_kind["replies"] = sum(row["replies"] for row in rows.values())
        counts_by_kind["partly"] = sum(row["between_"] for row in rows.values())
        return counts_by_kind

    def page(self, wanted: Filter, kind: str, number: int) -> list[Row]:
        """Return one page of pairs; the first page is 1."""
        base, values = self._base(wanted, kind)
        rows = ask(f"SELECT * FROM ({base}) ORDER BY n LIMIT {PAGE} OFFSET {PAGE * max(0, number - 1)}", values)
        other = with_texts(
            self.b, [{**row, "item_start": row["start_b"], "reply_start": row["reply_b"]} for row in rows]
        )
        return [
            {**row, "reply_a": row["reply"], "reply_b": theirs["reply"]}
            for row, theirs in zip(with_texts(self.a, rows), other, strict=True)
        ]

    def neighbours(self, wanted: Filter, kind: str, key: str, repeat: int) -> Beside:
        """Return the neighbours of a row as `Questions.neighbours` does, among the pairs of a kind."""
        base, values = self._base(wanted, kind)
        return neighbours(
            f"SELECT key, repeat, row_number() OVER (ORDER BY n) AS place FROM ({base})", values, key, repeat
        )

    def unpaired_counts(self) -> tuple[int, int]:
        """Return the number of Items (with their repeats) that only one of the Runs has: (only A, only B)."""
        sql = "SELECT count(*) AS n FROM read_parquet(?) x ANTI JOIN read_parquet(?) y USING (item, repeat)"
        a, b = str(self.a.file("items")), str(self.b.file("items"))
        return ask(sql, [a, b])[0]["n"], ask(sql, [b, a])[0]["n"]

    def _base(self, wanted: Filter, kind: str) -> tuple[str, list[Any]]:
        where, values = conditions(wanted, self.a, self.sides)
        score = ("metric = ?", [wanted.metric]) if wanted.metric else ("main", [])
        files: Sequence[Any] = [str(self.a.file("items")), str(self.b.file("items"))]
        ours, theirs = (scores_as_sql(index, wanted.protocol) for index in (self.a, self.b))
        kind_sql = _KIND.format(
            unscored=f"coalesce(s.outcome IN ({_NO_SCORE}), true) OR coalesce(t.outcome IN ({_NO_SCORE}), true)",
            a="coalesce(s.outcome = 'right', false)",
            b="coalesce(t.outcome = 'right', false)",
            better="coalesce(s.merit, -1e300) > coalesce(t.merit, -1e300)",
            worse="coalesce(s.merit, -1e300) < coalesce(t.merit, -1e300)",
        )
        chosen = {"": "true", "differ": "kind IN ('a', 'b')", "replies": "said_differently"}.get(kind)
        sql = f"""
            SELECT * FROM (
                SELECT i.n, i.key, i.item, i.repeat, i.task, i.item_start, i.reply_start,
                    j.item_start AS start_b, j.reply_start AS reply_b, s.outcome AS outcome_a, t.outcome AS outcome_b,
                    s.value AS value_a, t.value AS value_b, s.metric AS metric,
                    s.extraction AS extraction_a, t.extraction AS extraction_b,
                    i.digest <> j.digest AS said_differently,
                    coalesce(s.outcome = 'partly' OR t.outcome = 'partly', false) AS between_, {kind_sql} AS kind
                FROM read_parquet(?) i JOIN read_parquet(?) j USING (item, repeat)
                LEFT JOIN (SELECT * FROM {ours} WHERE {score[0]}) s
                    ON s.unit = i.unit AND s.repeat = i.repeat
                LEFT JOIN (SELECT * FROM {theirs} WHERE {score[0]}) t
                    ON t.unit = j.unit AND t.repeat = j.repeat
                WHERE {where}
            ) WHERE {chosen or "kind = ?"}"""
        return sql, [*files, *score[1], *score[1], *values, *([] if chosen else [kind])]
