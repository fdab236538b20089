"""Tests of `store/parquet/pack.py`: packing a finished Run."""

from __future__ import annotations

from pathlib import Path

import msgspec
import polars
import pytest

from tests.store.parquet.test_records import fill
from tests.support.runs import MANIFEST
from triptych.errors import RunFolderError
from triptych.records import Encoded, ErrorInfo, Intermediate, Item, Response, Usage, media, text
from triptych.store.folder import RunFolder
from triptych.store.parquet.pack import pack, unpack

RICH = Response(
    "00002",
    "blind",
    1,
    "truncated",
    "多行\n文本",
    "key",
    "length",
    Usage(10, None, 3),
    4,
    0.1 + 0.2,
    ErrorInfo("server", "bad", 500),
    "hm",
    (Intermediate("asr", "audio", "a.wav", "words", "ab"),),
    msgspec.Raw(b'{"content":[1.5]}'),
    "served",
    1e-9,
    True,
    "2026-01-01T00:00:00+00:00",
    (Encoded("audio", "a.wav", 40.0, 30.0),),
)
ITEM = Item(
    "00002",
    "toy/one",
    (text("?", "question"), media("audio", "a.wav", "content")),
    ((text("x"),), (text("y"),)),
    ("A", "B"),
    "options",
    ("x", "y"),
    "u",
    "i",
    {"family": "f"},
)


def test_packed_runs_are_read_back_identically(tmp_path: Path) -> None:
    folder = fill(tmp_path, [1, 3])
    with folder.writer() as writer:
        writer.add_item(ITEM)
        writer.add_response(RICH)
    items, responses = list(folder.items()), list(folder.responses())
    pack(folder)
    pack(folder)
    assert not list(tmp_path.glob("*.jsonl")) and folder.is_packed
    assert list(folder.items()) == items and list(folder.responses()) == responses
    assert len(folder.done()) == 3 and len(list(folder.history())) == 3
    frame = polars.read_parquet(tmp_path / "responses.parquet")
    assert frame["status"].to_list() == ["answered", "truncated", "answered"], "plain columns for plain queries"
    with pytest.raises(RunFolderError, match="unpack"), folder.writer():
        pass
    unpack(folder)
    assert not list(tmp_path.glob("*.parquet"))
    assert list(folder.items()) == items and list(folder.responses()) == responses


def test_an_empty_run_packs_too(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    pack(folder)
    assert list(folder.items()) == [] and list(folder.responses()) == []
