"""LoRA on tiny models: what is trained, that it can be resumed and merged, and that it gains on a task."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("peft", reason="peft is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")

import torch

from tests.support import tiny_models
from tests.training.conftest import LETTERS, Written
from triptych.cli.main import main
from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.models.hf.engine import Engine
from triptych.models.hf.loading import load
from triptych.models.hf.settings import SETTINGS
from triptych.models.packing.packing import packing
from triptych.training.collate import IGNORED, Collator, answer_loss
from triptych.training.examples import Chosen, Example, choose_examples
from triptych.training.lora import read_record
from triptych.training.settings import LoraSettings
from triptych.training.targets import language_layers
from triptych.training.tuning import MERGED, tune

pytestmark = pytest.mark.slow
QUICK = LoraSettings(epochs=2, batch=4, accumulation=2, learning_rate=1e-3, save_every=1, dropout=0.1)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models")
    for name in ("text", "qwen2_audio"):
        tiny_models.save(name, place / name)
    return place


def blind(data: Path) -> Chosen:
    return choose_examples("mcga/sqa", data=data, conditions=["blind"])


def collated(models: Path, name: str, chosen: Chosen) -> tuple[Engine, dict[str, Any]]:
    engine = Engine(*load(str(models / name), SETTINGS))
    return engine, Collator(engine, MediaReader(chosen.ready.data), packing("frames"))(chosen.examples[:3])


@pytest.mark.parametrize("name", ["text", "qwen2_audio"])
def test_the_loss_is_of_the_answers_alone(name: str, models: Path, written: Written) -> None:
    data = written()
    chosen = blind(data) if name == "text" else choose_examples("mcga/sqa", data=data)
    engine, batch = collated(models, name, chosen)
    for row, example in zip(batch["labels"], chosen.examples, strict=False):
        told = row[row != IGNORED].tolist()
        assert engine.tokenizer.decode(told) == example.answer + "<|im_end|>"
    logits = engine.model(**{key: value for key, value in batch.items() if key != "labels"}).logits
    by_hand = torch.nn.functional.cross_entropy(
        logits[:, :-1].flatten(0, 1), batch["labels"][:, 1:].flatten(), ignore_index=IGNORED
    )
    assert answer_loss(engine.model, batch).item() == pytest.approx(by_hand.item(), abs=1e-5)
    if name == "text":
        assert engine.model(**batch).loss.item() == pytest.approx(by_hand.item(), abs=1e-5)


def test_only_the_language_model_is_changed(models: Path) -> None:
    model, _ = load(str(models / "qwen2_audio"), SETTINGS)
    layers = language_layers(model)
    assert len(layers) == 2 * 7  # q, k, v, o, gate, up, down of two layers
    assert not any("audio" in name or "projector" in name or "lm_head" in name for name in layers)
    text, _ = load(str(models / "text"), SETTINGS)
    assert len(language_layers(text)) == 2 * 7


def test_a_training_that_was_interrupted_gives_the_same_adapter(
    models: Path, written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, model = blind(written(train=20)), f"hf/{models / 'text'}"
    whole = tune(model, chosen, tmp_path / "whole", QUICK)

    def stop(step: int, steps: int, loss: float) -> None:
        if step == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(model, chosen, tmp_path / "parts", QUICK, say=stop)
    partial = read_record(tmp_path / "parts")
    assert partial is not None and not partial.done and len(partial.losses) == 3
    seen: list[int] = []
    parts = tune(model, chosen, tmp_path / "parts", QUICK, say=lambda step, steps, loss: seen.append(step))
    assert seen == [4, 5, 6] and parts.losses == pytest.approx(whole.losses, abs=1e-6)
    one, other = (weights(tmp_path / name / "adapter") for name in ("whole", "parts"))
    assert one.keys() == other.keys() and all(torch.allclose(one[key], other[key], atol=1e-7) for key in one)
    assert not (tmp_path / "parts" / "checkpoint").exists()
    assert tune(model, chosen, tmp_path / "parts", QUICK, say=stop) == parts, "a finished training is not repeated"


def weights(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return dict(load_file(folder / "adapter_model.safetensors"))


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


def test_two_processes_train_the_adapter_of_one_that_accumulates(
    models: Path, written: Written, tmp_path: Path
) -> None:
    """Two processes with a batch each, or one with two batches a step, see the same examples in each step."""
    data, model = written(train=24), f"hf/{models / 'text'}"
    how = LoraSettings(epochs=1, batch=4, accumulation=2, learning_rate=1e-2, device="cpu")
    one = tune(model, blind(data), tmp_path / "one", how)
    launch = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--nproc_per_node",
        "2",
        "--rdzv_backend",
        "c10d",
        "--rdzv_endpoint",
        "127.0.0.1:0",
        "-m",
        "triptych",
    ]
    where = ["--data", str(data), "--model", model, "--to", str(tmp_path / "two"), "--condition", "blind"]
    settings = ["--epochs", "1", "--batch", "4", "--accumulation", "1", "--learning-rate", "1e-2", "--device", "cpu"]
    done = subprocess.run(
        [*launch, "train", "lora", "mcga/sqa", *where, *settings, "--no-evaluation"],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    two = read_record(tmp_path / "two")
    assert two is not None and len(two.losses) == len(one.losses) == 3
    alone, together = (weights(tmp_path / name / "adapter") for name in ("one", "two"))
    assert all(torch.allclose(alone[key], together[key], atol=1e-4) for key in alone)


def learn(folder: Path, chosen: Sequence[Example], steps: int) -> None:
    """Train all weights of a tiny model, so that it knows the form of questions and answers."""
    model, processor = load(str(folder), SETTINGS)
    collate = Collator(Engine(model, processor), MediaReader(None), packing("frames"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    draw = random.Random(0)
    model.train()
    for _ in range(steps):
        loss = answer_loss(model, collate(draw.choices(chosen, k=16)))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.eval().save_pretrained(folder)


def test_an_adapter_gains_beyond_the_interval(
    written: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base learns questions of this form with the letters in another order; the adapter learns the right order."""
    order = list(LETTERS.values())
    wrong = dict(zip(LETTERS, [*order[1:], order[0]], strict=True))
    monkeypatch.setattr("tests.training.conftest.LETTERS", wrong)
    other = blind(written(train=200, test=1, name="other")).examples
    monkeypatch.setattr("tests.training.conftest.LETTERS", LETTERS)
    data = written(train=200, test=60)
    folder = tiny_models.save("text", tmp_path / "tiny")
    learn(folder, other, 150)
    to = tmp_path / "tuned"
    where = ["--data", str(data), "--model", f"hf/{folder}", "--to", str(to), "--condition", "blind"]
    how = ["--epochs", "6", "--batch", "8", "--accumulation", "2", "--learning-rate", "5e-3"]
    with pytest.raises(SystemExit) as ended:
        main(["train", "lora", "mcga/sqa", *where, *how, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert ended.value.code in (0, None)
    assert found["training"]["losses"][-1] < found["training"]["losses"][0] / 2
    right = {Path(place).name: answered_right(Path(place)) for place in found["runs"]}
    assert right["before"] < 30 and right["after"] > 54, right
    estimates = found["comparison"]["section"]["estimates"]
    low, high = next(one["interval"] for one in estimates if one["measure"] == "difference" and one.get("interval"))
    assert low * high > 0, "the interval of the difference excludes 0"


def answered_right(run: Path) -> int:
    """How many of the test questions have the right letter."""
    wanted = {line["id"]: line["target"] for line in lines(run / "items.jsonl")}
    return sum(wanted[line["item"]] == line["text"] for line in lines(run / "responses.jsonl"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
