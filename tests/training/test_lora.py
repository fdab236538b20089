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
from triptych.media.payload import MediaReader
from triptych.models.hf.engine import Engine
from triptych.models.hf.loading import load
from triptych.models.hf.settings import SETTINGS
from triptych.models.packing.packing import packing
from triptych.training.collate import Collator, answer_loss
from triptych.training.examples import Chosen, Example, choose_examples
from triptych.training.lora import read_record
from triptych.training.settings import LoraSettings
from triptych.training.tuning import tune

pytestmark = pytest.mark.slow
QUICK = LoraSettings(epochs=2, batch=4, accumulation=2, learning_rate=1e-3, save_every=1, dropout=0.1)


def blind(data: Path) -> Chosen:
    return choose_examples("mcga/sqa", data=data, conditions=["blind"])


def collated(models: Path, name: str, chosen: Chosen) -> tuple[Engine, dict[str, Any]]:
    engine = Engine(*load(str(models / name), SETTINGS))
    return engine, Collator(engine, MediaReader(chosen.ready.data), packing("frames"))(chosen.examples[:3])


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
