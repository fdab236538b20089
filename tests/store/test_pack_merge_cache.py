"""Packing loses nothing; merging refuses overlap; the cache keeps what is worth keeping."""

from __future__ import annotations

from pathlib import Path

import msgspec
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.runs import MANIFEST, item, manifest
from triptych.errors import DataError, RunFolderError
from triptych.records import Encoded, ErrorInfo, Intermediate, Item, Response, RunManifest, Usage, media, text
from triptych.store.folder import RunFolder
from triptych.store.merge import merge
from triptych.store.parquet.pack import pack, unpack
from triptych.store.parquet.records import read_parquet, write_parquet
from triptych.store.response_cache import ResponseCache

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


def fill(path: Path, numbers: range | list[int], made: RunManifest = MANIFEST) -> RunFolder:
    folder = RunFolder.create(path, made)
    with folder.writer() as writer:
        for number in numbers:
            writer.add_item(item(number))
            writer.add_response(Response(f"{number:05}", "", 0, "failed"))
            writer.add_response(Response(f"{number:05}", "", 0, "answered", "A"))
    return folder


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


def test_a_foreign_parquet_file_is_refused(tmp_path: Path) -> None:
    polars.DataFrame({"surprise": [1]}).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(DataError, match="surprise"):
        list(read_parquet(tmp_path / "x.parquet", Response))
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    with pytest.raises(DataError, match="can't be read"):
        list(read_parquet(tmp_path / "x.parquet", Response))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
floats = st.floats(allow_nan=False, allow_infinity=False)
any_response = st.builds(
    Response,
    texts,
    texts,
    st.integers(0, 2**40),
    st.just("answered"),
    texts,
    seconds=floats,
    cost_usd=st.none() | floats,
)


@settings(max_examples=30, deadline=None)
@given(st.lists(any_response, max_size=4))
def test_any_responses_survive_parquet(responses: list[Response]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        write_parquet(Path(name) / "x.parquet", responses, Response)
        assert list(read_parquet(Path(name) / "x.parquet", Response)) == responses


def test_disjoint_runs_merge(tmp_path: Path) -> None:
    one = fill(tmp_path / "one", range(3), manifest(limit=3, planned=3))
    two = fill(tmp_path / "two", range(3, 5), manifest(tasks=("two",), planned=2))
    both = merge([one, two], tmp_path / "both")
    assert [i.id for i in both.items()] == [f"{n:05}" for n in range(5)]
    assert len(list(both.responses())) == 5
    assert both.manifest.tasks == ("one", "two") and both.manifest.planned == 5 and both.manifest.limit is None
    with pytest.raises(RunFolderError, match="a Run already"):
        merge([one], tmp_path / "both")


def test_overlap_and_other_models_do_not_merge(tmp_path: Path) -> None:
    one, two = fill(tmp_path / "one", range(3)), fill(tmp_path / "two", range(2, 5))
    with pytest.raises(RunFolderError, match="'00002'"):
        merge([one, two], tmp_path / "both")
    other = fill(tmp_path / "other", range(7, 9), manifest(model="x/y", seed=3))
    with pytest.raises(RunFolderError, match="differ in model, seed"):
        merge([one, other], tmp_path / "both")
    assert not (tmp_path / "both").exists()
    with pytest.raises(RunFolderError, match="nothing"):
        merge([], tmp_path / "both")


def test_the_cache_keeps_answers_only(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "deep" / "answers.sqlite")
    answer = Response("1", "", 0, "answered", "A", "key")
    cache.put(answer)
    for status in ("failed", "skipped", "refused"):
        cache.put(Response("1", "", 0, status, "A", status))  # type: ignore[arg-type]
    cache.put(msgspec.structs.replace(answer, text="B", cached=True))
    cache.close()
    again = ResponseCache(tmp_path / "deep" / "answers.sqlite")
    assert again.get("key") == answer
    assert [again.get(key) for key in ("failed", "skipped", "refused", "")] == [None] * 4
    again.close()
    (tmp_path / "no.sqlite").write_bytes(b"not a database, but long enough to be read as one" * 40)
    with pytest.raises(DataError, match="cache"):
        ResponseCache(tmp_path / "no.sqlite")


@pytest.mark.parametrize(
    ("column", "value"), [("id", None), ("id", 5), ("parts", "{"), ("parts", "[1]"), ("parts", None), ("id", ...)]
)
def test_a_packed_run_is_checked_like_a_journal(tmp_path: Path, column: str, value: object) -> None:
    path = tmp_path / "items.parquet"
    write_parquet(path, [item(1)], Item)
    frame = polars.read_parquet(path)
    changed = frame.drop(column) if value is ... else frame.with_columns(polars.lit(value).alias(column))
    changed.write_parquet(path)
    with pytest.raises(DataError, match="can't be read"):
        list(read_parquet(path, Item))
