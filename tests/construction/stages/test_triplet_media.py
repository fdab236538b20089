"""What `bring-forms`, `talk-sound` and `speak` do with faulty media: each has its own reason, sound ones stay."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.construction.single_stage import decide
from tests.voices import syllables
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stages.clips import clips
from triptych.construction.stages.talks import talk_sound
from triptych.construction.stages.triplet_media import bring_forms, movement_of_text, side_of_text
from triptych.construction.stages.triplets import speak

pytest.importorskip("av", reason="PyAV comes with the extra [local]")

RATE = 16_000
VOICE = syllables(14.0, 5)


def written(root: Path, name: str, samples: Any) -> str:
    """A WAV file of samples with one or two columns."""
    samples = np.asarray(samples).reshape(len(samples), -1)
    with wave.open(str(root / name), "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples.clip(-1, 1) * 32767).astype("<i2").tobytes())
    return name


def with_gaps(samples: Any) -> Any:
    """The samples with 0.12 s of digital silence every 0.37 s."""
    made = samples.copy()
    for begin in range(RATE // 2, len(made), round(0.37 * RATE)):
        made[begin : begin + round(0.12 * RATE)] = 0.0
    return made


def photo(root: Path, name: str, size: tuple[int, int]) -> str:
    draw = np.random.default_rng(3)
    small = Image.fromarray(draw.integers(0, 255, (6, 8, 3), np.uint8))
    small.resize(size, Image.Resampling.BICUBIC).save(root / name)
    return name


def brought(root: Path, samples: Any, text: str = "x", subtask: str = "natures", **more: Any) -> Outcome:
    form = {"text": text, "audio": {"file": written(root, "r.wav", samples), **more.pop("span", {})}}
    form |= {"image": {"file": photo(root, "p.png", more.pop("size", (96, 64)))}}
    fields = {"given": {"own": form}, "vision_kind": "image", "subtask": subtask, **more}
    own = bring_forms.with_(convert=False)
    context = Context(own.parameters, MediaStore(root), 0, root)
    outcome: Outcome = own.run(Values(own, "r", fields), context)
    return own.checked(outcome, "r")


def across(seconds: float = 4.0) -> Any:
    """Noise that moves from the left channel to the right one."""
    noise = np.random.default_rng(1).normal(0, 0.15, round(seconds * RATE))
    place = np.linspace(0, np.pi / 2, len(noise))
    return np.stack([noise * np.cos(place), noise * np.sin(place)], axis=1)


def test_equal_channels_and_sounds_against_their_text_are_dropped(tmp_path: Path) -> None:
    equal = np.stack([VOICE, VOICE], axis=1)
    order = "From left to right: bell, knocks, whistle"
    assert brought(tmp_path, equal, order, "arrangements").reason == "channels-equal"
    assert brought(tmp_path, across(), order, "arrangements").decision == "kept"
    assert brought(tmp_path, equal, "A bus moving from left to right.", "3D_movements").reason == "channels-equal"
    assert brought(tmp_path, equal, "A bus coming closer.", "3D_movements").decision == "kept"
    assert brought(tmp_path, equal, "a bell ringing, behind", "panaroma").decision == "kept"
    for subtask in ("3D_movements", "natures"):
        wrong = brought(tmp_path, across(), "A bus moving from right to left.", subtask)
        assert wrong.reason == "direction-differs" and "r.wav" in wrong.note
        assert brought(tmp_path, across(), "A bus moving from left to right.", subtask).decision == "kept"
    left = np.stack([VOICE, 0.2 * VOICE], axis=1)
    assert brought(tmp_path, left, "a bell ringing, on the right", "panaroma").reason == "direction-differs"
    assert brought(tmp_path, left, "a bell ringing, at the front left", "panaroma").decision == "kept"


@pytest.mark.parametrize(
    ("text", "way", "place"),
    [
        ("A car moving from the left to the right", "left to right", ""),
        ("汽车从右向左行驶", "right to left", ""),
        ("From left to right: a bell, knocks", "", ""),
        ("from left to right and from right to left", "", ""),
        ("a bell ringing, at the back right", "", "right"),
        ("右前方有铃声", "", "right"),
        ("a bright bird", "", ""),
    ],
)
def test_directions_of_texts(text: str, way: str, place: str) -> None:
    assert movement_of_text(text) == way
    assert side_of_text(text) == place or way


def test_clipping_gaps_opposite_channels_and_small_pictures(tmp_path: Path) -> None:
    assert brought(tmp_path, np.clip(100 * VOICE, -1, 1)).reason == "recording-clipped"
    assert brought(tmp_path, 0.1 * np.clip(100 * VOICE, -1, 1)).reason == "recording-clipped"
    assert brought(tmp_path, np.clip(1.5 * VOICE / np.abs(VOICE).max(), -1, 1)).decision == "kept"
    broken = with_gaps(VOICE)
    assert brought(tmp_path, broken, subtask="recognition").reason == "recording-gaps"
    assert brought(tmp_path, broken).decision == "kept"  # beeps with pauses would look the same
    assert brought(tmp_path, VOICE, size=(12, 9)).reason == "picture-too-small"
    assert brought(tmp_path, VOICE, size=(200, 20), written=True).decision == "kept"
    one = brought(tmp_path, np.stack([VOICE, -VOICE], axis=1))
    with wave.open(str(tmp_path / one.fields["audio"])) as file:
        assert one.decision == "kept" and file.getnchannels() == 1


def test_a_span_that_the_file_does_not_have_is_dropped(tmp_path: Path) -> None:
    assert brought(tmp_path, VOICE, span={"begin": 10.0, "end": 20.0}).reason == "span-beyond-file"
    assert brought(tmp_path, VOICE, span={"begin": 4.0, "end": 14.5}).decision == "kept"


def test_the_name_of_a_thing_is_not_spoken_in_place_of_its_sound(tmp_path: Path) -> None:
    fields = {"text": "a river under the ice", "audio": None, "vision": "p.jpg", "made": [], "written": False}
    assert decide(speak, fields, tmp_path).fields == {}


def heard(root: Path, samples: Any, **parameters: Any) -> Outcome:
    own = talk_sound.with_(**parameters)
    fields = {"file": written(root, "t.wav", samples), "file_sha256": "0"}
    outcome: Outcome = own.run(Values(own, "r", fields), Context(own.parameters, MediaStore(root), 0, root))
    return own.checked(outcome, "r")


def test_talks_with_gaps_opposite_channels_or_a_cut_file(tmp_path: Path) -> None:
    pauses = np.concatenate([VOICE, np.zeros(RATE), VOICE, np.zeros(RATE)]).astype(np.float32)
    talk = pauses + np.random.default_rng(0).normal(0, 0.0005, len(pauses))
    assert heard(tmp_path, talk).decision == "kept"
    broken = with_gaps(talk)
    assert heard(tmp_path, broken).reason == "recording-gaps"
    opposite = np.stack([talk, -talk], axis=1)
    used = heard(tmp_path, opposite)
    assert (used.decision, used.reason) == ("revised", "one-channel") and used.fields["level_db"] > -40
    assert heard(tmp_path, opposite, convert=False).reason == "channels-cancel"
    whole = written(tmp_path, "c.wav", talk)
    (tmp_path / "t.wav").write_bytes((tmp_path / whole).read_bytes()[:200_000])
    fields = {"file": "t.wav", "file_sha256": "0"}
    context = Context(talk_sound.parameters, MediaStore(tmp_path), 0, tmp_path)
    assert talk_sound.run(Values(talk_sound, "r", fields), context).reason == "recording-cut"


def test_clips_with_opposite_channels_or_gaps(tmp_path: Path) -> None:
    def cut(samples: Any) -> str:
        own = clips.with_(how="whole")
        fields = {"film": written(tmp_path, "c.wav", samples), "film_sha256": "0"}
        return str(own.run(Values(own, "r", fields), Context(own.parameters, MediaStore(tmp_path), 0, tmp_path)).reason)

    assert cut(np.stack([VOICE, -VOICE], axis=1)) == "channels-cancel"
    broken = with_gaps(VOICE)
    assert cut(broken) == "recording-gaps" and cut(VOICE) == ""


def test_pauses_of_a_synthetic_voice_are_no_gaps(tmp_path: Path) -> None:
    pauses = VOICE.copy()
    for begin in range(RATE // 2, len(pauses), 2 * RATE):
        end, fade = begin + round(0.15 * RATE), np.linspace(0, 1, RATE // 100) ** 2
        pauses[begin:end] = 0.0
        pauses[begin - len(fade) : begin] *= fade[::-1]
        pauses[end : end + len(fade)] *= fade[: len(pauses[end : end + len(fade)])]
    for begin in range(RATE, len(pauses), round(0.8 * RATE)):
        pauses[begin : begin + round(0.048 * RATE)] = 0.0
    assert brought(tmp_path, pauses, subtask="recognition").decision == "kept"
