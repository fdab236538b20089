"""The commands and configurations with which other trainers fine-tune with the same settings."""

from __future__ import annotations

import shlex

from triptych.training.settings import LoraSettings


def swift_command(model: str, dataset: str, settings: LoraSettings | None = None, to: str = "output") -> str:
    """Return the command of ms-swift; the towers for sound and pictures stay as they are."""
    s = settings or LoraSettings()
    words = {
        "model": model,
        "dataset": dataset,
        "tuner_type": "lora",
        "lora_rank": s.rank,
        "lora_alpha": s.alpha,
        "lora_dropout": s.dropout,
        "target_modules": "all-linear",
        "freeze_llm": "false",
        "freeze_vit": "true",
        "freeze_aligner": "true",
        "torch_dtype": "bfloat16",
        "optim": "adamw_torch",
        "learning_rate": s.learning_rate,
        "warmup_ratio": s.warmup,
        "num_train_epochs": s.epochs,
        "per_device_train_batch_size": s.batch,
        "gradient_accumulation_steps": s.accumulation,
        "seed": s.seed,
        "output_dir": to,
    }
    return " ".join(["swift sft", *(f"--{name} {shlex.quote(f'{value}')}" for name, value in words.items())])


def llama_factory_config(model: str, dataset: str, settings: LoraSettings | None = None, to: str = "output") -> str:
    """Return the configuration (YAML) of LLaMA-Factory; `template` must be set to the model's."""
    s = settings or LoraSettings()
    lines = {
        "model_name_or_path": model,
        "stage": "sft",
        "do_train": "true",
        "finetuning_type": "lora",
        "lora_rank": s.rank,
        "lora_alpha": s.alpha,
        "lora_dropout": s.dropout,
        "lora_target": "all",
        "freeze_vision_tower": "true",
        "freeze_multi_modal_projector": "true",
        "dataset_dir": ".",
        "dataset": dataset,
        "media_dir": ".",
        "template": "TEMPLATE",
        "learning_rate": s.learning_rate,
        "num_train_epochs": s.epochs,
        "per_device_train_batch_size": s.batch,
        "gradient_accumulation_steps": s.accumulation,
        "lr_scheduler_type": "cosine",
        "warmup_ratio": s.warmup,
        "bf16": "true",
        "seed": s.seed,
        "output_dir": to,
    }
    return "".join(f"{name}: {value}\n" for name, value in lines.items())
