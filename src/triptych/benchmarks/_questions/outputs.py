"""Replies made elsewhere to one's own questions: a table in any format of questions, with ids and replies."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from triptych.benchmarks._questions.cells import flat, words
from triptych.benchmarks._questions.rows import Reading, Row, columns_of, read_rows
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.errors import DataError, TwoAnswersError
from triptych.protocols.protocol import Outputs
from triptych.records import Item, Response

# Usual names, compared without case, spaces and underscores. `answer` is often the reference: only if nothing else is.
_IDS = ("id", "questionid", "qid", "itemid", "item", "uid", "index", "idx")
_REPLIES = (
    "reply",
    "response",
    "prediction",
    "predictions",
    "predicted",
    "pred",
    "output",
    "modeloutput",
    "modelresponse",
    "modelanswer",
    "modelprediction",
    "modelreply",
    "generation",
    "generatedtext",
    "completion",
    "hypothesis",
)
_LAST = ("answer", "text")
_QUESTIONS = ("question", "question_text", "query")
_BEGINNING = 30  # letters of a question that a longer prompt has, too


def read_outputs(spec: BenchmarkSpec, paths: Sequence[Path], items: Mapping[str, Item] | None = None) -> Outputs:
    """Return the replies by Item id; a question without a row, or with a null reply, has none.

    Notes say how many replies are to none of the questions, and whether the rows were asked something else.

    Raises DataError if no column, or more than one, can be the id or the reply, for a row without an id, and if no id
    is one of the questions'; TwoAnswersError for two replies to one question.
    """
    responses: dict[str, Response] = {}
    others = 0  # rows that state another question than that of their id
    for path in paths:
        rows, problems = read_rows(path, Reading(content="replies"))
        if problems:
            raise DataError(problems[0].message, where=problems[0].where)
        id_column, reply_column = _column(rows, path, "id", _IDS), _column(rows, path, "reply", _REPLIES, _LAST)
        for row in rows:
            where = f"{path}, {row.where}"
            if (key := row.cells.get(id_column)) is None or isinstance(key, (list, dict)):
                raise DataError(f"a row without an id in the column {id_column!r}", where=where)
            if (reply := row.cells.get(reply_column)) is None:
                continue
            if isinstance(reply, (list, dict)):
                raise DataError(f"the column {reply_column!r} holds no text", where=where, got=str(reply)[:80])
            if (id_ := f"{spec.name}/{words(key)}") in responses:
                raise TwoAnswersError("two replies to one question", where=where, got=id_)
            others += bool(items) and _asks_otherwise(row, (items or {}).get(id_))
            responses[id_] = Response(item=id_, condition="", repeat=0, status="answered", text=words(reply))
    if items and responses and not responses.keys() & items.keys():
        raise DataError(
            "no reply is to one of the questions",
            where=paths[0],
            expected=f"ids such as {_task_part(next(iter(items)))!r}",
            got=f"ids such as {_task_part(next(iter(responses)))!r}",
        )
    return Outputs(responses, items or {}, _notes(responses, items or {}, others))


def _notes(responses: Mapping[str, Response], items: Mapping[str, Item], others: int) -> tuple[str, ...]:
    notes = []
    if items and (unknown := [id_ for id_ in responses if id_ not in items]):
        notes.append(
            f"{len(unknown):,} of {len(responses):,} replies are to none of the questions and don't count, such as that"
            f" to {_task_part(unknown[0])!r}"
        )
    if 2 * others > len(responses):
        notes.append(
            f"{others:,} of {len(responses):,} rows state another question than the one with their id: check that the"
            " replies are to these questions"
        )
    return tuple(notes)


def _asks_otherwise(row: Row, item: Item | None) -> bool:
    """Return whether a row states a question that is not in the one of its id, apart from whitespace."""
    stated = next((cell for name, cell in row.cells.items() if flat(name) in _QUESTIONS), None)
    if item is None or not isinstance(stated, str) or not stated.strip():
        return False
    prompt = _letters(" ".join(part.text or "" for part in item.parts))
    question = _letters(stated)
    return bool(question) and question not in prompt and prompt[:_BEGINNING] not in question


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def _task_part(id_: str) -> str:
    return id_.partition("/")[2]


def _column(rows: Sequence[Row], path: Path, role: str, *ranks: Sequence[str]) -> str:
    """Return the column of a role: the one with a usual name of the first rank that any column has."""
    columns = columns_of(rows)
    for usual in ranks:
        fit = [name for name in columns if flat(name).replace("_", "") in usual]
        if len(fit) > 1 and role in fit:
            return role
        if len(fit) > 1:
            raise DataError(
                f"several columns can be the {role}", where=path, got=", ".join(fit), fix=f"name the right one {role!r}"
            )
        if fit:
            return fit[0]
    raise DataError(
        f"no column is the {role}",
        where=path,
        expected=", ".join([*ranks[0][:6], "…"]),
        got=", ".join(columns) or "no column",
        fix=f"name the column {role!r}",
    )
