"""Tests of `models/local/speakers.py`: who speaks when in one recording."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.construction.stages.test_speakers import RATE
from triptych.errors import WeightsError
from triptych.models.local.speakers import by_pyannote, folder_hash


def test_a_pipeline_of_pyannote_is_asked_as_its_documentation_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in with the interface of pyannote.audio 4: the package and its gated weights aren't installed here."""
    (tmp_path / "config.yaml").write_text("pipeline:")
    tracks = [(SimpleNamespace(start=3.0, end=5.0), "_", "B"), (SimpleNamespace(start=0.0, end=2.5), "_", "A")]
    annotation = SimpleNamespace(labels=lambda: ["A", "B"], itertracks=lambda yield_label: tracks)
    output = SimpleNamespace(
        speaker_diarization=annotation, exclusive_speaker_diarization=annotation, speaker_embeddings=np.eye(2)
    )
    asked: list[Any] = []
    audio = ModuleType("pyannote.audio")
    audio.Pipeline = SimpleNamespace(from_pretrained=lambda path: lambda file: asked.append((path, file)) or output)  # type: ignore[attr-defined]
    audio.__spec__ = package_spec = SimpleNamespace()  # type: ignore[assignment]
    package = ModuleType("pyannote")
    package.__spec__ = package_spec  # type: ignore[assignment]
    torch = ModuleType("torch")
    torch.from_numpy = lambda array: array  # type: ignore[attr-defined]
    for name, module in (("pyannote", package), ("pyannote.audio", audio), ("torch", torch)):
        monkeypatch.setitem(sys.modules, name, module)
    found = by_pyannote(tmp_path, folder_hash(tmp_path), np.zeros(RATE, dtype=np.float32))
    assert found.turns == ((0.0, 2.5, 0), (3.0, 5.0, 1)) and found.vectors.shape == (2, 2)
    path, file = asked[0]
    assert path == tmp_path and file["sample_rate"] == RATE and file["waveform"].shape == (1, RATE)
    with pytest.raises(WeightsError, match="another content"):
        by_pyannote(tmp_path, "0" * 64, np.zeros(RATE))
