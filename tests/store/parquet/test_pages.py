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
from triptych.store.files.limits import MIB
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


def test_every_cut_of_a_file_is_refused_in_words(tmp_path: Path) -> None:
    path = repeated(tmp_path / "a.parquet", 3, 10)
    data = path.read_bytes()
    for end in range(0, len(data), 7):
        path.write_bytes(data[:end])
        assert refusal(path)
