"""Tests of `audit/data/questions.py`: checks of single questions."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.audit.data.test_check import choice, even, questions
from triptych.records import Item, media, text


@pytest.mark.parametrize(
    ("bad", "kind", "severity"),
    [
        (choice(1, ["a", "b"], 0), "target", "severe"),
        (choice(2, ["a ", "b"], 0), "target", "warning"),
        (choice(3, ["a", "a", "b"], 0), "target", "warning"),
        (choice(4, ["a", "b", "b"], 0), "target", "note"),
        (choice(5, ["a", "", "b"], 0), "malformed", "severe"),
        (choice(6, ["a", "b"], 0), "malformed", "warning"),
    ],
)
def test_single_questions(bad: Item, kind: str, severity: str) -> None:
    number = bad.id[-1]
    changes: dict[str, dict[str, Any]] = {"1": {"target": "z"}, "2": {"target": "a"}, "6": {"target": None}}
    changed = changes.get(number, {})
    found = questions([*even(), msgspec.structs.replace(bad, **changed)])
    assert [(f.kind, f.severity, f.rows) for f in found] == [(kind, severity, (bad.id,))]


def test_doubled_questions_and_doubled_ones_with_other_keys() -> None:
    items = even()
    again = msgspec.structs.replace(items[3], id="toy/a/900")
    other = msgspec.structs.replace(items[5], id="toy/a/901", target=items[5].option_texts()[0])
    other = msgspec.structs.replace(other, target=next(o for o in other.option_texts() if o != items[5].target))
    found = questions([*items, again, other])
    assert [(f.kind, f.severity, f.rows) for f in found] == [
        ("duplicate", "severe", (items[5].id, other.id)),
        ("duplicate", "warning", (items[3].id, again.id)),
    ]
    assert questions([*items, msgspec.structs.replace(items[3], id="x", instance=items[3].id)]) == []


def test_words_balance_and_splits() -> None:
    items = even(100)
    items[7] = msgspec.structs.replace(items[7], parts=(text("what does the VIDEO show?", "question"),))
    items = [msgspec.structs.replace(i, facets={"group": "small" if n < 4 else "big"}) for n, i in enumerate(items)]
    found = questions(items, banned=("video",), balance=("group",))
    assert [(f.kind, f.rows) for f in found] == [("word", ("toy/a/7",)), ("balance", ("small",))]
    clip = media("audio", "one.wav", "content")
    split = [
        msgspec.structs.replace(items[n], parts=(*items[n].parts, clip), facets={"split": s})
        for n, s in enumerate(("train", "test"))
    ]
    (leak,) = questions(split, split_facet="split")
    assert (leak.kind, leak.severity, leak.rows) == ("leak", "severe", ("toy/a/0", "toy/a/1"))
