"""Tests of `training/tuning.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("peft", reason="peft is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")

import torch

from tests.training.conftest import Written
from tests.training.test_lora import QUICK, blind, collated
from triptych.errors import SpecError
from triptych.models.hf.loading import load
from triptych.models.hf.settings import SETTINGS
from triptych.training.examples import choose_examples
from triptych.training.settings import LoraSettings
from triptych.training.tuning import MERGED, tune

pytestmark = pytest.mark.slow


def test_another_training_is_not_continued(models: Path, written: Written, tmp_path: Path) -> None:
    chosen, model = blind(written(train=8)), f"hf/{models / 'text'}"
    tune(model, chosen, tmp_path / "t", LoraSettings(epochs=1))
    with pytest.raises(SpecError, match="another training"):
        tune(model, chosen, tmp_path / "t", LoraSettings(epochs=2))
    with pytest.raises(SpecError, match="only a model in this process"):
        tune("openai/gpt-4o", chosen, tmp_path / "u", QUICK)


@pytest.mark.parametrize("name", ["text", "qwen2_audio"])
def test_the_merged_model_answers_as_the_adapter_does(
    name: str, models: Path, written: Written, tmp_path: Path
) -> None:
    data = written(train=12)
    chosen = blind(data) if name == "text" else choose_examples("mcga/sqa", data=data)
    settings = LoraSettings(epochs=3, batch=4, accumulation=1, learning_rate=1e-2)
    tune(f"hf/{models / name}", chosen, tmp_path / "t", settings, merged=True)
    base, batch = collated(models, name, chosen)
    tuned, _ = load(str(models / name), {**SETTINGS, "adapter": str(tmp_path / "t" / "adapter")})
    merged, _ = load(str(tmp_path / "t" / MERGED), SETTINGS)
    del batch["labels"]
    logits = [model(**batch).logits for model in (base.model, tuned, merged)]
    assert torch.allclose(logits[1], logits[2], atol=1e-4)
    assert not torch.allclose(logits[0], logits[1], atol=1e-2)
