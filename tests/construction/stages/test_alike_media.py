"""One recording or picture under two labels, and noise for the sound of an instrument."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageOps

from tests.construction.single_stage import decide_all
from triptych.construction.engine.media import MediaStore
from triptych.construction.stages.alike_media import one_medium_each, same_pictures, same_sounds
from triptych.construction.stages.six import candidates
from triptych.media.sound.coding import encode_wav

RATE = 16_000


def bursts(seed: int, seconds: float = 2.0) -> Any:
    """Bursts of tones at times of their own."""
    draw = np.random.default_rng(seed)
    times = np.arange(round(seconds * RATE)) / RATE
    made = np.zeros(len(times))
    for begin in draw.uniform(0, seconds - 0.3, 12):
        span = (times >= begin) & (times < begin + 0.25)
        made[span] += np.sin(2 * np.pi * draw.uniform(200, 3_000) * times[span]) * np.exp(-8 * (times[span] - begin))
    return (0.5 * made / np.abs(made).max()).astype(np.float32)


def beeps(count: int) -> Any:
    """`count` beeps of one pitch, two a second, as counts are made."""
    made = np.zeros(round(count * RATE / 2), np.float32)
    times = np.arange(RATE // 5) / RATE
    for number in range(count):
        made[number * RATE // 2 :][: RATE // 5] = 0.4 * np.sin(2 * np.pi * 880 * times)
    return made


def stored(folder: Path, name: str, samples: Any, rate: int = RATE) -> Path:
    path = folder / name
    path.write_bytes(encode_wav(np.asarray(samples, np.float32).reshape(-1, 1), rate))
    return path


def scene(seed: int) -> Image.Image:
    draw = np.random.default_rng(seed)
    cells = Image.fromarray(draw.integers(0, 255, (6, 8, 3), np.uint8).astype(np.uint8))
    return cells.resize((320, 240), Image.Resampling.BICUBIC)


def test_a_quieter_copy_after_silence_is_the_same_recording_and_another_one_is_not(tmp_path: Path) -> None:
    first = bursts(1)
    later = np.concatenate([np.zeros(RATE // 3, np.float32), 0.3 * first + np.float32(1e-4)])
    paths = [stored(tmp_path, f"{n}.wav", each) for n, each in enumerate((first, bursts(2), later, bursts(3)))]
    assert same_sounds([*paths, None]) == [(0, 2)]


def test_counts_of_the_same_beep_are_different_recordings(tmp_path: Path) -> None:
    assert same_sounds([stored(tmp_path, f"{n}.wav", beeps(n)) for n in range(2, 9)], 0.97) == []


def test_a_mirrored_smaller_picture_is_the_same_and_another_one_is_not(tmp_path: Path) -> None:
    pictures = [scene(1), scene(2), ImageOps.mirror(scene(1)).resize((200, 150)), scene(3)]
    paths = [tmp_path / f"{n}.jpg" for n in range(len(pictures))]
    for path, picture in zip(paths, pictures, strict=True):
        picture.save(path, quality=80)
    assert same_pictures([*paths, None]) == [(0, 2)]


def row(store: MediaStore, label: str, sound: Any, picture: Image.Image, subtask: str = "natures") -> dict[str, Any]:
    held = io.BytesIO()
    picture.save(held, "JPEG", quality=85)
    return {
        "subtask": subtask,
        "pool": "subtask",
        "vision_kind": "image",
        "category": label,
        "text": label,
        "audio": store.put(encode_wav(np.asarray(sound, np.float32).reshape(-1, 1), RATE), "wav"),
        "vision": store.put(held.getvalue(), "jpg"),
        "made": [],
    }


def decided(folder: Path, rows: list[dict[str, Any]]) -> list[Any]:
    return decide_all(one_medium_each, rows, folder, exact=["count"], toned=["instruments"])


def test_rows_with_one_recording_or_picture_are_never_in_one_question(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    rows = [
        row(store, "a crackling fire", bursts(1), scene(1)),
        row(store, "logs in a stove", 0.3 * bursts(1), scene(2)),
        row(store, "frogs in a pond", bursts(2), ImageOps.mirror(scene(1))),
        *(row(store, f"label {n}", bursts(n), scene(n)) for n in range(10, 14)),
    ]
    outcomes = decided(tmp_path, rows)
    assert [sorted(outcome.fields.get("alike", ())) for outcome in outcomes[:4]] == [
        ["picture r0", "sound r0"],
        ["sound r0"],
        ["picture r0"],
        [],
    ]
    marked = [{**each, **outcome.fields} for each, outcome in zip(rows, outcomes, strict=True)]
    for seed in range(5):
        first = decide_all(candidates, marked, tmp_path, seed)[0]
        texts = {form["text"] for form in first.fields["candidates"]}
        assert not texts & {"logs in a stove", "frogs in a pond"}


def test_a_count_of_a_recording_that_has_another_count_is_dropped(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    rows = [
        row(store, "4 times", beeps(4), scene(1), "count"),
        row(store, "7 times", 0.6 * beeps(4), scene(2), "count"),
        row(store, "5 times", beeps(5), scene(3), "count"),
    ]
    outcomes = decided(tmp_path, rows)
    assert [outcome.reason for outcome in outcomes] == ["", "other-text-of-one-file", ""]


@pytest.mark.parametrize(
    ("label", "subtask", "reason"),
    [("oboe", "instruments", "noise-alone"), ("cymbal", "instruments", ""), ("heavy rain", "natures", "")],
)
def test_noise_is_no_instrument_and_may_be_rain(label: str, subtask: str, reason: str, tmp_path: Path) -> None:
    noise = np.random.default_rng(3).normal(0, 0.1, 3 * RATE)
    held = 0.3 * np.sin(2 * np.pi * 440 * np.arange(3 * RATE) / RATE)
    store = MediaStore(tmp_path)
    rows = [row(store, label, noise, scene(1), subtask), row(store, "flute", held, scene(2), subtask)]
    assert [outcome.reason for outcome in decided(tmp_path, rows)] == [reason, ""]


def panned(samples: Any, left: float, right: float) -> Any:
    return np.stack([left * samples, right * samples], axis=1)


def test_recordings_that_differ_in_direction_alone_are_different_and_copies_are_not(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)

    def placed(text: str, channels: Any, seed: int, subtask: str) -> dict[str, Any]:
        sound = store.put(encode_wav(np.asarray(channels, np.float32), RATE), "wav")
        return row(store, text, bursts(1), scene(seed), subtask) | {"audio": sound}

    left, right = panned(bursts(1), 0.9, 0.3), panned(bursts(1), 0.3, 0.9)
    for subtask, decision in (("3D_movements", "kept"), ("arrangements", "dropped")):
        rows = [
            placed("to the left", left, 1, subtask),
            placed("to the right", right, 2, subtask),
            placed("away", 0.5 * left, 3, subtask),
        ]
        settings = {"exact": ["arrangements"], "placed": ["arrangements", "3D_movements"]}
        first, other, copy = decide_all(one_medium_each, rows, tmp_path, **settings)
        assert first.fields["alike"] == ["sound r0"] and not other.fields.get("alike")
        assert copy.decision == decision and copy.reason == ("other-text-of-one-file" if decision == "dropped" else "")
