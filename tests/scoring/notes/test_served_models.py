"""Tests of `scoring/notes/served_models.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.scoring.notes.served_models import asked_model, other_model_counts


@pytest.fixture(autouse=True)
def no_weights_and_no_endpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def test_only_endpoints_are_held_to_a_name() -> None:
    assert asked_model("openai/Qwen/Qwen2.5-Omni-7B") == "Qwen/Qwen2.5-Omni-7B"
    assert asked_model("baseline/random") == "" and not other_model_counts("replay/x", [])
