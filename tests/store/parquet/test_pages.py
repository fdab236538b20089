"""Packed Runs that are small on disk: what they would take is found in their headers, before anything is decoded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triptych.errors import DataError
from triptych.records import Response
from triptych.store.files.limits import MAX_KEPT, MIB, most_kept
from triptych.store.parquet import records as parquet
from triptych.store.parquet.pages import sizes
from triptych.store.parquet.records import read_parquet, write_parquet


def packed(path: Path, **columns: polars.Series | polars.Expr | list[object]) -> Path:
    polars.select(**columns).write_parquet(path, compression="zstd")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        list(read_parquet(path, Response))
    return str(caught.value)


def repeated(path: Path, rows: int, length: int) -> Path:
    """A file of rows that all have the same long text, which stands in it once."""
    write_parquet(path, [Response("i", "straight", 0, "answered", "x" * length)], Response)
    polars.read_parquet(path).sample(rows, with_replacement=True).write_parquet(path, compression="zstd")
    return path


READ = """
import sys
from pathlib import Path
import polars, triptych.errors
from triptych.records import Response
from triptych.store.parquet.records import read_parquet
try:
    for record in read_parquet(Path(sys.argv[1]), Response):
        pass
    print("read")
except triptych.errors.DataError as error:
    print(error)
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux states a process's peak memory in /proc")
def test_a_kilobyte_that_stands_for_gigabytes_takes_little_memory(tmp_path: Path) -> None:
    """4,300 times a megabyte: 32 bits wrap to 5 MB, and the whole file decoded takes 4.3 GB."""
    path = repeated(tmp_path / "r.parquet", 4300, 1_000_000)
    assert path.stat().st_size < 10_000
    done = subprocess.run([sys.executable, "-I", "-c", READ, str(path)], capture_output=True, text=True, check=True)
    *said, peak = done.stdout.splitlines()
    assert "a packed Run is too large" in " ".join(said)
    assert int(peak) * 1024 < 1700 * MIB


def test_slices_give_the_same_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [Response(f"i{n}", "straight", n % 3, "answered", f"{n % 7}" * 1000) for n in range(500)]
    write_parquet(tmp_path / "r.parquet", records, Response)
    monkeypatch.setattr(parquet, "_AT_ONCE", 300_000)
    assert len(list(parquet._slices(tmp_path / "r.parquet", 300_000))) > 5
    assert list(read_parquet(tmp_path / "r.parquet", Response)) == records


@given(
    st.integers(0, 400), st.integers(1, 50), st.sampled_from([None, 3, 64]), st.sampled_from(["zstd", "uncompressed"])
)
@settings(max_examples=30, deadline=None)
def test_headers_bound_what_is_decoded(
    tmp_path_factory: pytest.TempPathFactory, rows: int, distinct: int, group: int | None, compression: str
) -> None:
    frame = polars.DataFrame(
        {
            "text": [f"{n % distinct}" * (n % 90) if n % 5 else None for n in range(rows)],
            "n": list(range(rows)),
            "yes": [n % 2 == 0 for n in range(rows)],
            "x": [n / 7 for n in range(rows)],
        },
        schema={"text": polars.String, "n": polars.Int64, "yes": polars.Boolean, "x": polars.Float64},
    )
    path = tmp_path_factory.mktemp("p") / "a.parquet"
    frame.write_parquet(path, compression=compression, row_group_size=group)
    found = sizes(path)
    assert found.rows == rows
    assert found.pages + rows * found.repeated >= frame.estimated_size()


def test_what_packing_never_writes_is_refused(tmp_path: Path) -> None:
    nested = packed(tmp_path / "nested.parquet", item=polars.Series([["a", "b"]]))
    assert "nested" in refusal(nested)
    polars.DataFrame({"item": ["a"]}).write_parquet(tmp_path / "gz.parquet", compression="gzip")
    assert "compression method 2" in refusal(tmp_path / "gz.parquet")
    (tmp_path / "empty.parquet").write_bytes(b"")
    assert "empty" in refusal(tmp_path / "empty.parquet")


@pytest.mark.parametrize("changed", [b"\x15\xfe\xff\xff\xff\x0f", b"\x15\xff\xff\xff\xff\x0f"])
def test_a_page_that_promises_gigabytes_is_refused(tmp_path: Path, changed: bytes) -> None:
    """The unpacked size of the first page, the second field of its header, is made 2 GiB, or negative."""
    path = packed(tmp_path / "a.parquet", item=polars.Series([f"{n}" for n in range(3000)]))
    data = path.read_bytes()
    at = data.index(b"\x15", 6)  # the header of the first page: 15 kind, 15 unpacked size, 15 packed size
    end = at + 1
    while data[end] & 128:
        end += 1
    path.write_bytes(data[:at] + changed + data[end + 1 :])
    with pytest.raises(DataError, match=r"too large|damaged headers"):
        sizes(path)


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
    assert [most_kept(size) for size in (1000, 10**6, 10**8)] == [128 * MIB, 10**9, MAX_KEPT]


def test_every_cut_of_a_file_is_refused_in_words(tmp_path: Path) -> None:
    path = repeated(tmp_path / "a.parquet", 3, 10)
    data = path.read_bytes()
    for end in range(0, len(data), 7):
        path.write_bytes(data[:end])
        assert refusal(path)
