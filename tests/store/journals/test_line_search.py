"""Lines found by their first bytes: against a plain reading, at the borders of pieces, hostile lengths."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import DataError
from triptych.store.journals import line_search
from triptych.store.journals.line_search import lines_beginning_with


@given(st.lists(st.text("ab", max_size=6), max_size=12), st.text("ab", min_size=1, max_size=3), st.integers(1, 7))
def test_it_finds_what_a_plain_reading_finds(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], beginning: str, piece: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "lines"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_search, "_PIECE", piece)
        found = list(lines_beginning_with(path, beginning.encode()))
    assert found == [line.encode() for line in lines if line.startswith(beginning)]


def test_no_file_and_long_lines(tmp_path: Path) -> None:
    assert list(lines_beginning_with(tmp_path / "none", b"a")) == []
    (tmp_path / "long").write_bytes(b"a" * 100 + b"\nb\n")
    assert list(lines_beginning_with(tmp_path / "long", b"b", 10)) == [b"b"]
    with pytest.raises(DataError, match="too long"):
        list(lines_beginning_with(tmp_path / "long", b"a", 10))
