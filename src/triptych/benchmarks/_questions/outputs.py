"""Replies made elsewhere: JSONL or CSV with the columns `id` and `reply`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from triptych.benchmarks._questions.cells import words
from triptych.benchmarks._questions.rows import read_rows
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import DataError, TwoAnswersError
from triptych.protocols.protocol import Outputs
from triptych.records import Item, Response


def read_outputs(spec: BenchmarkSpec, paths: Sequence[Path], items: Mapping[str, Item] | None = None) -> Outputs:
    """Return the replies by Item id. Raises DataError for a row without `id` or `reply`, and for two replies to one."""
    found: dict[str, Response] = {}
    for path in paths:
        rows, problems = read_rows(path)
        if problems:
            raise DataError(problems[0].message, where=problems[0].where)
        for row in rows:
            if not isinstance(reply := row.cells.get("reply"), str) or (key := row.cells.get("id")) is None:
                raise DataError("a reply needs the columns id and reply", where=f"{path}, {row.where}")
            if (id_ := f"{spec.name}/{words(key)}") in found:
                raise TwoAnswersError("two replies to one question", where=f"{path}, {row.where}", got=id_)
            found[id_] = Response(item=id_, condition="", repeat=0, status="answered", text=reply)
    return Outputs(found, items or {})
