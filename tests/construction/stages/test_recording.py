"""Recordings as readers and phones return them: silence, hum, gaps, clipping, other formats; sound ones remain."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from tests.construction.single_stage import decide, decide_all
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stages.clips import clips
from triptych.construction.stages.recording import one_clip_each, recording, same_pace
from triptych.media.sound.coding import decode_sound, encode_wav

RATE = 16_000
MINI = Path(__file__).parents[3] / "src/triptych/benchmarks"
READ = sorted((MINI / "mcga/mini").rglob("*.ogg"))
SCENES = sorted((MINI / "cmdar/mini").rglob("*.ogg"))


def speech(path: Path) -> Any:
    return decode_sound(path.read_bytes()).mono(RATE)


def returned(samples: Any, root: Path, **parameters: Any) -> Outcome:
    data = encode_wav(np.asarray(samples, np.float32).reshape(-1, 1), RATE)
    return decide(recording, {"audio": MediaStore(root).put(data, "wav")}, root, **parameters)


def whole(samples: Any, root: Path, name: str = "r.wav") -> Outcome:
    """What becomes of a recording of CMDAR that is a clip already."""
    (root / name).write_bytes(encode_wav(np.asarray(samples, np.float32).reshape(-1, 1), RATE))
    own = clips.with_(how="whole")
    outcome: Outcome = own.run(
        Values(own, "r", {"film": name, "film_sha256": "0"}), Context(own.parameters, MediaStore(root), 0, root)
    )
    return outcome


def t(samples: Any) -> Any:
    return np.arange(len(samples)) / RATE


def silence(seconds: float) -> Any:
    return np.zeros(int(seconds * RATE), np.float32)


def quiet_room(seconds: float) -> Any:
    return 0.001 * np.random.default_rng(2).standard_normal(int(seconds * RATE)).astype(np.float32)


def with_gaps(samples: Any) -> Any:
    """Packets of 40 ms are lost while somebody speaks."""
    made = samples.copy()
    loud = np.flatnonzero(np.abs(samples) > 0.3 * np.abs(samples).max())
    for at in loud[:: max(1, len(loud) // 8)]:
        made[at : at + int(0.04 * RATE)] = 0.0
    return made


FAULTS = {
    "hum of the mains": (lambda x: x + 0.15 * np.sin(2 * np.pi * 50 * t(x)), "recording-hum"),
    "hum with overtones": (
        lambda x: x + sum(0.1 / n * np.sin(2 * np.pi * 60 * n * t(x)) for n in (1, 2, 3)),
        "recording-hum",
    ),
    "a whistle": (lambda x: x + 0.1 * np.sin(2 * np.pi * 1000 * t(x)), "recording-hum"),
    "clipped, then made quieter": (lambda x: 0.3 * np.clip(30 * x, -1, 1), "recording-clipped"),
    "an offset": (lambda x: x + 0.1, "recording-offset"),
    "white noise": (lambda x: 0.2 * np.random.default_rng(1).standard_normal(len(x)), "recording-noisy"),
    "lost packets": (with_gaps, "recording-gaps"),
    "a pause of six seconds": (
        lambda x: np.concatenate([x[: len(x) // 2], silence(6), x[len(x) // 2 :]])[: 29 * RATE],
        "recording-silence",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faulty_recordings_of_readers(name: str, tmp_path: Path) -> None:
    change, reason = FAULTS[name]
    for path in READ[:3]:
        outcome = returned(change(speech(path)), tmp_path)
        assert (outcome.decision, outcome.reason) == ("dropped", reason), (path.name, outcome.reason, outcome.note)


@pytest.mark.parametrize("before", [silence, quiet_room])
def test_long_silence_around_the_voice_is_cut_off(before: Any, tmp_path: Path) -> None:
    samples = speech(READ[0])
    plain = returned(samples, tmp_path)
    late = returned(np.concatenate([before(10), samples, before(4)]), tmp_path)
    assert late.reason == "silence-cut-off" and abs(late.fields["seconds"] - plain.fields["seconds"]) < 1.5
    kept = returned(np.concatenate([before(10), samples]), tmp_path, convert=False)
    assert kept.reason == "recording-silence" and "10." in kept.note
    click = before(10)
    click[4000:4004] = 0.5
    late = returned(np.concatenate([click, samples]), tmp_path)
    assert late.fields["seconds"] < plain.fields["seconds"] + 1


@pytest.mark.slow
def test_recordings_of_the_mini_set_remain(tmp_path: Path) -> None:
    outcomes = {path.name: returned(speech(path), tmp_path) for path in READ}
    assert {name: o.reason for name, o in outcomes.items() if o.decision == "dropped"} == {}


def test_half_of_an_upload_is_refused(tmp_path: Path) -> None:
    data = READ[0].read_bytes()
    value = MediaStore(tmp_path).put(data[: len(data) // 2], "ogg")
    assert decide(recording, {"audio": value}, tmp_path).reason == "recording-cut"


def test_one_recording_for_two_clips_in_another_format(tmp_path: Path) -> None:
    out = io.BytesIO()
    soundfile.write(out, 0.4 * speech(READ[0]), RATE, format="MP3")
    store = MediaStore(tmp_path)
    values = [
        store.put(READ[0].read_bytes(), "ogg"),
        store.put(out.getvalue(), "mp3"),
        store.put(READ[1].read_bytes(), "ogg"),
    ]
    prints = [decide(recording, {"audio": value}, tmp_path).fields["sound_print"] for value in values]
    records = [{"recording": f"c{n}", "sound_print": own} for n, own in enumerate([*prints, prints[2]])]
    records[3]["recording"] = "c2"  # another task about the same recording
    assert [o.reason for o in decide_all(one_clip_each, records)] == ["record-again", "record-again", "", ""]


def test_a_reading_that_is_much_too_fast_is_made_again() -> None:
    paces = [1.0, 1.1, 0.9, 1.2, 2.1]
    records = [{"speaker": "P", "recording": f"r{n}", "pace": pace} for n, pace in enumerate(paces)]
    assert [o.reason for o in decide_all(same_pace, records)] == ["", "", "", "", "record-again"]
    assert not any(o.reason for o in decide_all(same_pace, records[2:]))  # too few to know how they read


SCENE_FAULTS = {
    "white noise": (lambda x: 0.2 * np.random.default_rng(1).standard_normal(len(x)), "recording-even"),
    "brown noise": (lambda x: _scaled(np.cumsum(np.random.default_rng(1).standard_normal(len(x)))), "recording-"),
    "hum alone": (lambda x: 0.2 * np.sin(2 * np.pi * 50 * t(x)), "recording-even"),
    "a tone": (lambda x: 0.2 * np.sin(2 * np.pi * 440 * t(x)), "recording-even"),
    "clipped": (lambda x: np.clip(1000 * x, -1, 1), "recording-clipped"),
    "an offset": (lambda x: x + 0.1, "recording-offset"),
    "ten seconds of silence first": (lambda x: np.concatenate([silence(10), x]), "recording-silence"),
}


def _scaled(samples: Any) -> Any:
    """Noise whose mean is taken away second by second, as a microphone's filter does."""
    high = samples - np.convolve(samples, np.ones(1600) / 1600, "same")
    return 0.2 * high / np.abs(high).max()


@pytest.mark.parametrize("name", SCENE_FAULTS)
def test_faulty_recordings_of_scenes(name: str, tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    change, reason = SCENE_FAULTS[name]
    for path in SCENES[:3]:
        outcome = whole(change(speech(path)), tmp_path)
        assert outcome.decision == "dropped" and outcome.reason.startswith(reason), (path.name, outcome)
