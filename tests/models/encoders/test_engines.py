"""Tests of `models/encoders/engines.py`: the engine of each measure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.encoders.test_find import model
from tests.support.encoders import no_encoders
from triptych.errors import SpecError, WeightsError
from triptych.models.encoders.engines import find_engine
from triptych.models.encoders.settings import EncoderSettings


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_encoders(monkeypatch, tmp_path / "empty")


def test_a_model_without_a_layer_or_a_baseline_says_so(tmp_path: Path) -> None:
    there = str(model(tmp_path / "mine"))
    with pytest.raises(SpecError, match="defines no layer"):
        find_engine("bertscore", "en", EncoderSettings(None, {"bertscore": there}))
    with pytest.raises(WeightsError, match="no baseline is published"):
        find_engine("bertscore.rescaled", "en", EncoderSettings(None, {"bertscore": f"{there}@3"}))
    with pytest.raises(SpecError, match="last layer"):
        find_engine("cls_cosine", "", EncoderSettings(None, {"cls_cosine": f"{there}@3"}))
    with pytest.raises(SpecError, match="no encoder"):
        find_engine("bleurt", "", EncoderSettings())
