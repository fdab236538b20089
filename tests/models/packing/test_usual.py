"""Tests of `models/packing/usual.py`."""

from __future__ import annotations

from pathlib import Path

from triptych.models.packing.packing import packing
from triptych.models.packing.usual import usual_packing


def test_the_usual_packing_follows_the_configuration(tmp_path: Path) -> None:
    assert usual_packing("me/mine", tmp_path) == packing("frames")
    (tmp_path / "config.json").write_text('{"model_type": "qwen3_vl"}', encoding="utf-8")
    assert usual_packing("me/mine", tmp_path).text == "video=whole,sound=none,order=given"
    (tmp_path / "config.json").write_text("[1", encoding="utf-8")
    assert usual_packing("me/mine", tmp_path) == packing("frames")
