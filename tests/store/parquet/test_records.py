"""Tests of `store/parquet/records.py`: records as a Parquet table and back, without loss."""

from __future__ import annotations

from pathlib import Path

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.parquet.test_pages import refusal, repeated
from tests.support.runs import MANIFEST, item
from triptych.errors import DataError
from triptych.records import Item, Response, RunManifest
from triptych.store.files.limits import MAX_KEPT, MIB, memory_limit
from triptych.store.folder import RunFolder
from triptych.store.parquet import records as parquet
from triptych.store.parquet.records import read_parquet, write_parquet


def test_slices_give_the_same_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [Response(f"i{n}", "straight", n % 3, "answered", f"{n % 7}" * 1000) for n in range(500)]
    write_parquet(tmp_path / "r.parquet", records, Response)
    monkeypatch.setattr(parquet, "_AT_ONCE", 300_000)
    assert len(list(parquet._slices(tmp_path / "r.parquet", 300_000))) > 5
    assert list(read_parquet(tmp_path / "r.parquet", Response)) == records


def test_brackets_cost_memory_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list takes 64 bytes, and two in the file."""
    path = tmp_path / "a.parquet"
    write_parquet(path, [Response("i", "c", 0, "answered", "[]" * 10_000)], Response)
    monkeypatch.setattr(parquet, "MAX_KEPT", 500_000)
    assert "too large" in refusal(path)


def test_limits_hold_over_all_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = repeated(tmp_path / "a.parquet", 100, 1000)
    monkeypatch.setattr(parquet, "_AT_ONCE", 10_000)
    monkeypatch.setattr(parquet, "MAX_KEPT", 90_000)
    assert "too large" in refusal(path)


def test_a_small_file_may_take_128_mib_and_a_larger_one_a_thousand_times_its_size(tmp_path: Path) -> None:
    """One limit of 2 GiB for all let a file of 5 KB take 2.2 GB before it was refused."""
    path = repeated(tmp_path / "a.parquet", 160, 1_000_000)
    assert path.stat().st_size < 20_000
    assert "at most 134,217,728 bytes unpacked" in refusal(path)
    whole = repeated(tmp_path / "b.parquet", 100, 1_000_000)
    assert len(list(read_parquet(whole, Response))) == 100
    assert [memory_limit(size) for size in (1000, 10**6, 10**8)] == [128 * MIB, 10**9, MAX_KEPT]


def fill(path: Path, numbers: range | list[int], made: RunManifest = MANIFEST) -> RunFolder:
    folder = RunFolder.create(path, made)
    with folder.writer() as writer:
        for number in numbers:
            writer.add_item(item(number))
            writer.add_response(Response(f"{number:05}", "", 0, "failed"))
            writer.add_response(Response(f"{number:05}", "", 0, "answered", "A"))
    return folder


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


def test_a_packed_run_of_repeated_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "responses.parquet"
    replies = [Response(f"i{n}", "", 0, "answered", "x" * 1000) for n in range(100)]
    write_parquet(path, replies, Response)
    assert list(read_parquet(path, Response)) == replies
    monkeypatch.setattr("triptych.store.parquet.records.MAX_KEPT", 10_000)
    with pytest.raises(DataError, match="10,000 bytes unpacked"):
        list(read_parquet(path, Response))
    polars.select(polars.repeat("x", 6_000_000).alias("item")).write_parquet(path)
    assert path.stat().st_size < MIB
    with pytest.raises(DataError, match="5,000,000 rows"):
        list(read_parquet(path, Response))
