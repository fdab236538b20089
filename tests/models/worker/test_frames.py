"""Tests of `models/worker/frames.py`: messages in a stream that breaks anywhere."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator

import pytest

from triptych.models.worker import inside
from triptych.models.worker.frames import HELLO, MAX_BYTES, Broken, Reader, pack_message

Pipe = tuple[Reader, int]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """A reader, and the descriptor that writes to it; closed by who writes, or at the end."""
    reading, writing = os.pipe()
    yield Reader(reading), writing
    os.close(reading)
    try:
        os.close(writing)
    except OSError:
        return  # the test has


def test_both_sides_begin_in_the_same_way() -> None:
    """The other side has no Triptych to import it from."""
    assert inside.HELLO == HELLO


@pytest.mark.parametrize("text", ["", "春眠\u2028不觉晓", "half of a pair: \ud800", "x" * 60_000])
def test_a_message_is_its_length_and_json(text: str, pipe: Pipe) -> None:
    reader, writing = pipe
    message = {"op": "answer", "text": text, "n": [1, None]}
    data = pack_message(message)
    assert struct.unpack(">I", data[:4])[0] == len(data) - 4 and json.loads(data[4:]) == message
    os.write(writing, data)
    assert reader.message(60) == message


def test_messages_come_in_order_wherever_the_stream_is_cut(pipe: Pipe) -> None:
    reader, writing = pipe
    sent = [{"op": "answer", "id": n, "text": "晓" * n} for n in range(3)]
    data = b"printed before" + HELLO + b"".join(map(pack_message, sent))
    for at in range(0, len(data), 7):
        os.write(writing, data[at : at + 7])
    reader.skip_to_hello(60)
    assert [reader.message(60) for _ in sent] == sent


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (struct.pack(">I", 2) + b"[]", "not a message"),
        (struct.pack(">I", 2) + b"{}", "not a message"),
        (struct.pack(">I", 10) + b'{"op": 77}', "not a message"),
        (struct.pack(">I", 3) + b"{\xff}", "not a message"),
        (struct.pack(">I", MAX_BYTES + 1), "announced a message of 67,108,865 bytes"),
        (b"\xff\xff\xff\xff", "announced a message"),
    ],
)
def test_what_is_no_message_is_refused(data: bytes, why: str, pipe: Pipe) -> None:
    reader, writing = pipe
    os.write(writing, data)
    with pytest.raises(Broken, match=why):
        reader.message(60)


@pytest.mark.parametrize("data", [b"", b"\x00\x00", struct.pack(">I", 9) + b"half"])
def test_the_end_is_noticed_at_any_byte(data: bytes, pipe: Pipe) -> None:
    reader, writing = pipe
    os.write(writing, data)
    os.close(writing)
    with pytest.raises(Broken, match="it ended"):
        reader.message(60)


def test_silence_is_not_waited_for_longer_than_told(pipe: Pipe) -> None:
    reader, writing = pipe
    for wait in (reader.skip_to_hello, reader.message):
        with pytest.raises(Broken, match="silent for too long"):
            wait(0.01)
    os.write(writing, struct.pack(">I", 9) + b"half")
    with pytest.raises(Broken, match="silent for too long"):
        reader.message(0.01)


def test_noise_without_end_is_no_protocol(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.models.worker.frames.MAX_NOISE_BYTES", 1000)
    reader, writing = pipe
    os.write(writing, b"loading ... " * 200)
    with pytest.raises(Broken, match="doesn't follow the protocol"):
        reader.skip_to_hello(60)
