"""Tests of `store/user_cache.py`: the cache for data that can be computed or downloaded again."""

from __future__ import annotations

from pathlib import Path

from triptych.store.user_cache import TextCache


def test_the_cache_knows_engine_settings_and_bytes(tmp_path: Path) -> None:
    cache = TextCache(tmp_path / "texts")
    cache.put("ocr 1", {"language": "zh"}, "ab" * 32, "文\n字")
    assert cache.get("ocr 1", {"language": "zh"}, "ab" * 32) == "文\n字"
    assert cache.get("ocr 2", {"language": "zh"}, "ab" * 32) is None
    assert cache.get("ocr 1", {"language": "en"}, "ab" * 32) is None
    assert cache.get("ocr 1", {"language": "zh"}, "cd" * 32) is None
    (tmp_path / "file").write_text("in the way")
    TextCache(tmp_path / "file").put("ocr 1", {}, "ab" * 32, "text")  # an unwritable cache is no error
