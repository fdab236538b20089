"""Tests of `construction/stages/material.py`: material of data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.construction.single_stage import decide
from tests.construction.stages.test_scenes import RATE, noise
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stages.material import scene_events, take_media
from triptych.errors import MediaError
from triptych.media.sound.coding import encode_wav

pytest.importorskip("h5py", reason="h5py comes with the extra [build]")
pytest.importorskip("av", reason="PyAV comes with the extra [local]")


def test_material_is_taken_into_the_store(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw/a.wav").write_bytes(encode_wav(noise(0.1).reshape(-1, 1), RATE))
    context = Context(take_media.parameters, MediaStore(tmp_path), base=tmp_path / "raw")

    def took(**fields: Any) -> Outcome:
        outcome: Outcome = take_media.run(Values(take_media, "r", fields), context)
        return take_media.checked(outcome, "r")

    made = took(audio_file="a.wav", parts=[{"instrument": "violin", "audio_file": "a.wav"}])
    assert (tmp_path / made.fields["audio"]).is_file() and made.makers["audio"].name == "a.wav"
    assert made.fields["parts"][0]["audio"] == made.fields["audio"]
    assert took(audio_file=None).reason == "no-audio"
    assert took(audio_file="a.wav", parts=[{"instrument": "viola", "audio_file": None}]).reason == "part-missing"
    with pytest.raises(MediaError):
        took(audio_file="../a.wav")


EVENT = {
    "label": "bell",
    "source": 0,
    "begin": 1.0,
    "end": 3.0,
    "azimuth": [10.0] * 20,
    "elevation": [0.0] * 20,
    "distance": [2.0] * 20,
}


def test_events_of_a_scene_become_records() -> None:
    moving = EVENT | {"begin": 4.0, "end": 6.0, "azimuth": np.linspace(170, 215, 20).tolist()}
    short = EVENT | {"begin": 7.0, "end": 7.5}
    outcome = decide(scene_events, {"events": [EVENT, moving, short]})
    (child,) = outcome.children
    assert child.fields["azimuth"] == 10.0 and (child.fields["begin"], child.fields["end"]) == (1.0, 3.0)
    assert len(decide(scene_events, {"events": [EVENT, moving]}, steady=90.0).children) == 2
    assert decide(scene_events, {"events": [EVENT]}, labels=["knock"]).reason == "no-event"
    assert decide(scene_events, {"events": [EVENT, EVENT | {"source": 1, "begin": 2.0}]}).reason == "no-event"
    assert decide(scene_events, {"events": [EVENT]}, most_seconds=1.5).children[0].fields["end"] == 2.5
