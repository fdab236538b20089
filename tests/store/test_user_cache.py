"""Tests of `store/user_cache.py`: the cache for data that can be computed or downloaded again."""

from __future__ import annotations

import pwd
from pathlib import Path
from typing import NoReturn

import pytest

from triptych.media.pictures.fonts import system_faces
from triptych.models.encoders.find import _from_hub_cache
from triptych.models.named import weights_folder
from triptych.running.leases.ray_address import has_token
from triptych.store.user_cache import TextCache, cache_root, home_folder


def test_the_cache_knows_engine_settings_and_bytes(tmp_path: Path) -> None:
    cache = TextCache(tmp_path / "texts")
    cache.put("ocr 1", {"language": "zh"}, "ab" * 32, "文\n字")
    assert cache.get("ocr 1", {"language": "zh"}, "ab" * 32) == "文\n字"
    assert cache.get("ocr 2", {"language": "zh"}, "ab" * 32) is None
    assert cache.get("ocr 1", {"language": "en"}, "ab" * 32) is None
    assert cache.get("ocr 1", {"language": "zh"}, "cd" * 32) is None
    (tmp_path / "file").write_text("in the way")
    TextCache(tmp_path / "file").put("ocr 1", {}, "ab" * 32, "text")  # an unwritable cache is no error


def test_a_user_id_without_account_and_home_has_no_cache_and_finds_no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: int) -> NoReturn:
        raise KeyError

    for name in ("HOME", "HF_HOME", "HF_HUB_CACHE", "TRIPTYCH_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert not home_folder().exists() and cache_root() == home_folder() / ".cache/triptych"
    assert weights_folder("a/b") is None and not has_token({}) and [*_from_hub_cache("a/b")] == []
    system_faces.__wrapped__()
