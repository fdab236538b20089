"""Tests of `training/tuning.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("peft", reason="peft is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")

import pytest
import torch

from tests.training.conftest import Written
from tests.training.test_lora import QUICK, blind, collated
from triptych.cli.main import main
from triptych.errors import SpecError
from triptych.models.hf.loading import load
from triptych.models.hf.settings import SETTINGS
from triptych.training import tuning
from triptych.training.examples import choose_examples
from triptych.training.settings import LoraSettings
from triptych.training.tuning import MERGED, in_process, tune

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


def lora(*words: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["train", "lora", "mcga/sqa", *map(str, words)])
    return int(ended.value.code or 0)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("openai/x", "only a model in this process"),
        ("gpt-4o-audio", "can't be fine-tuned here"),
        ("qwen2-audio-7b+llama-3-8b", "can't be fine-tuned here"),
    ],
)
def test_other_models_are_refused_before_the_data_are_read(
    model: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lora("--data", tmp_path / "nowhere", "--model", model, "--to", tmp_path / "to") == 2
    said = " ".join(capsys.readouterr().err.split())
    assert says in said and "triptych train export" in said and not (tmp_path / "to").exists()


@pytest.mark.parametrize("missing", tuning.NEEDED)
def test_a_missing_package_names_the_extra_that_has_all(
    missing: str, written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in tuning.NEEDED:
        monkeypatch.setitem(sys.modules, name, None if name == missing else sys)
    with pytest.raises(SpecError, match=r"pip install 'triptych\[train\]'") as error:
        tune("hf/a/b", choose_examples("mcga/sqa", data=written()), tmp_path / "to", LoraSettings())
    assert f"fine-tuning needs the package {missing}" in str(error.value) and not (tmp_path / "to").exists()


@pytest.mark.parametrize("trainer", ["ms-swift", "llama-factory"])
def test_the_emitted_training_names_the_weights_of_a_catalogue_name(
    trainer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    what = ("--data", tmp_path, "--to", tmp_path / "to", "--emit", trainer)
    assert lora("--model", "qwen2.5-omni-7b", *what) == 0
    assert "Qwen/Qwen2.5-Omni-7B" in capsys.readouterr().out
    assert in_process("qwen2.5-omni-7b") == "hf/Qwen/Qwen2.5-Omni-7B"


def test_an_unknown_trainer_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lora("--data", tmp_path, "--model", "hf/a/b", "--to", tmp_path / "to", "--emit", "trl") == 2
    assert "ms-swift or llama-factory" in capsys.readouterr().err
