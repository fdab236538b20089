"""Records: JSON goes in and out exactly, keys name what can change an answer and nothing else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.records import (
    ErrorInfo,
    Intermediate,
    Item,
    Message,
    Part,
    Request,
    Response,
    Score,
    Usage,
)

WORDS = st.text(max_size=12)
PARTS = st.builds(
    Part,
    kind=st.sampled_from(["text", "audio", "image", "video"]),
    text=WORDS,
    path=WORDS,
    sha256=WORDS,
    role=st.sampled_from(["", "question", "content"]),
)
RECORDS = st.one_of(
    PARTS,
    st.builds(
        Item,
        id=WORDS,
        task=WORDS,
        parts=st.lists(PARTS, max_size=3).map(tuple),
        options=st.lists(st.lists(PARTS, max_size=2).map(tuple), max_size=3).map(tuple),
        labels=st.lists(WORDS, max_size=3).map(tuple),
        target=st.one_of(st.none(), WORDS, st.lists(WORDS, max_size=3).map(tuple)),
        facets=st.dictionaries(WORDS, WORDS, max_size=3),
    ),
    st.builds(
        Response,
        item=WORDS,
        condition=WORDS,
        repeat=st.integers(0, 5),
        status=st.sampled_from(["answered", "refused", "truncated", "failed", "skipped"]),
        text=WORDS,
        usage=st.none() | st.builds(Usage, input_tokens=st.none() | st.integers(0, 10**9)),
        seconds=st.floats(0, 1e6),
        error=st.none() | st.builds(ErrorInfo, kind=WORDS, message=WORDS),
        intermediates=st.lists(
            st.builds(Intermediate, engine=WORDS, kind=st.just("audio"), path=WORDS, text=WORDS), max_size=2
        ).map(tuple),
    ),
    st.builds(
        Score,
        unit=WORDS,
        task=WORDS,
        metric=WORDS,
        status=st.sampled_from(["scored", "unparsed", "failed"]),
        numerator=st.floats(allow_nan=False, allow_infinity=False),
        denominator=st.floats(0, 1e6),
        extraction=st.one_of(st.none(), WORDS, st.lists(WORDS, max_size=3).map(tuple)),
    ),
)


@given(RECORDS)
def test_json_round_trips_are_exact(record: Any) -> None:
    line = msgspec.json.encode(record)
    assert msgspec.json.decode(line, type=type(record)) == record
    assert b"\n" not in line


@given(RECORDS)
def test_records_are_frozen(record: Any) -> None:
    with pytest.raises(AttributeError):
        setattr(record, record.__struct_fields__[0], "x")


def request(**changes: Any) -> Request:
    parts = (Part("text", text="Which?"), Part("audio", path="a.wav"))
    return Request(**{"id": "1", "messages": (Message("user", parts),), "settings": {"temperature": 0}, **changes})


def test_ids_conditions_and_order_of_settings_do_not_change_the_key() -> None:
    a = request(id="2", condition="x", settings={"a": 1, "b": 2}).key("openai/m", "", {"a.wav": "00ff"})
    b = request(settings={"b": 2, "a": 1}).key("openai/m", "", {"a.wav": "00ff"})
    assert a == b
