"""Tests of `models/encoders/settings.py`: which encoders to use, and where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.encoders import no_encoders
from triptych.errors import SpecError
from triptych.models.encoders.settings import EncoderSettings, read_models


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_encoders(monkeypatch, tmp_path / "empty")


def test_other_models_are_chosen_by_measure_and_language(tmp_path: Path) -> None:
    asked = read_models(["bertscore.zh=some/model@4", "bertscore=./here", "cls_cosine=C:/x"])
    settings = EncoderSettings(tmp_path, asked)
    assert settings.model("bertscore", "zh", "usual") == ("some/model", 4)
    assert settings.model("bertscore", "en", "usual") == ("./here", None)
    assert settings.model("comet", "", "usual") == ("usual", None)
    for wrong in ("bertscore", "bertscore=", "bleurt=x"):
        with pytest.raises(SpecError):
            read_models([wrong])


def test_two_encoders_for_one_measure_are_refused() -> None:
    with pytest.raises(SpecError, match="two encoders are given for bertscore"):
        read_models(["bertscore=a", "bertscore=b"])
