"""Tests of `records/exchange.py`: request and Response."""

from __future__ import annotations

import pytest

from tests.records.test_records import request
from triptych.records import (
    Message,
    Part,
    Request,
)

KEY = request().key("openai/m", "", {"a.wav": "00ff"})


@pytest.mark.parametrize(
    "other",
    [
        request(settings={"temperature": 1}).key("openai/m", "", {"a.wav": "00ff"}),
        request(repeat=1).key("openai/m", "", {"a.wav": "00ff"}),
        request().key("openai/m", "", {"a.wav": "11ff"}),
        request().key("openai/n", "", {"a.wav": "00ff"}),
        request().key("openai/m", "2026-01", {"a.wav": "00ff"}),
        request(messages=(Message("system", request().messages[0].parts),)).key("openai/m", "", {"a.wav": "00ff"}),
    ],
)
def test_what_can_change_an_answer_changes_the_key(other: str) -> None:
    assert other != KEY


def test_a_part_that_moves_between_messages_changes_the_key() -> None:
    """No two lists of messages may flatten to the same key."""
    p, q = Part("text", text="p"), Part("text", text="q")
    one = Request("1", (Message("user", (p, q)),)).key("m/m", "", {})
    two = Request("1", (Message("user", (p,)), Message("user", (q,)))).key("m/m", "", {})
    joined = Request("1", (Message("user", (Part("text", text="pq"),)),)).key("m/m", "", {})
    assert len({one, two, joined}) == 3
