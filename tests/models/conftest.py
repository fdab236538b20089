"""Fixtures that several files of tests of `models` share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from triptych.media.sound.coding import encode_wav


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.wav").write_bytes(encode_wav(np.zeros(1600, np.float32), 16_000))
    (tmp_path / "b.png").write_bytes(
        bytes.fromhex(
            "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
            "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
        )
    )
    return tmp_path
