"""Tests of `models/worker/runners`: ng."""

from __future__ import annotations

import importlib.util
from types import ModuleType
from typing import Any

from triptych.models.worker.environments import RUNNERS

SOUND: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "audio", "path": "a.wav"}, {"type": "text", "text": "Who? <|AUDIO|>"}]}
]
GREEDY = {"max_tokens": 7, "temperature": 0}
SAMPLED = {"max_tokens": 7, "temperature": 0.5, "top_p": 0.9}


def runner(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"runner_{name}", RUNNERS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
