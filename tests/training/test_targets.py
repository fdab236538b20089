"""Tests of `training/targets.py`: the layers that an adapter changes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("peft", reason="peft is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")

from triptych.models.hf.loading import load
from triptych.models.hf.settings import SETTINGS
from triptych.training.targets import language_layers

pytestmark = pytest.mark.slow


def test_only_the_language_model_is_changed(models: Path) -> None:
    model, _ = load(str(models / "qwen2_audio"), SETTINGS)
    layers = language_layers(model)
    assert len(layers) == 2 * 7  # q, k, v, o, gate, up, down of two layers
    assert not any("audio" in name or "projector" in name or "lm_head" in name for name in layers)
    text, _ = load(str(models / "text"), SETTINGS)
    assert len(language_layers(text)) == 2 * 7
