"""What is sent: our prompts, the authors' own, the audio limit by model; and what the manifest says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triptych.errors import SpecError
from triptych.experiment.planning import plan


def sent(task: str, **how: Any) -> tuple[list[str], str]:
    """The texts (and paths) of the first Request of a task, the system's first; and what the manifest says."""
    ready = plan(f"mcga/{task}", "baseline/reference", **how)
    request = next(iter(ready.requests()))
    return [p.text or p.path for m in request.messages for p in m.parts], ready.manifest.prompt


@pytest.mark.parametrize(
    ("model", "settings", "seconds"),
    [
        ("openai/stepfun-ai/Step-Audio-2-mini", {}, 29.9),
        ("openai/Qwen3-Omni", {}, 30.0),
        ("openai/Qwen3-Omni", {"audio_seconds": "20"}, 20.0),
        ("openai/Qwen3-Omni", {"audio_seconds": "0"}, 0.0),
    ],
)
def test_the_audio_limit_by_model_and_as_told(model: str, settings: dict[str, str], seconds: float) -> None:
    ready = plan("mcga/asr", model, base_url="http://127.0.0.1:9/v1", settings=settings)
    assert ready.manifest.audio_seconds == seconds
    part = next(iter(ready.requests())).media_parts[0]
    assert part.transform == (f"cut:seconds={seconds:g}" if seconds else "")
    assert "audio_seconds" not in ready.manifest.decoding
    assert plan("cmdar", "baseline/first").manifest.audio_seconds == 0
    with pytest.raises(SpecError):
        plan("mcga/asr", model, base_url="http://127.0.0.1:9/v1", settings={"audio_seconds": "long"})


def test_of_several_splits_the_papers_is_asked(tmp_path: Path) -> None:
    """The corpus is released with train and val, too; the paper evaluates test."""
    rows = [
        {"audio": f"{name}.wav", "asr": "关关雎鸠", "split": split} for name, split in (("a", "train"), ("b", "test"))
    ]
    for row in rows:
        (tmp_path / f"MCGA_asr_{row['split']}.jsonl").write_text(json.dumps(row))
        (tmp_path / row["audio"]).write_bytes(b"x")

    def asked(**how: Any) -> list[str]:
        ready = plan("mcga/asr", "baseline/reference", data=str(tmp_path), **how)
        return [item.id for item in ready.items()]

    assert asked() == ["mcga/asr/b"]
    assert asked(filters={"split": ["train", "test"]}) == ["mcga/asr/b", "mcga/asr/a"]
    (tmp_path / "MCGA_asr_test.jsonl").unlink()
    assert asked() == ["mcga/asr/a"], "a folder with one split is asked as it is"
