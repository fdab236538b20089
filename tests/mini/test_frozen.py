"""The makers of the mini sets are frozen, and what they made is what ships."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.mini import __main__, frozen


def test_the_sets_are_those_of_their_manifests_and_the_makers_have_not_changed() -> None:
    assert __main__.main(["check"]) == 0
    assert frozen.is_frozen(), "tools/mini has changed: run `make mini`, then `python -m tools.mini freeze`"


def test_a_change_of_a_maker_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frozen, "HERE", tmp_path)
    monkeypatch.setattr(frozen, "FILE", tmp_path / "FROZEN")
    monkeypatch.delenv("TRIPTYCH_MINI", raising=False)
    maker = tmp_path / "sounds.py"
    maker.write_text("RATE = 1\n", encoding="utf-8")
    assert frozen.are_tried()
    frozen.freeze()
    assert not frozen.are_tried()
    (tmp_path / "README.md").write_text("notes", encoding="utf-8")
    assert not frozen.are_tried()
    maker.write_text("RATE = 2\n", encoding="utf-8")
    assert frozen.are_tried()
    frozen.freeze()
    monkeypatch.setenv("TRIPTYCH_MINI", "1")
    assert frozen.are_tried()
