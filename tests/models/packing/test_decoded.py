"""Tests of `models/packing/decoded.py`: what models in this process get, decoded."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from triptych.errors import MediaError
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import encode_wav
from triptych.models.packing.decoded import DecodedPacker
from triptych.models.packing.packer import Packed
from triptych.models.packing.packing import Packing, packing
from triptych.records import Message, Part, Request, media, text


def packed(folder: Path, told: str, *parts: Part, **more: Any) -> Packed:
    chosen = packing(told, Packing()) if told else Packing()
    return DecodedPacker(MediaReader(folder), chosen, **more).pack(Request("1", (Message("user", parts),)))


def test_recordings_are_mono_at_the_models_rate(tmp_path: Path) -> None:
    left = np.sin(2 * np.pi * 440 * np.arange(16_000) / 8_000)
    (tmp_path / "a.wav").write_bytes(encode_wav(np.stack([left, -left], axis=1) * 0.5, 8_000))
    done = packed(tmp_path, "", text("?"), media("audio", "a.wav"), rate=16_000)
    ((_, (words, piece)),) = done.turns
    assert words.text == "?" and piece.sound is not None
    assert (piece.sound.rate, piece.sound.channels, piece.sound.seconds) == (16_000, 1, 2.0)
    assert np.abs(piece.sound.samples).max() < 0.01, "the mean of both channels"
    (sent,) = done.sent
    assert (sent.form, sent.at, sent.seconds, sent.rate, sent.channels) == ("converted", 1, 2.0, 16_000, 1)


def picture(tmp_path: Path, mode: str, *, turned: bool = False) -> Any:
    pixels = np.zeros((20, 40, 3), np.uint8)
    pixels[:, :20, 0] = 255  # red on the left
    image = Image.fromarray(pixels).convert(mode)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by 90 degrees clockwise
    buffer = io.BytesIO()
    image.save(buffer, "PNG", **({"exif": exif} if turned else {}))
    (tmp_path / "b.png").write_bytes(buffer.getvalue())
    return packed(tmp_path, "", media("image", "b.png"))


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L", "1", "LA"])
def test_pictures_of_any_mode_are_rgb(mode: str, tmp_path: Path) -> None:
    done = picture(tmp_path, mode)
    (piece,) = done.turns[0][1]
    assert (piece.picture.mode, piece.picture.size) == ("RGB", (40, 20))
    assert (done.sent[0].form, done.sent[0].width, done.sent[0].height) == ("file", 40, 20)


def test_pictures_are_as_people_see_them(tmp_path: Path) -> None:
    done = picture(tmp_path, "RGB", turned=True)
    (piece,) = done.turns[0][1]
    assert piece.picture.size == (20, 40) and done.sent[0].form == "upright"
    assert piece.picture.getpixel((10, 5)) == (255, 0, 0) and piece.picture.getpixel((10, 35)) == (0, 0, 0)


def test_pictures_are_limited_to_a_number_of_pixels(tmp_path: Path) -> None:
    Image.new("RGB", (400, 200)).save(tmp_path / "b.png")
    done = packed(tmp_path, "image_pixels=20000", media("image", "b.png"))
    (sent,) = done.sent
    (piece,) = done.turns[0][1]
    assert sent.form == "resized" and (sent.width, sent.height) == piece.picture.size
    assert piece.picture.width * piece.picture.height <= 20_000
    assert piece.picture.width / piece.picture.height == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize("part", [media("image", "x"), media("audio", "x"), media("image", "none.png")])
def test_what_can_not_be_read_is_refused(part: Part, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"not media")
    with pytest.raises(MediaError, match=part.path):
        packed(tmp_path, "", part)


def film(tmp_path: Path, told: str, frames: int, **more: Any) -> tuple[list[int], Packed]:
    """The numbers that the pictures of a film show, and all that was packed."""
    pytest.importorskip("av", reason="av is not installed")
    from tests.support.known_films import known_film, number_in

    (tmp_path / "c.mp4").write_bytes(known_film(frames, 10, sound=frames / 10))
    done = packed(tmp_path, told, media("video", "c.mp4"), **more)
    (piece, *_) = done.turns[0][1]
    assert piece.film is not None
    return [number_in(pixels) for pixels in piece.film.pictures], done


def test_the_processors_choice_of_frames_is_taken(tmp_path: Path) -> None:
    numbers, done = film(tmp_path, "whole,sound=none", 20, choose=lambda line: [0, 5, len(line.times) - 1])
    assert numbers == [0, 5, 19] and [(one.kind, one.form) for one in done.sent] == [("video", "frames")]
    assert film(tmp_path, "whole,sound=none", 4)[0] == [0, 1, 2, 3], "without a choice, all"


def test_a_short_film_is_filled_with_its_last_frame(tmp_path: Path) -> None:
    numbers, done = film(tmp_path, "whole,sound=none", 2, fewest=4)
    (piece,) = done.turns[0][1]
    assert numbers == [0, 1, 1, 1] and piece.film is not None
    assert piece.film.numbers == (0, 1, 1, 1) and len(piece.film.times) == 4 and piece.film.frames == 2


@pytest.mark.parametrize(("fewest", "shown"), [(1, [0, 1]), (2, [0, 1]), (3, [0, 1, 1])])
def test_a_film_that_lacks_one_frame_or_none_is_filled_exactly(tmp_path: Path, fewest: int, shown: list[int]) -> None:
    numbers, done = film(tmp_path, "whole,sound=none", 2, fewest=fewest)
    (piece,) = done.turns[0][1]
    assert numbers == shown and piece.film is not None
    assert list(piece.film.numbers) == shown and len(piece.film.times) == len(shown)


def test_the_sound_of_a_film_is_in_it_or_beside_it(tmp_path: Path) -> None:
    _, done = film(tmp_path, "frames=2,sound=in_video", 20)
    (piece,) = done.turns[0][1]
    assert piece.sound is not None and piece.sound.rate == 16_000
    assert [(one.kind, one.form) for one in done.sent] == [("video", "frames"), ("audio", "in_video")]
    _, done = film(tmp_path, "frames=2,sound=apart", 20)
    assert [piece.kind for piece in done.turns[0][1]] == ["video", "audio"]
    assert [(one.kind, one.form, one.at) for one in done.sent] == [("video", "frames", 0), ("audio", "converted", 1)]


def test_frames_between_their_sounds_are_pictures(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="av is not installed")
    from tests.support.known_films import known_film

    (tmp_path / "c.mp4").write_bytes(known_film(20, 10, sound=2.0))
    done = packed(tmp_path, "fps=1,sound=interleaved", media("video", "c.mp4"))
    pieces = done.turns[0][1]
    assert [piece.kind for piece in pieces] == ["image", "audio"] * 2
    assert all(piece.picture.size == (64, 48) for piece in pieces[::2])
