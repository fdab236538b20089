"""Tests of `store/response_cache.py`: the response cache that Runs share."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from triptych.errors import DataError
from triptych.records import Response
from triptych.store.response_cache import ResponseCache


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
