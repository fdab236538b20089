"""`train lora` before anything is loaded: the models that it takes, missing packages, what it emits."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.training.conftest import Written
from triptych.cli.main import main
from triptych.errors import SpecError
from triptych.training import tuning
from triptych.training.examples import choose_examples
from triptych.training.settings import LoraSettings
from triptych.training.tuning import in_process, tune


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
