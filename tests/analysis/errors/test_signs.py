"""Tests of `analysis/errors/signs.py`: kinds of error that are visible in the reply itself."""

from __future__ import annotations

import pytest

from triptych.analysis.errors.signs import Reply, signs
from triptych.records import Item, text

TALK = "In this talk we present a new model for the translation of spoken language into many others."
REDE = "Wir stellen heute ein neues Modell für die Übersetzung gesprochener Sprache in viele andere vor."


def free(reply: str, target: str, status: str = "answered", **hidden: str) -> list[str]:
    item = Item(
        "i", "t", (text("Translate this.", "question"),), target=target, hidden=hidden, facets={"kind": "TRANS"}
    )
    return signs(Reply(item, reply, status))


@pytest.mark.parametrize(
    ("reply", "target", "expected"),
    [
        (REDE, REDE, []),
        ("", REDE, ["empty", "under_generation"]),
        (TALK, REDE, ["wrong_language"]),
        ("Es tut mir leid, aber ich kann das nicht übersetzen.", REDE, ["refusal"]),
        (" ".join([REDE] * 6), REDE, ["repetition", "over_generation"]),
        ("Das Audio handelt von einem neuen Modell für die Übersetzung der Sprache.", REDE, ["other_task"]),
        ("Ein Modell.", REDE, ["under_generation"]),
        (" ".join([REDE, *map(str, range(200))]), REDE, ["over_generation"]),
        ("抱歉，我无法听取该音频。", "今天天气很好。", ["refusal"]),
        ("Today the weather is good and we go to the park.", "今天天气很好，我们去公园。", ["wrong_language"]),
        ("Die Antwort ist, dass das Modell besser ist.", "Il modello è più preciso degli altri.", ["wrong_language"]),
    ],
)
def test_free_replies(reply: str, target: str, expected: list[str]) -> None:
    found = free(reply, target)
    assert found == [kind for kind in found if kind in expected] if not reply else found == expected


def test_writing_down_instead_of_translating_is_another_task() -> None:
    assert free(TALK, REDE, source=TALK) == ["wrong_language", "other_task"]
    assert "other_task" not in free(REDE, REDE, source=TALK)


@pytest.mark.parametrize(
    ("status", "kind"),
    [*((s, "no_answer") for s in ("failed", "skipped", "missing")), ("truncated", "truncated"), ("refused", "refusal")],
)
def test_statuses(status: str, kind: str) -> None:
    assert free("" if kind == "no_answer" else REDE, REDE, status) == [kind]


def test_a_reference_that_declines_makes_a_reply_that_does_no_refusal() -> None:
    assert "refusal" not in free("I cannot answer this.", "I cannot answer this from the talk.")
