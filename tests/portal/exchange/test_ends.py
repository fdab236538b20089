"""Tests of `portal/exchange/ends.py`: what crosses between a build and a portal."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest

from triptych.construction.asking.questions import Result
from triptych.construction.people.stage import Task
from triptych.portal.exchange.ends import Accepted, Batch, PortalPeople, Pushed, copy_stream


def test_everything_is_the_same_after_the_way_as_json() -> None:
    task = Task(
        "guanju/003", "d", "record", {"audio": "audio"}, {"text": "关关雎鸠"}, "Read.", 2, guides={"zh": "朗读"}
    )
    result = Result("guanju/003", "d", "p-1", {"audio": "a.wav", "score": 3, "spans": [[0.5, 1.0]]}, "2026-11-27")
    for sent in (
        Batch("recording", None, [task], {"a" * 64: "double-asr 0.31"}),
        Batch("review", {"slots": ["1"]}, []),
        Pushed("record", "recording", 1, 2, 3, again=4),
        Accepted("id-1", result, {"a" * 64: "portal/a.wav"}, chosen=False),
        PortalPeople(["p-1", "p-2"], []),
    ):
        assert msgspec.json.decode(msgspec.json.encode(sent), type=type(sent)) == sent


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"kind": "review", "settings": None}, "tasks"),
        ({"kind": "review", "settings": [], "tasks": []}, "settings"),
        ({"kind": "review", "settings": {}, "tasks": [{"id": 1}]}, "tasks"),
        ({"kind": "review", "settings": {}, "tasks": [], "agian": {}}, "agian"),
    ],
)
def test_a_batch_with_a_fault_is_refused_with_its_place(body: dict[str, Any], message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(body, Batch)


@pytest.mark.parametrize("data", [b"", b"x", bytes(range(256)) * 5000])
def test_a_stream_is_copied_to_its_last_byte(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "copy").write_bytes(b"what was here before, and was longer" * 1000)
    copy_stream(io.BytesIO(data), tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == data
