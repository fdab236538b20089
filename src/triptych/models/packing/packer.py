"""From a Request to the pieces that are sent, in order, as a packing says; and what was sent for each media Part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from triptych.errors import MediaError
from triptych.media.films.frames import Film, Resize, film
from triptych.media.opening import length_of, opened_container, opened_picture, opened_sound
from triptych.media.payload import MediaReader, Payload
from triptych.media.sound.coding import Sound, decode_sound, sound_track
from triptych.models.packing.frames import resized
from triptych.models.packing.packing import Packing
from triptych.records import Kind, Message, Part, Request, Sent

REST_S = 0.1  # a rest of a sound that is no longer than this belongs to the second before it: codecs pad the end


class Piece(msgspec.Struct, frozen=True, eq=False):
    """One piece of content as it is sent: a text, bytes of a file (`payload`), or decoded media.

    picture   a PIL image
    sound     a recording
    film      frames that are one video; `sound` is then the sound in it
    changed   whether the bytes aren't those of the file
    """

    kind: Kind
    part: Part
    text: str = ""
    payload: Payload | None = None
    picture: Any = None
    sound: Sound | None = None
    film: Film | None = None
    changed: bool = False


class Packed(msgspec.Struct, frozen=True, eq=False):
    """A Request as it is sent: (role, pieces) of each turn, and what was sent for each media Part."""

    turns: tuple[tuple[str, tuple[Piece, ...]], ...]
    sent: tuple[Sent, ...]


@dataclass
class Packer:
    """Packs one Request. Subclasses say in which form recordings, pictures and films are passed on."""

    media: MediaReader
    packing: Packing
    sent: list[Sent] = field(default_factory=list)
    at: int = 0

    def pack(self, request: Request) -> Packed:
        """Return the Request as it is sent. Raises MediaError for media that are missing or can't be read."""
        turns = tuple([(turn.role, tuple(self._turn_pieces(turn))) for turn in request.messages])
        return Packed(turns, tuple(self.sent))

    def _turn_pieces(self, turn: Message) -> Iterator[Piece]:
        parts = order_parts(turn.parts, self.packing.order)
        taken = self._sound_of_film(parts)
        for part in parts:
            if part.kind == "text":
                yield Piece("text", part, text=part.text)
                self.at += 1
            elif part is not taken:
                for piece in self._pieces(part, taken):
                    yield piece
                    self.at += 1

    def _pieces(self, part: Part, taken: Part | None) -> Iterator[Piece]:
        if part.kind == "audio":
            yield self.recording(part)
        elif part.kind == "image":
            yield self.image(part)
        elif self.packing.video == "whole":
            yield from self.whole(part, taken)
        else:
            yield from self.frames(part, taken)

    def _sound_of_film(self, parts: Sequence[Part]) -> Part | None:
        """Return the recording that takes the place of a film's own sound; None if there is none."""
        if self.packing.sound_from != "part" or self.packing.sound == "none":
            return None
        films = [part for part in parts if part.kind == "video"]
        sounds = [part for part in parts if part.kind == "audio"]
        if not films or not sounds:
            return None
        if len(films) > 1 or len(sounds) > 1:
            raise MediaError(
                "it is not clear which recording belongs to which film",
                where=films[0].path,
                got=f"{len(films)} films, {len(sounds)} recordings",
                expected="one of each with sound_from=part",
                fix="--packing sound_from=film",
            )
        return sounds[0]

    def film_sound(self, payload: Payload, taken: Part | None, begins: float) -> Sound | None:
        """Return the sound that goes with a film; None if there is none."""
        if self.packing.sound_from == "part":
            if taken is None:
                return None
            medium = self.media.load(taken)
            return decode_sound(medium.data, medium.path)
        return sound_track(payload.data, payload.path, begins)

    def chosen_frames(self, payload: Payload) -> Film:
        """Return the film's frames that the packing chooses."""
        chosen = self.packing
        return film(
            payload.data,
            chosen.fps or None,
            chosen.frames or None,
            payload.path,
            min_frames=chosen.least,
            multiple=chosen.multiple,
            spread=chosen.spread,
            resize=self.resize(),
        )

    def resize(self) -> Resize | None:
        """Return what resizes the frames of a film; None if they keep their size."""
        return resized(self.packing)

    def in_form(self, sound: Sound) -> Sound:
        """Return a recording at the packing's rate and number of channels."""
        rate = self.packing.rate or sound.rate
        if self.packing.channels == 1 and sound.channels > 1:
            return Sound(sound.mono(rate)[:, None], rate)
        return sound.resample(rate)

    def frames(self, part: Part, taken: Part | None) -> Iterator[Piece]:
        """Yield the pieces of a film whose frames are chosen here."""
        payload = self.media.load(part)
        shown = self.chosen_frames(payload)
        wanted = self.packing.sound != "none"
        sound = self.film_sound(payload, taken, shown.line.begins) if wanted else None
        sound = None if sound is None else self.in_form(sound)
        of = taken or part
        if self.packing.sound == "interleaved":
            yield from self.interleaved_pieces(part, of, shown, sound)
            return
        at = self.at
        if sound is not None and self.packing.sound == "apart_first":
            yield self.track(of, sound, at)
            at += 1
        pieces = list(self.video(part, of, shown, sound if self.packing.sound == "in_video" else None, at))
        yield from pieces
        if sound is not None and self.packing.sound == "apart":
            yield self.track(of, sound, at + len(pieces))

    def interleaved_pieces(self, part: Part, of: Part, shown: Film, sound: Sound | None) -> Iterator[Piece]:
        """Yield for each second its frames, then its sound."""
        self._tell_film(part, shown, "interleaved", self.at)
        if sound is not None:
            self._tell_sound(of, sound, "interleaved", self.at)
        length = max(shown.line.seconds, 0.0 if sound is None else sound.seconds)
        count = max(1, math.ceil(length - REST_S))
        for second in range(count):
            ends = math.inf if second == count - 1 else second + 1
            for index, at in enumerate(shown.times):
                if second <= at < ends:
                    yield from self.captioned_frame(part, shown, index)
            if sound is not None:
                until = None if second == count - 1 else (second + 1) * sound.rate
                if len(piece := sound.samples[second * sound.rate : until]):
                    yield self.track(of, Sound(piece, sound.rate), None)

    def captioned_frame(self, part: Part, shown: Film, index: int) -> Iterator[Piece]:
        """Yield a frame as a picture, after its caption."""
        if words := caption(self.packing, index + 1, shown.times[index]):
            yield Piece("text", part, text=words)
        yield self.still(part, shown.pictures[index])

    def recording(self, part: Part) -> Piece:
        """Return a recording that is asked."""
        raise NotImplementedError

    def image(self, part: Part) -> Piece:
        """Return a picture that is asked."""
        raise NotImplementedError

    def whole(self, part: Part, taken: Part | None) -> Iterator[Piece]:
        """Yield the pieces of a film whose frames its receiver chooses."""
        raise NotImplementedError

    def video(self, part: Part, of: Part, shown: Film, sound: Sound | None, at: int) -> Iterator[Piece]:
        """Yield a film's chosen frames, with the sound in it, if any."""
        raise NotImplementedError

    def still(self, part: Part, pixels: Any) -> Piece:
        """Return one frame as a picture."""
        raise NotImplementedError

    def track(self, part: Part, sound: Sound, at: int | None) -> Piece:
        """Return a film's sound, or a piece of it, as a recording; `at` None: `sent` has it already."""
        raise NotImplementedError

    def _tell_film(self, part: Part, shown: Film, form: str, at: int, size: int | None = None, kind: str = "") -> None:
        height, width = shown.pictures[0].shape[:2]
        self.sent.append(
            Sent(
                "video",
                part.path,
                form,
                at,
                seconds=round(shown.line.seconds, 3),
                width=width,
                height=height,
                times=shown.times,
                frames=shown.frames,
                size=size,
                format=kind,
            )
        )

    def _tell_sound(
        self, part: Part, sound: Sound, form: str, at: int, size: int | None = None, kind: str = ""
    ) -> None:
        self.sent.append(
            Sent(
                "audio",
                part.path,
                form,
                at,
                seconds=round(sound.seconds, 3),
                rate=sound.rate,
                channels=sound.channels,
                size=size,
                format=kind,
            )
        )


def order_parts(parts: Sequence[Part], order: str) -> list[Part]:
    """Return a turn's Parts in the packing's order. Only media of the question and its content move, never those of
    options, whose place is their meaning."""
    if order == "given":
        return list(parts)
    moved = [part for part in parts if part.is_media and part.role]
    rest = [part for part in parts if not (part.is_media and part.role)]
    return [*moved, *rest] if order == "media_first" else [*rest, *moved]


def caption(packing: Packing, number: int, second: float) -> str:
    """Return the text before a frame that is sent as a picture.

    Example:
        >>> caption(Packing(caption="Frame{number} at {time:.1f} s: "), 3, 2.04)
        'Frame3 at 2.0 s: '
    """
    return packing.caption.format(number=number, time=second) if packing.caption else ""


def declared_length(payload: Payload) -> tuple[float | None, int | None, int | None]:
    """Return (seconds, rate, channels) that a recording's header declares; None for what it doesn't."""
    with suppress(MediaError), opened_sound(payload.data, payload.path) as sound:
        return round(sound.frames / sound.samplerate, 3), sound.samplerate, sound.channels
    with suppress(MediaError), opened_container(payload.data, payload.path) as container:
        for stream in container.streams.audio[:1]:
            codec = stream.codec_context
            return round(length_of(container), 3) or None, codec.sample_rate or None, codec.channels or None
    return None, None, None


def declared_size(payload: Payload) -> tuple[int | None, int | None]:
    """Return (width, height) of a picture; None if its header can't be read."""
    with suppress(MediaError), opened_picture(payload.data, payload.path) as picture:
        return int(picture.width), int(picture.height)
    return None, None


def declared_film(payload: Payload) -> Sent:
    """Return what a film's header declares, for its Part."""
    text = Sent("video", payload.part.path, "file", size=len(payload.data), format=payload.format)
    with suppress(MediaError), opened_container(payload.data, payload.path, "video") as container:
        stream = container.streams.video[0] if container.streams.video else None
        text = msgspec.structs.replace(text, seconds=round(length_of(container), 3) or None)
        if stream is not None:
            codec = stream.codec_context
            text = msgspec.structs.replace(text, width=codec.width, height=codec.height, frames=stream.frames or None)
    return text


Fit = Callable[[Payload], Payload]  # to a container that an endpoint accepts; the same object if it is one
