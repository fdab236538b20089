"""Tests of `models/http/faults.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.test_loras import LikeVllm, asked
from triptych.models.http.faults import fault
from triptych.models.registry import load_adapter


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_a_server_without_the_adapter_is_no_answer_and_the_fix_is_stated(folder: Path) -> None:
    assert asked(LikeVllm(), folder, "phi-4-multimodal") == []
    adapter = load_adapter("phi-4-multimodal", {"base_url": "http://127.0.0.1:9/v1"})
    told = adapter._explained_error(fault(404, "The model `speech` does not exist."))  # type: ignore[attr-defined]
    assert "triptych serve" in str(told) and "-M loras=none" in str(told)
