"""Replies in files of the authors' formats: what is no text is not scored as if a model had written it."""

from __future__ import annotations

import json

import pytest

from triptych.protocols.stored_replies import stored_reply, unanswered_note
from triptych.records import Intermediate


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ('"B"', "B"),
        ('" \\n"', " \n"),
        ('""', ""),
        ('"答案是\\u0301 B"', "答案是\u0301 B"),
        ("3", "3"),
        ("-0.5", "-0.5"),
        ("1e20", "1e+20"),
        ("12345678901234567890123", "12345678901234567890123"),
    ],
)
def test_a_text_is_unchanged_and_a_number_is_its_digits(stored: str, text: str) -> None:
    engine = (Intermediate("whisper", "audio", "a.wav", "hello"),)
    reply = stored_reply("mcga/1", json.loads(stored), "response", engine)
    assert (reply.item, reply.status, reply.text, reply.intermediates) == ("mcga/1", "answered", text, engine)
    assert reply.error is None


@pytest.mark.parametrize(
    ("stored", "kind", "message"),
    [
        ("null", "missing", "the file contains no response for this Item"),
        ("true", "malformed", "response is not a text but of type bool"),
        ("false", "malformed", "response is not a text but of type bool"),
        ('["B"]', "malformed", "response is not a text but of type list"),
        ('{"text": "B"}', "malformed", "response is not a text but of type dict"),
    ],
)
def test_anything_else_is_a_failure_with_its_reason(stored: str, kind: str, message: str) -> None:
    reply = stored_reply("mcga/1", json.loads(stored), "response")
    assert (reply.status, reply.text) == ("failed", "") and reply.error is not None
    assert (reply.error.kind, reply.error.message) == (kind, message)


def test_rows_without_a_reply_are_counted_in_a_note() -> None:
    replies = [stored_reply(str(n), None if n < 1200 else "A", "model_output") for n in range(1500)]
    assert unanswered_note(replies, "model_output") == [
        "1,200 of 1,500 rows have no model_output: they count as unanswered"
    ]
    assert unanswered_note(replies[1200:], "model_output") == [] and unanswered_note([], "x") == []
