"""Tests of `construction/asking/reading.py`: JSON in models' replies."""

from __future__ import annotations

import pytest

from tests.construction import toy
from triptych.construction.asking.reading import MAX_REPLY_LENGTH, Unreadable, read_reply

QUESTION = '{"question": "q", "answer": "a"}'


@pytest.mark.parametrize(
    "reply",
    [
        f"```json\n{QUESTION}\n```",
        f"Here it is:\n```\n{QUESTION}\n```\nThat was it.",
        f"```json  \r\n{QUESTION}\r\n```\r\n",
        f"```json\n{QUESTION}\n```\n```json\n{QUESTION}\n```",
        f"Well: {QUESTION}.",
        f"```json\n{QUESTION}",
    ],
)
def test_json_is_found_in_fences_and_between_sentences(reply: str) -> None:
    assert read_reply(reply, toy.Question).question == "q"


@pytest.mark.parametrize("unit", ["```a\n", "```json\n{}\n```x\n", "```\n", "{", "[{"])
def test_a_long_reply_of_fences_is_read_in_one_pass(unit: str) -> None:
    """It took time that grew with the square: hours for a megabyte."""
    with pytest.raises(Unreadable):
        read_reply(unit * (MAX_REPLY_LENGTH // len(unit)), toy.Question)
