"""Pieces for endpoints: files as they are where that is possible, frames as pictures, sound as WAV."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from triptych.errors import MediaError
from triptych.media.films.changes import mute
from triptych.media.films.frames import Film
from triptych.media.opening import opened_container, opened_picture
from triptych.media.payload import Payload
from triptych.media.pictures.upright import is_deep, is_turned, upright
from triptych.media.sound.coding import Sound, decode_sound, encode_wav
from triptych.models.packing.frames import QUALITY, encoded_frame, fitting_picture
from triptych.models.packing.packer import Fit, Packer, Piece, declared_film, declared_length, declared_size
from triptych.models.packing.packing import Packing, check_possible, packing
from triptych.records import Kind, Part, Sent

FULL_VIDEO_MODES = ("in_video", "none", "apart", "apart_first")
FRAMES = ("none", "apart", "apart_first", "interleaved")
USUAL = Packing()  # of endpoints: files as they are


def file_packing(adapter: str, setting: object, **can: Any) -> Packing:
    """Return the packing that an endpoint's setting describes. Raises SpecError for one that it can't carry out."""
    chosen = packing(setting, USUAL) if isinstance(setting, str | Mapping) and setting else USUAL
    return check_possible(chosen, adapter, **{"film_sounds": FULL_VIDEO_MODES, "frames": FRAMES, **can})


def declare_packing(settings: Mapping[str, Any], chosen: Packing) -> dict[str, Any]:
    """Return an adapter's settings with its packing spelt out; without it where files are sent as they are, which is
    how they were sent before packings were declared."""
    options = {key: value for key, value in settings.items() if key != "packing"}
    return options if chosen == USUAL else {**options, "packing": chosen.text}


def kinds_sent(taken: frozenset[Kind], chosen: Packing) -> frozenset[Kind]:
    """Return the kinds of Parts that an endpoint takes under a packing, from the kinds that it takes as they are."""
    if chosen.video == "whole":
        needed: set[Kind] = {"video"}
    else:
        needed = {"image"}
    if chosen.sound not in ("none", "in_video"):
        needed.add("audio")
    return taken | {"video"} if needed <= taken else taken - {"video"}


def _as_it_is(payload: Payload) -> Payload:
    return payload


@dataclass
class FilePacker(Packer):
    """Packs one Request for an endpoint. `fit` converts a payload to a container that the endpoint accepts."""

    fit: Fit = field(default=_as_it_is)

    def recording(self, part: Part) -> Piece:
        """The file as it is, unless the packing or the endpoint needs another form."""
        payload = self.media.load(part)
        if self.packing.rate or self.packing.channels:
            sound = decode_sound(payload.data, payload.path)
            made = self.in_form(sound)
            if (made.rate, made.channels) != (sound.rate, sound.channels):
                return self.track(part, made, self.at, "converted")
        return self._piece_of(payload, self.fit(payload))

    def _piece_of(self, payload: Payload, sent: Payload) -> Piece:
        form = "file" if sent is payload else "converted"
        seconds, rate, channels = declared_length(sent)
        self.sent.append(
            Sent(
                "audio",
                payload.part.path,
                form,
                self.at,
                seconds=seconds,
                rate=rate,
                channels=channels,
                size=len(sent.data),
                format=sent.format,
            )
        )
        return Piece("audio", payload.part, payload=sent, changed=sent is not payload)

    def image(self, part: Part) -> Piece:
        """The file as it is; one whose EXIF data turns it is sent as people see it."""
        payload = self.media.load(part)
        turned = _upright(payload)
        small = _limit_pixels(turned, self.packing)
        sent = self.fit(small)
        form = "upright" if turned is not payload else "file" if sent is turned else "converted"
        form = form if small is turned else "resized"
        width, height = declared_size(sent)
        self.sent.append(
            Sent("image", part.path, form, self.at, width=width, height=height, size=len(sent.data), format=sent.format)
        )
        return Piece("image", part, payload=sent, changed=sent is not payload)

    def whole(self, part: Part, taken: Part | None) -> Iterator[Piece]:
        """The file, with its sound, without it, or with the sound as a recording of its own."""
        payload = self.media.load(part)
        sound = None
        if self.packing.sound in ("apart", "apart_first"):
            sound = self.film_sound(payload, taken, _begins(payload))
        with_sound = self.packing.sound == "in_video" and (self.packing.sound_from == "film" or taken is not None)
        silent = payload if with_sound else _muted(payload)
        at = self.at
        if sound is not None and self.packing.sound == "apart_first":
            yield self.track(taken or part, self.in_form(sound), at)
            at += 1
        form = "file" if silent is payload else "converted"
        self.sent.append(msgspec.structs.replace(declared_film(silent), form=form, at=at))
        if with_sound:
            self._tell_own_sound(payload, at)
        yield Piece("video", part, payload=silent, changed=silent is not payload)
        if with_sound and taken is not None and not _has_sound(payload):
            yield self.recording(taken)  # the film can't stand for it
        if sound is not None and self.packing.sound == "apart":
            yield self.track(taken or part, self.in_form(sound), at + 1)

    def _tell_own_sound(self, payload: Payload, at: int) -> None:
        """Tell that a film is sent with sound, if it has any."""
        with suppress(MediaError), opened_container(payload.data, payload.path, "video") as container:
            for stream in container.streams.audio[:1]:
                codec = stream.codec_context
                seconds = float(stream.duration * stream.time_base) if stream.duration else None
                self.sent.append(
                    Sent(
                        "audio",
                        payload.part.path,
                        "in_video",
                        at,
                        seconds=None if seconds is None else round(seconds, 3),
                        rate=codec.sample_rate or None,
                        channels=codec.channels or None,
                    )
                )

    def video(self, part: Part, of: Part, shown: Film, sound: Sound | None, at: int) -> Iterator[Piece]:
        """Each frame as a picture."""
        pieces = [piece for index in range(len(shown.pictures)) for piece in self.captioned_frame(part, shown, index)]
        size = sum(len(piece.payload.data) for piece in pieces if piece.payload is not None)
        self._tell_film(part, shown, "pictures", at, size, self.packing.pictures)
        yield from pieces

    def still(self, part: Part, pixels: Any) -> Piece:
        """A frame as JPEG or PNG."""
        data = encoded_frame(pixels, self.packing.pictures)
        return Piece(
            "image", part, payload=self._make_payload(part, data, f"image/{self.packing.pictures}"), changed=True
        )

    def track(self, part: Part, sound: Sound, at: int | None, form: str = "converted") -> Piece:
        """A sound as WAV."""
        data = encode_wav(sound.samples, sound.rate)
        if at is not None:
            self._tell_sound(part, sound, form, at, len(data), "wav")
        return Piece("audio", part, payload=self._make_payload(part, data, "audio/wav"), changed=True)

    def _make_payload(self, part: Part, data: bytes, mime: str) -> Payload:
        kind = mime.partition("/")[0]
        made_part = msgspec.structs.replace(part, kind=kind, transform="")
        return Payload(made_part, self.media.resolve(part), data, mime, hashlib.sha256(data).hexdigest())


def _upright(payload: Payload) -> Payload:
    """Return a picture as people see it; unchanged if it is upright, or can't be read here."""
    with suppress(MediaError), opened_picture(payload.data, payload.path) as picture:
        if not is_turned(picture) and not is_deep(picture):
            return payload
        form = "JPEG" if picture.format in ("JPEG", "MPO") else "PNG"
        buffer = io.BytesIO()
        options = {"quality": QUALITY, "subsampling": 0} if form == "JPEG" else {}
        turned = upright(picture)
        (turned.convert("RGB") if form == "JPEG" else turned).save(buffer, form, **options)
        data = buffer.getvalue()
        return replace(payload, data=data, mime=f"image/{form.lower()}", sha256=hashlib.sha256(data).hexdigest())
    return payload


def _limit_pixels(payload: Payload, chosen: Packing) -> Payload:
    """Return a picture with at most the pixels that the packing allows; unchanged if it can't be read here."""
    if not chosen.image_pixels:
        return payload
    with suppress(MediaError), opened_picture(payload.data, payload.path) as picture:
        made = fitting_picture(picture, chosen)
        if made is picture:
            return payload
        form = "JPEG" if picture.format in ("JPEG", "MPO") and made.mode != "RGBA" else "PNG"
        buffer = io.BytesIO()
        made.save(buffer, form, **({"quality": QUALITY, "subsampling": 0} if form == "JPEG" else {}))
        data = buffer.getvalue()
        return replace(payload, data=data, mime=f"image/{form.lower()}", sha256=hashlib.sha256(data).hexdigest())
    return payload


def _muted(payload: Payload) -> Payload:
    """Return a film without its sound; unchanged if it has none. Raises MediaError if it can't be read."""
    if not _has_sound(payload):
        return payload
    data = mute(payload.data, payload.path)
    mime = "video/mp4" if data[4:8] == b"ftyp" else "video/x-matroska"
    return replace(payload, data=data, mime=mime, sha256=hashlib.sha256(data).hexdigest())


def _has_sound(payload: Payload) -> bool:
    with opened_container(payload.data, payload.path, "video") as container:
        return bool(container.streams.audio)


def _begins(payload: Payload) -> float:
    with opened_container(payload.data, payload.path, "video") as container:
        return float(container.start_time or 0) / 1_000_000
