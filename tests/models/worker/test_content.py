"""Tests of `models/worker/content.py`: A Request for a worker."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tests.models.worker.test_worker import adapter, asked, request
from tests.support.waiting import until
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import encode_wav
from triptych.models.packing.packing import packing
from triptych.models.worker.content import converse
from triptych.records import media, text

pytestmark = [
    pytest.mark.usefixtures("trusted"),
    pytest.mark.skipif(os.name == "nt", reason="worker processes need POSIX"),
]


def test_media_arrive_as_files_that_are_removed_afterwards(tmp_path: Path) -> None:
    from PIL import Image

    (tmp_path / "a.wav").write_bytes(encode_wav(np.zeros((8_000, 1)), 8_000))
    Image.new("RGB", (8, 8)).save(tmp_path / "b.png")
    asks = request("x", media("audio", "a.wav"), media("image", "b.png"), text("?"))
    assert asked(adapter(tmp_path), [asks], tmp_path)["x"].text == "?|2|6"
    made = converse(asks, MediaReader(tmp_path), packing("fps=1,frames=2"))
    files = [Path(block["path"]) for block in made.messages[0]["content"] if "path" in block]
    assert all(file.is_file() for file in files) and [one.encoded for one in made.encoded] == [1.0]
    del made
    until(lambda: not any(file.exists() for file in files), "the removal of the files")
    from triptych.errors import MediaError

    with pytest.raises(MediaError):
        converse(request("y", media("audio", "gone.wav")), MediaReader(tmp_path), packing("frames"))


def test_runners_get_what_the_packing_says(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="av is not installed")
    from tests.support.known_films import known_film

    (tmp_path / "a.mp4").write_bytes(known_film(60, 10, sound=6.0))
    asks = request("x", media("video", "a.mp4"), text("?"))
    made = converse(asks, MediaReader(tmp_path), packing("frames=3,spread=ends,size=32x24,sound=apart_first"))
    sound, film, words = made.messages[0]["content"]
    assert (sound["type"], film["type"], words["type"]) == ("audio", "video", "text")
    assert film["times"] == [0.0, 3.0, 5.9] and film["fps"] == pytest.approx(0.5) and len(film["paths"]) == 3
    assert [(one.kind, one.form) for one in made.sent] == [("audio", "converted"), ("video", "frames")]
    made = converse(asks, MediaReader(tmp_path), packing("fps=1,sound=interleaved"))
    assert [block["type"] for block in made.messages[0]["content"]] == ["image", "audio"] * 6 + ["text"]
