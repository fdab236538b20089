"""Tests of `scoring/comparing.py`: apply encoders to Units."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.mcif.test_protocols import MCIF, unit
from tests.support.encoders import no_encoders
from triptych.scoring.comparing import attach_similarities, compare_texts


def test_what_is_missing_is_told_with_what_to_get(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_encoders(monkeypatch, tmp_path)
    asked = [unit("QA", "x", "y", language="zh"), unit("TRANS", "x", "y", language="de", source="z")]
    answer, talk = attach_similarities(asked, compare_texts([asked], MCIF.protocols)[0])
    assert "bert-base-chinese is not on this computer" in MCIF.protocol("official").score(answer)[0].note
    assert "hf download Unbabel/wmt22-comet-da" in MCIF.protocol("official").score(talk)[0].note
