"""Tests of `benchmarks/mcs_bench/simplified.py`."""

from __future__ import annotations

import pytest

from triptych.benchmarks.mcs_bench import simplified


def test_without_jieba_only_translations_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplified, "find_spec", lambda name: None if name == "jieba" else object())
    assert simplified.missing_packages("translation")
    assert not simplified.missing_packages("OCR")
