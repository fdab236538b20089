"""A benchmark's folder with training and test splits: a colour is named, and the letter that belongs to it is asked."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import tiny_models
from triptych.media.sound.coding import encode_wav

LETTERS = {"红": "甲", "黄": "乙", "蓝": "丙", "绿": "丁"}
Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Write a folder of questions; `leak` clips have the same bytes in both splits."""

    def write(train: int = 24, test: int = 8, leak: int = 0, name: str = "data") -> Path:
        folder = tmp_path / name
        (folder / "audio").mkdir(parents=True)
        for split, count in (("train", train), ("test", test)):
            lines = [_row(folder, split, n, leaks=n < leak) for n in range(count)]
            (folder / f"MCGA_sqa_{split}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return folder

    return write


def _row(folder: Path, split: str, number: int, *, leaks: bool) -> str:
    draw = random.Random(f"{split}/{number}")
    name = f"{split}-{number}"
    path = folder / "audio" / f"{name}.wav"
    if not path.exists():
        import numpy as np

        seed = number if leaks else number + {"train": 1_000, "test": 2_000}[split]
        path.write_bytes(encode_wav(np.random.default_rng(seed).normal(0, 0.1, (4_000, 1)), 16_000))
    colour = draw.choice(list(LETTERS))
    filler = "".join(draw.choices("天地玄黄宇宙洪荒日月盈昃", k=4))
    row = {
        "id": name,
        "audio": f"audio/{name}.wav",
        "split": split,
        "genre": "诗",
        "dynasty": "唐",
        "asr": f"{filler}{number}",
        "sqa": f"{filler}{split}{number}{colour}",
        "sqa_a": LETTERS[colour],
    }
    return json.dumps(row, ensure_ascii=False)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models")
    for name in ("text", "qwen2_audio"):
        tiny_models.save(name, place / name)
    return place
