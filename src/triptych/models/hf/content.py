"""A Request as transformers take it: a conversation with decoded media, opened by `media/opening.py` alone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from triptych.errors import MediaError
from triptych.media.films.frames import Film
from triptych.media.opening import opened_container
from triptych.media.payload import MediaReader
from triptych.models.packing.decoded import DecodedPacker
from triptych.models.packing.packer import Piece
from triptych.records import Encoded, Request, Sent

SOUND_TOKENS = 25  # per second; only for sorting by length, as are the others
PICTURE_TOKENS = 300
LETTERS = 3  # per token
_FINE = 1000  # steps a second in which the frames of a film with a variable rate are counted
SAME_RATE = 0.01  # relative difference up to which two films have the same rate


@dataclass(frozen=True)
class Sound:
    """A decoded recording and its Part's path."""

    path: str
    samples: Any
    seconds: float


@dataclass(frozen=True)
class Conversation:
    """Messages with text, sounds (mono), pictures and videos (lists of pictures), and what is known of their lengths.

    length   expected number of tokens
    sounds   every recording, in order
    encoded  what is known already: the frames of videos, and their sound, which is not encoded
    sent     what was sent for each media Part
    films    every video, in order, and the sound in it (None without one)
    """

    messages: list[dict[str, Any]]
    length: float
    sounds: tuple[Sound, ...]
    encoded: tuple[Encoded, ...]
    sent: tuple[Sent, ...] = ()
    films: tuple[tuple[Film, Any], ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of content."""
        return frozenset(block["type"] for message in self.messages for block in message["content"])

    @property
    def in_video(self) -> bool:
        """Whether the sound of its films is in the videos."""
        return any(sound is not None for _, sound in self.films)

    @property
    def rate(self) -> float | None:
        """Frames a second of its films as they are sent, if their sound is in them: a batch shares one rate."""
        return round(frames_a_second(self.films[0][0]), 3) if self.in_video else None


def converse(request: Request, media: MediaReader, packer: DecodedPacker, hears: bool) -> Conversation:
    """Return the conversation of a Request. `hears`: whether the model takes audio.

    Raises MediaError for media that are missing, can't be decoded, or can't be sent together.
    """
    packed = packer.pack(request)
    made = _MediaCollector()
    messages = [{"role": role, "content": [made.block(piece) for piece in turn]} for role, turn in packed.turns]
    _check_together(made.films)
    if hears and packer.packing.sound == "none":
        made.encoded += _unheard(request, media)
    return Conversation(messages, made.length, tuple(made.sounds), tuple(made.encoded), packed.sent, tuple(made.films))


class _MediaCollector:
    """Collects sounds and films while a conversation is made of pieces."""

    def __init__(self) -> None:
        self.length = 0.0
        self.sounds: list[Sound] = []
        self.encoded: list[Encoded] = []
        self.films: list[tuple[Film, Any]] = []

    def block(self, piece: Piece) -> dict[str, Any]:
        """Return one block of content."""
        if piece.kind == "text":
            self.length += len(piece.text) / LETTERS
            return {"type": "text", "text": piece.text}
        if piece.kind == "image":
            self.length += PICTURE_TOKENS
            return {"type": "image", "image": piece.picture}
        samples = None
        if piece.sound is not None:
            samples = piece.sound.samples[:, 0]
            self.sounds.append(Sound(piece.part.path, samples, piece.sound.seconds))
            self.length += piece.sound.seconds * SOUND_TOKENS
        if piece.film is None:
            return {"type": "audio", "audio": samples}
        import numpy as np

        film = piece.film
        self.films.append((film, samples))
        self.encoded.append(Encoded("video", piece.part.path, film.frames, len(set(film.numbers)), "frames"))
        self.length += PICTURE_TOKENS * len(film.pictures)
        return {"type": "video", "video": np.stack(film.pictures)}


def frames_a_second(film: Film) -> float:
    """Return how many frames of a film are sent for each of its seconds."""
    return len(film.pictures) / film.line.seconds


def metadata(film: Film) -> dict[str, Any]:
    """Return when a video's frames were taken, as the processors of transformers expect it (`VideoMetadata`).

    They compute the time of a frame as its number by the film's rate. The frames of a film with a variable rate are
    therefore numbered in thousandths of a second.
    """
    line = film.line
    height, width = film.pictures[0].shape[:2]
    fields: dict[str, Any] = {"height": height, "width": width, "duration": line.seconds, "video_backend": "pyav"}
    if line.is_steady:
        return {**fields, "fps": line.rate, "total_num_frames": film.frames, "frames_indices": list(film.numbers)}
    numbers = [round(second * _FINE) for second in film.times]
    return {**fields, "fps": float(_FINE), "total_num_frames": round(line.seconds * _FINE), "frames_indices": numbers}


def _check_together(films: Sequence[tuple[Film, Any]]) -> None:
    """Raise MediaError for films whose sound is in the video, if not all have a sound, or their rates differ."""
    with_sound = [sound is not None for _, sound in films]
    if any(with_sound) and not all(with_sound):
        raise MediaError(
            "one film has a sound and another has none, which can't be sent together in the videos",
            fix="--packing sound=apart",
        )
    rates = [frames_a_second(film) for film, _ in films]
    if any(with_sound) and max(rates) - min(rates) > SAME_RATE * max(rates):
        raise MediaError(
            "films with different numbers of frames a second can't be sent with the sound in them",
            got=", ".join(f"{rate:g}" for rate in rates),
            fix="--packing sound=apart",
        )


def _unheard(request: Request, media: MediaReader) -> list[Encoded]:
    """Return the sound of films that is not sent, by the lengths that their files declare."""
    unheard = []
    for part in request.media_parts:
        if part.kind != "video":
            continue
        payload = media.load(part)
        with suppress(MediaError), opened_container(payload.data, payload.path, "video") as container:
            for stream in container.streams.audio[:1]:
                seconds = float(stream.duration * stream.time_base) if stream.duration else 0.0
                unheard.append(Encoded("audio", part.path, round(seconds, 3), 0.0))
    return unheard
