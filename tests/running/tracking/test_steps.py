"""Tests of `running/tracking/steps.py`: training steps in names of checkpoints."""

from __future__ import annotations

import pytest

from tests.support.runs import manifest
from triptych.running.tracking.steps import step_in, step_texts, without_step


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("hf/out/checkpoint-1500", ("step", 1500)),  # transformers' Trainer
        ("EleutherAI/pythia-1b@step143000", ("step", 143_000)),
        ("allenai/OLMo-7B step1000-tokens4B", ("step", 1000)),
        ("runs/global_step500/hf", ("step", 500)),  # DeepSpeed
        ("mine-ckpt-2k", ("step", 2000)),
        ("mine_iter_0005000", ("step", 5000)),  # Megatron
        ("mine epoch=2.5", ("epoch", 2.5)),
        ("mine-1.5m-step3M", ("step", 3_000_000)),
        ("openai/gpt-4o-2024-08-06", None),
        ("misstep2", None),
        ("qwen2.5-7b", None),
        ("", None),
    ],
)
def test_names_of_checkpoints(name: str, step: tuple[str, float] | None) -> None:
    assert step_in([name]) == step


def test_the_first_text_with_a_step_counts_and_the_rest_of_a_name_stays() -> None:
    assert step_in(["mine", "step 5", "epoch 2"]) == ("step", 5)
    assert {without_step(f"openai/mine-{name}") for name in ("step500", "checkpoint-1500", "epoch_3")} == {
        "openai/mine"
    }


@pytest.mark.parametrize("model", ["stepfun/step-2-16k", "step3", "stepfun-ai/step-1o-audio", "hf/step3v"])
def test_models_of_the_family_step_and_numbers_of_diffusion_steps_are_no_checkpoints(model: str) -> None:
    run = manifest(model=model, revision="", name="", model_settings={"num_steps": 30, "inference_steps": 50})
    assert step_in(step_texts(run)) is None
    assert step_in(step_texts(manifest(model=model, revision="step40"))) == ("step", 40)
