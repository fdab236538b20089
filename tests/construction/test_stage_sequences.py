"""Stages about sequences and repetitions: what they make is verified, and the rest is dropped with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.construction.stages import decide
from tests.media.scenes.material import RATE, SMALL, SOUNDS, ball, film, scene
from triptych.construction.engine.media import MediaStore
from triptych.construction.stages.sequences import (
    join_clips,
    muted,
    repeat_event,
    side_by_side,
    verify_count,
    verify_order,
)
from triptych.errors import DataError
from triptych.media.lengths import probed
from triptych.media.picture_changes import encode_picture
from triptych.media.scenes.checking import onsets
from triptych.media.scenes.films import Clip, pictures, write_film
from triptych.media.scenes.sequences import repeat_sound
from triptych.media.sound import decode_sound, encode_wav

pytest.importorskip("scipy", reason="SciPy comes with the extra [build]")

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
FORM: dict[str, Any] = {"width": 96, "height": 64, "per_second": 10, "rate": RATE}
RNG = np.random.default_rng(5)


def sound(root: Path, samples: Any) -> str:
    return MediaStore(root).put(encode_wav(np.asarray(samples).reshape(-1, 1), RATE), "wav")


def clips(root: Path, *seeds: int) -> list[dict[str, Any]]:
    made = []
    for seed in seeds:
        path = film(root / f"{seed}.mp4", seed, 0.6, tone=300.0 + 140 * seed)
        made.append({"label": f"event {seed}", "video": MediaStore(root).add(path)})
    return made


def test_clips_are_joined_in_their_order(tmp_path: Path) -> None:
    made = decide(join_clips, {"clips": clips(tmp_path, 3, 1, 2)}, tmp_path, seconds=0.6, **FORM).fields
    assert made["order"] == ["event 3", "event 1", "event 2"] and made["begins"] == pytest.approx(
        [0, 0.6, 1.2], abs=0.01
    )
    assert "audio_codec" not in probed(tmp_path / made["video"])
    assert decode_sound((tmp_path / made["audio"]).read_bytes()).seconds == pytest.approx(1.8, abs=0.02)


def test_an_order_is_found_again_in_files_from_anywhere(tmp_path: Path) -> None:
    parts = clips(tmp_path, 3, 1, 2)
    made = decide(join_clips, {"clips": parts}, tmp_path, seconds=0.6, **FORM).fields
    both = {name: made[name] for name in ("audio", "video", "begins")}
    assert decide(verify_order, {"clips": parts, **both}, tmp_path, seconds=0.6).decision == "kept"
    swapped = [parts[1], parts[0], parts[2]]
    heard = decide(verify_order, {"clips": swapped, **both}, tmp_path, seconds=0.6)
    assert (heard.reason, heard.note) == ("order-not-found", "in the recording: the order was found as [1, 0, 2]")
    seen = decide(verify_order, {"clips": swapped, **both, "audio": None}, tmp_path, seconds=0.6)
    assert seen.note == "in the film: the order was found as [1, 0, 2]"


def test_a_joint_that_can_not_be_seen_drops_the_record(tmp_path: Path) -> None:
    one = clips(tmp_path, 1)[0]
    outcome = decide(join_clips, {"clips": [one, one | {"label": "again"}]}, tmp_path, seconds=0.6, **FORM)
    assert (outcome.decision, outcome.reason) == ("dropped", "cut-not-seen")


def test_sounds_that_can_not_be_told_drop_the_record(tmp_path: Path) -> None:
    knock = sound(tmp_path, SOUNDS["knock"](RNG))
    twice = [{"label": "a", "audio": knock}, {"label": "b", "audio": knock}]
    assert decide(join_clips, {"clips": twice}, tmp_path, video=False, seconds=0.1).reason == "order-not-found"
    silent = [{"label": "a", "audio": knock}, {"label": "b", "audio": sound(tmp_path, np.zeros(RATE))}]
    assert decide(join_clips, {"clips": silent}, tmp_path, video=False, seconds=0.1).reason == "silent"
    assert decide(join_clips, {"clips": silent[:1]}, tmp_path).reason == "too-few-clips"
    assert decide(join_clips, {"clips": twice}, tmp_path).reason == "no-video"


@pytest.mark.parametrize("count", [1, 3, 7])
def test_a_sound_is_repeated_exactly(tmp_path: Path, count: int) -> None:
    event = np.concatenate([np.zeros(900), SOUNDS["clap"](RNG), np.zeros(3000)])
    made = decide(repeat_event, {"count": count, "audio": sound(tmp_path, event)}, tmp_path).fields
    found = onsets(decode_sound((tmp_path / made["audio"]).read_bytes()).mono(RATE), RATE)
    assert found == pytest.approx(made["begins"], abs=0.03) and len(found) == count


def test_an_event_that_is_two_is_dropped(tmp_path: Path) -> None:
    double, _ = repeat_sound(SOUNDS["knock"](RNG), 2, RATE, gap=0.2)
    outcome = decide(repeat_event, {"count": 3, "audio": sound(tmp_path, double)}, tmp_path)
    assert (outcome.decision, outcome.reason) == ("dropped", "event-not-single")
    one = decide(repeat_event, {"count": 3, "audio": sound(tmp_path, double), "begin": 0.2, "end": 0.5}, tmp_path)
    assert one.decision == "kept"  # the span has one of them


@pytest.mark.parametrize("count", [0, 101, 2.5, "three", None])
def test_a_count_that_is_not_possible_is_dropped(tmp_path: Path, count: Any) -> None:
    fields = {"count": count, "audio": sound(tmp_path, SOUNDS["clap"](RNG))}
    assert decide(repeat_event, fields, tmp_path).reason == "count-not-possible"


def event_film(root: Path, heard: Any = None) -> str:
    pieces = [] if heard is None else [np.concatenate([heard, np.zeros(RATE - len(heard), np.float32)])[:, None]]
    write_film(root / "event.mp4", [*ball(), *ball()[:1] * 4], SMALL, pieces)
    return MediaStore(root).add(root / "event.mp4")


def test_an_event_of_a_film_is_repeated_with_its_sound(tmp_path: Path) -> None:
    fields = {"count": 4, "video": event_film(tmp_path, SOUNDS["bark"](RNG)), "end": 0.6}
    made = decide(repeat_event, fields, tmp_path, **FORM).fields
    both = {"count": 4, "video": made["video"], "audio": made["audio"]}
    assert decide(verify_count, both, tmp_path, per_second=10).decision == "kept"
    wrong = decide(verify_count, both | {"count": 5}, tmp_path, per_second=10)
    assert (wrong.reason, wrong.note) == ("count-not-found", "4 sounds, not 5")
    seen = decide(verify_count, {"count": 5, "video": made["video"]}, tmp_path, per_second=10)
    assert seen.note == "4 movements, not 5"


def test_a_silent_event_is_counted_by_its_movement_alone(tmp_path: Path) -> None:
    made = decide(repeat_event, {"count": 2, "video": event_film(tmp_path), "end": 0.6}, tmp_path, **FORM).fields
    assert "audio" not in made and "video" in made


def test_an_event_that_does_not_move_is_dropped(tmp_path: Path) -> None:
    write_film(tmp_path / "still.mp4", [scene(1)] * 6, SMALL)
    fields = {"count": 2, "video": MediaStore(tmp_path).add(tmp_path / "still.mp4")}
    assert decide(repeat_event, fields, tmp_path, **FORM).reason == "count-not-found"
    assert decide(repeat_event, {"count": 2}, tmp_path).reason == "no-event"


def test_a_film_is_muted(tmp_path: Path) -> None:
    value = decide(muted, {"video": clips(tmp_path, 1)[0]["video"]}, tmp_path).fields["video"]
    found = probed(tmp_path / value)
    assert "audio_codec" not in found and found["video_codec"] == "h264"
    assert len(list(pictures(Clip(tmp_path / value), 10))) == 6


def test_pictures_are_put_side_by_side(tmp_path: Path) -> None:
    from PIL import Image

    store = MediaStore(tmp_path)
    values = [store.put(encode_picture(Image.new("RGB", (30, 20), colour), "PNG"), "png") for colour in ("red", "blue")]
    value = decide(side_by_side, {"images": values}, tmp_path, height=40, gap=4).fields["image"]
    with Image.open(tmp_path / value) as made:
        assert made.size == (60 + 4 + 60, 40)
        assert made.getpixel((10, 20))[0] > 200 and made.getpixel((110, 20))[2] > 200
    assert decide(side_by_side, {"images": values[:1]}, tmp_path).reason == "too-few-pictures"
    with pytest.raises(DataError):
        decide(side_by_side, {"images": ["../x.png", values[0]]}, tmp_path)
