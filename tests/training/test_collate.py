"""Tests of `training/collate.py`: batches to train on."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("peft", reason="peft is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")

import torch

from tests.training.conftest import Written
from tests.training.test_lora import blind, collated
from triptych.training.collate import IGNORED, answer_loss
from triptych.training.examples import choose_examples

pytestmark = pytest.mark.slow


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
