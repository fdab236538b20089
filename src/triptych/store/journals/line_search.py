"""One line of a large file of JSON lines, found by its first bytes without decoding the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from triptych.errors import DataError
from triptych.store.files.run_files import MAX_FILE_BYTES, open_to_read

_PIECE = 1 << 22


def lines_beginning_with(path: Path, beginning: bytes, longest: int = MAX_FILE_BYTES) -> Iterator[bytes]:
    """Yield the lines that begin with these bytes, without their ends, in order; nothing if there is no file.

    Raises DataError for a line of more than `longest` bytes, and OSError for a
    file that can't be read.
    """
    try:
        with open_to_read(path) as file:
            for at in _offsets(path, b"\n" + beginning):
                file.seek(at)
                line = file.readline(longest + 1).rstrip(b"\n")
                if len(line) > longest:
                    raise DataError("a line is too long", where=path, expected=f"at most {longest:,} bytes")
                yield line
    except FileNotFoundError:
        return


def _offsets(path: Path, wanted: bytes) -> Iterator[int]:
    """Where the lines begin; the first line counts as preceded by a line end, which `wanted` begins with."""
    tail, base = b"\n", -1
    with open_to_read(path) as file:
        while piece := file.read(_PIECE):
            block = tail + piece
            at = block.find(wanted)
            while at >= 0:
                yield base + at + 1
                at = block.find(wanted, at + 1)
            tail = block[len(block) - len(wanted) + 1 :] if len(block) >= len(wanted) else block
            base += len(block) - len(tail)
