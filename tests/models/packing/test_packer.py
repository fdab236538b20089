"""Tests of `models/packing/packer.py`: order, captions, whose sound it is, and what headers declare."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from triptych.errors import MediaError
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import Sound, encode_wav
from triptych.models.packing.packer import (
    Packer,
    Piece,
    caption,
    declared_film,
    declared_length,
    declared_size,
    order_parts,
)
from triptych.models.packing.packing import Packing, packing
from triptych.records import Message, Part, Request, media, text

STEM = text("Which dynasty?", "question")
SOUND = media("audio", "a.wav", "content")
PICTURE = media("image", "b.png", "question")
OPTION = (text("A."), media("audio", "option.wav"))


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("given", [STEM, SOUND, *OPTION, PICTURE]),
        ("media_first", [SOUND, PICTURE, STEM, *OPTION]),
        ("media_last", [STEM, *OPTION, SOUND, PICTURE]),
    ],
)
def test_media_of_the_question_move_and_those_of_options_stay(order: str, expected: list[Part]) -> None:
    assert order_parts((STEM, SOUND, *OPTION, PICTURE), order) == expected
    assert order_parts((), order) == []


def test_captions_name_number_and_second() -> None:
    assert caption(Packing(caption="<{number}|{time:.2f}>"), 12, 3.456) == "<12|3.46>"
    assert caption(Packing(), 1, 0.0) == ""


@pytest.fixture
def reader(tmp_path: Path) -> MediaReader:
    tone = np.sin(np.arange(12_000) / 9)
    (tmp_path / "a.wav").write_bytes(encode_wav(np.stack([tone, tone], axis=1), 8_000))
    buffer = io.BytesIO()
    Image.new("RGB", (7, 5)).save(buffer, "PNG")
    (tmp_path / "b.png").write_bytes(buffer.getvalue())
    (tmp_path / "broken.wav").write_bytes(b"RIFF\x24\x00\x00\x00WAVEfmt ")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "broken.mp4").write_bytes(b"\x00\x00\x00\x18ftypmp42")
    return MediaReader(tmp_path)


def test_headers_declare_lengths_and_sizes(reader: MediaReader) -> None:
    assert declared_length(reader.load(SOUND)) == (1.5, 8_000, 2)
    assert declared_size(reader.load(PICTURE)) == (7, 5)


def test_what_a_broken_header_does_not_declare_is_none(reader: MediaReader) -> None:
    assert declared_length(reader.load(media("audio", "broken.wav"))) == (None, None, None)
    assert declared_size(reader.load(media("image", "broken.png"))) == (None, None)
    film = declared_film(reader.load(media("video", "broken.mp4")))
    assert (film.path, film.size, film.seconds, film.width, film.frames) == ("broken.mp4", 12, None, None, None)


def test_a_films_header_declares_length_size_and_frames(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="av is not installed")
    from tests.support.known_films import known_film

    (tmp_path / "c.mp4").write_bytes(known_film(20, 10))
    film = declared_film(MediaReader(tmp_path).load(media("video", "c.mp4")))
    assert (film.width, film.height, film.frames, film.format) == (64, 48, 20, "mp4")
    assert film.seconds == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize(
    ("told", "rate", "channels"),
    [("", 8_000, 2), ("rate=16000", 16_000, 2), ("channels=1", 8_000, 1), ("rate=4000,channels=1", 4_000, 1)],
)
def test_rate_and_channels_are_those_of_the_packing(told: str, rate: int, channels: int, reader: MediaReader) -> None:
    sound = Sound(np.zeros((8_000, 2), np.float32), 8_000)
    made = Packer(reader, packing(told, Packing()) if told else Packing()).in_form(sound)
    assert (made.rate, made.channels) == (rate, channels) and made.seconds == pytest.approx(1, abs=0.01)


class Names(Packer):
    """Says of each Part that there is one."""

    def recording(self, part: Part) -> Piece:
        return Piece("audio", part)

    def image(self, part: Part) -> Piece:
        return Piece("image", part)

    def whole(self, part: Part, taken: Part | None) -> Iterator[Piece]:
        yield Piece("video", part, text="" if taken is None else taken.path)


def packed(reader: MediaReader, told: str, *parts: Part) -> list[tuple[Any, ...]]:
    request = Request("1", (Message("system", (text("Be brief."),)), Message("user", parts)))
    (_, ((system,))), (role, pieces) = Names(reader, packing(told, Packing())).pack(request).turns
    assert system.text == "Be brief." and role == "user"
    return [(piece.kind, piece.part.path or piece.text, piece.text) for piece in pieces]


def test_a_recording_takes_the_place_of_a_films_sound_and_is_sent_once(reader: MediaReader) -> None:
    film = media("video", "c.mp4", "content")
    told = "whole,sound_from=part"
    assert packed(reader, told, film, SOUND, STEM) == [("video", "c.mp4", "a.wav"), ("text", STEM.text, STEM.text)]
    assert packed(reader, "whole", film, SOUND)[1][:2] == ("audio", "a.wav")
    assert packed(reader, told, SOUND) == [("audio", "a.wav", "")], "no film, whose sound it could be"


def test_two_recordings_for_one_film_are_refused_with_a_way_out(reader: MediaReader) -> None:
    film = media("video", "c.mp4", "content")
    with pytest.raises(MediaError, match=r"1 films, 2 recordings(.|\n)*sound_from=film"):
        packed(reader, "whole,sound_from=part", film, SOUND, SOUND)
