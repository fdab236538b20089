"""Tests of `training/commands.py`."""

from __future__ import annotations

from triptych.training.commands import swift_command


def test_ms_swift_gets_the_papers_settings() -> None:
    command = swift_command("Qwen/Qwen2.5-Omni-7B", "train.jsonl")
    for words in (
        "--tuner_type lora",
        "--lora_rank 8",
        "--lora_alpha 32",
        "--learning_rate 0.0001",
        "--num_train_epochs 3",
        "--per_device_train_batch_size 8",
        "--gradient_accumulation_steps 4",
        "--freeze_vit true",
    ):
        assert words in command
