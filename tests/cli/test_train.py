"""Tests of `triptych train`: what is refused before the data are read, the emitted training, and the export."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.cli.main import main
from triptych.training.tuning import in_process


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
