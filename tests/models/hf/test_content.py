"""Tests of `models/hf/content.py`: a Request as a conversation with decoded media."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from triptych.errors import MediaError
from triptych.media.films.frames import Film
from triptych.media.films.timeline import Timeline, timeline
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import encode_wav
from triptych.models.hf.content import Conversation, converse, frames_a_second, metadata
from triptych.models.packing.decoded import DecodedPacker
from triptych.models.packing.packing import Packing, packing
from triptych.records import Message, Part, Request, media, text


def conversed(folder: Path, told: str, *parts: Part, hears: bool = True) -> Conversation:
    reader = MediaReader(folder)
    request = Request("1", (Message("system", (text("Be brief."),)), Message("user", parts)))
    return converse(request, reader, DecodedPacker(reader, packing(told, Packing())), hears)


def test_text_sound_and_picture_are_blocks_in_their_places(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(encode_wav(np.full((24_000, 1), 0.1), 8_000))
    Image.new("RGB", (6, 4)).save(tmp_path / "b.png")
    made = conversed(tmp_path, "silent", text("听"), media("audio", "a.wav"), media("image", "b.png"), text("谁？"))
    assert [message["role"] for message in made.messages] == ["system", "user"]
    words, sound, picture, question = made.messages[1]["content"]
    assert (words, question) == ({"type": "text", "text": "听"}, {"type": "text", "text": "谁？"})
    assert sound["audio"].shape == (48_000,) and picture["image"].size == (6, 4)
    assert made.kinds == {"text", "audio", "image"} and not made.in_video and made.rate is None
    assert [(one.path, one.seconds) for one in made.sounds] == [("a.wav", 3.0)] and made.encoded == ()
    assert [(one.kind, one.at) for one in made.sent] == [("audio", 2), ("image", 3)], "after the system prompt"


def test_longer_content_is_expected_to_be_longer(tmp_path: Path) -> None:
    for seconds in (1, 9):
        (tmp_path / f"{seconds}.wav").write_bytes(encode_wav(np.zeros((8_000 * seconds, 1)), 8_000))
    one, nine, both = (
        conversed(tmp_path, "silent", *(media("audio", f"{name}.wav") for name in names)).length
        for names in ("1", "9", "19")
    )
    assert one < nine < both


def film(tmp_path: Path, name: str = "c.mp4", frames: int = 20, sound: float = 2.0) -> Part:
    pytest.importorskip("av", reason="av is not installed")
    from tests.support.known_films import known_film

    (tmp_path / name).write_bytes(known_film(frames, 10, sound=sound))
    return media("video", name, "content")


def test_a_film_is_an_array_of_frames_with_its_sound_in_it(tmp_path: Path) -> None:
    made = conversed(tmp_path, "frames=4,sound=in_video", film(tmp_path), text("?"))
    assert made.messages[1]["content"][0]["video"].shape == (4, 48, 64, 3)
    assert made.in_video and made.rate == pytest.approx(2, abs=0.1)
    (encoded,) = made.encoded
    assert (encoded.kind, encoded.given, encoded.encoded, encoded.unit) == ("video", 20, 4, "frames")


def test_sound_that_is_not_sent_is_known_to_be_unheard(tmp_path: Path) -> None:
    asked = film(tmp_path)
    video, sound = sorted(conversed(tmp_path, "frames=4,sound=none", asked).encoded, key=lambda one: one.kind)[::-1]
    assert video.kind == "video" and (sound.kind, sound.encoded) == ("audio", 0.0)
    assert sound.given == pytest.approx(2, abs=0.2)
    deaf = conversed(tmp_path, "frames=4,sound=none", asked, hears=False)
    assert [one.kind for one in deaf.encoded] == ["video"], "a model that takes no audio drops none"
    silent = conversed(tmp_path, "frames=4,sound=none", film(tmp_path, "d.mp4", sound=0.0))
    assert [one.kind for one in silent.encoded] == ["video"]


def test_films_that_can_not_share_a_batch_with_sound_are_refused(tmp_path: Path) -> None:
    with_sound, without = film(tmp_path), film(tmp_path, "d.mp4", sound=0.0)
    with pytest.raises(MediaError, match=r"another has none(.|\n)*sound=apart"):
        conversed(tmp_path, "frames=4,sound=in_video", with_sound, without)
    assert len(conversed(tmp_path, "frames=4,sound=none", with_sound, without).films) == 2
    longer = film(tmp_path, "e.mp4", frames=40, sound=4.0)
    with pytest.raises(MediaError, match=r"different numbers of frames a second(.|\n)*sound=apart"):
        conversed(tmp_path, "frames=4,sound=in_video", with_sound, longer)
    assert conversed(tmp_path, "fps=2,sound=in_video", with_sound, longer).rate == pytest.approx(2, abs=0.1)


def a_film(line: Timeline, numbers: tuple[int, ...]) -> Film:
    pictures = [np.zeros((48, 64, 3), np.uint8)] * len(numbers)
    return Film(pictures, len(line.times), tuple(line.times[n] for n in numbers), numbers, line)


def test_a_steady_film_has_its_own_rate_and_numbers(tmp_path: Path) -> None:
    film(tmp_path)
    line = timeline((tmp_path / "c.mp4").read_bytes(), "c.mp4")
    about = metadata(a_film(line, (0, 10)))
    assert about["fps"] == pytest.approx(10) and about["frames_indices"] == [0, 10] and about["total_num_frames"] == 20
    assert (about["height"], about["width"], about["video_backend"]) == (48, 64, "pyav")
    assert frames_a_second(a_film(line, (0, 10))) == pytest.approx(1, abs=0.1)


def test_a_film_of_a_variable_rate_is_numbered_in_thousandths(tmp_path: Path) -> None:
    """Processors compute the time of a frame as number / rate."""
    pytest.importorskip("av", reason="av is not installed")
    from tests.support.known_films import known_film

    times = [0.0, 0.1, 0.5, 1.7, 1.8]
    data = known_film(5, times=times)
    line = timeline(data, "v.mp4")
    about = metadata(replace(a_film(line, (0, 2, 3)), times=(0.0, 0.5, 1.7)))
    assert [number / about["fps"] for number in about["frames_indices"]] == pytest.approx([0.0, 0.5, 1.7], abs=0.002)
    assert about["total_num_frames"] / about["fps"] == pytest.approx(about["duration"], abs=0.002)
