"""Assembling the JSON body of a chat completion from bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from triptych.errors import MediaError, SpecError, nearest
from triptych.media.payload import MediaReader, Payload
from triptych.models.adapter import json_object
from triptych.models.loras import active, pairs_of
from triptych.models.packing.files import FilePacker, file_packing, kinds_sent
from triptych.models.packing.packer import Packed, Piece
from triptych.models.packing.packing import Packing
from triptych.records import Kind, Request, Sent

_ENCODER = msgspec.json.Encoder()
_CHOICES = {
    "audio": ("input_audio", "input_audio_url", "audio_url", "none"),
    "image": ("image_url", "none"),
    "video": ("video_url", "none"),
    "media_urls": ("data", "file"),
    "max_tokens_name": ("max_tokens", "max_completion_tokens"),
    "system_role": ("system", "developer", "user"),
    "server": ("", "vllm"),
}
# The API has two containers, and servers such as llama.cpp refuse all others; vLLM decodes what libsndfile reads
_AUDIO, _AUDIO_OF_VLLM = "wav,mp3", "wav,mp3,flac,ogg"


@dataclass(frozen=True)
class Dialect:
    """The API variant of a server: forms of content parts, names of fields, fields of every body."""

    fixed: Mapping[str, Any]
    extra: Mapping[str, Any]
    forms: Mapping[Kind, str]
    file_urls: bool
    audio_formats: frozenset[str]
    image_formats: frozenset[str]
    max_tokens_name: str
    system_role: str
    dropped: frozenset[str]
    packing: Packing
    loras: tuple[tuple[Kind, str], ...] = ()
    vllm: bool = False

    @property
    def accepts(self) -> frozenset[Kind]:
        """The kinds of Parts that can be sent; films also as pictures and recordings."""
        taken: set[Kind] = {kind for kind, form in self.forms.items() if form != "none"}
        return kinds_sent(frozenset(taken | {"text"}), self.packing)

    @classmethod
    def from_settings(cls, model: str, settings: Mapping[str, Any]) -> Dialect:
        """Return the dialect described by the adapter's settings. Raises SpecError for an unknown value."""
        for key, values in _CHOICES.items():
            if settings[key] not in values:
                fix = nearest(str(settings[key]), values)
                raise SpecError(
                    f"openai: unknown value of {key}", got=settings[key], expected=" | ".join(values), fix=fix
                )
        vllm = settings["server"] == "vllm"
        audio = settings["audio_formats"] or (_AUDIO_OF_VLLM if vllm else _AUDIO)
        packing = file_packing("openai", settings["packing"], whole_keys=("fps", "frames") if vllm else ())
        return cls(
            fixed=_fixed(model, settings) | (_for_vllm(packing) if vllm else {}),
            extra=_extra(settings["extra"]),
            forms={"audio": settings["audio"], "image": settings["image"], "video": settings["video"]},
            file_urls=settings["media_urls"] == "file",
            audio_formats=_names(audio),
            image_formats=_names(settings["image_formats"]),
            max_tokens_name=settings["max_tokens_name"],
            system_role=settings["system_role"],
            dropped=_names(settings["drop"]),
            packing=packing,
            loras=pairs_of(str(settings["loras"])),
            vllm=vllm,
        )


# Fields of a body that are set otherwise, so that what was sent is what the Run says
_SET_BY = {
    "model": "--model openai/NAME",
    "messages": "--prompt FILE",
    **{name: f"-M {name}=…" for name in ("temperature", "top_p", "top_k", "max_tokens", "stop", "seed", "stream")},
    **{name: f"-M {name}=…" for name in ("logprobs", "top_logprobs", "modalities", "chat_template_kwargs")},
    "max_completion_tokens": "-M max_tokens=… -M max_tokens_name=max_completion_tokens",
}


def _extra(value: Any) -> dict[str, Any]:
    """Return the fields that are added to every body. Raises SpecError for a field that another setting is for."""
    extra = json_object("openai", "extra", value)
    if taken := next((name for name in extra if name in _SET_BY), None):
        raise SpecError(
            f"openai: extra can't set {taken}, which the Run records elsewhere",
            got=f"{taken}: {str(extra[taken])[:80]}",
            fix=_SET_BY[taken],
        )
    return extra


class Body(bytes):
    """The bytes of a body, what was sent in it for each media Part, and the LoRA adapter that it asks for."""

    sent: tuple[Sent, ...] = ()
    adapter: str = ""


def body_bytes(request: Request, media: MediaReader, dialect: Dialect) -> Body:
    """Return the whole body. Raises MediaError for media that can't be read or converted."""
    packed = FilePacker(media, dialect.packing, fit=lambda payload: _in_known_format(payload, dialect)).pack(request)
    adapter = active(dialect.loras, {piece.kind for _, turn in packed.turns for piece in turn}) if dialect.loras else ""
    fields: dict[str, Any] = {"model": adapter} if adapter else {}
    if dialect.vllm and _hears_films(packed):
        fields["mm_processor_kwargs"] = {"use_audio_in_video": True}
    pieces = [_head(dialect, fields, request.settings)[:-1], b',"messages":[']
    for number, (role, turn) in enumerate(packed.turns):
        pieces.append(b"," if number else b"")
        pieces.extend(_message(role, turn, dialect))
    pieces.append(b"]}")
    made = Body(b"".join(pieces))
    made.sent, made.adapter = packed.sent, adapter
    return made


def _head(dialect: Dialect, fields: Mapping[str, Any], settings: Mapping[str, Any]) -> bytes:
    """Return the body without the messages, as a JSON object."""
    named = {
        dialect.max_tokens_name if key == "max_tokens" else key: value
        for key, value in settings.items()
        if value is not None and key not in dialect.dropped
    }
    if schema := named.pop("json_schema", None):
        named["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
    return _ENCODER.encode({**dialect.fixed, **fields, **named, **dialect.extra})


def _message(role: str, turn: Sequence[Piece], dialect: Dialect) -> Iterator[bytes]:
    role = dialect.system_role if role == "system" else role
    yield b'{"role":"' + role.encode() + b'","content":'
    if len(turn) == 1 and turn[0].kind == "text":  # the form that every server supports
        yield _ENCODER.encode(turn[0].text)
    else:
        yield b"["
        for number, piece in enumerate(turn):
            yield b"," if number else b""
            yield from _content(piece, dialect)
        yield b"]"
    yield b"}"


def _content(piece: Piece, dialect: Dialect) -> Iterator[bytes]:
    """Return one content part."""
    payload = piece.payload
    if payload is None:
        yield b'{"type":"text","text":' + _ENCODER.encode(piece.text) + b"}"
        return
    form = dialect.forms[piece.kind].encode()
    if form in (b"input_audio", b"input_audio_url"):
        yield b'{"type":"input_audio","input_audio":{"data":"'
        yield b"data:%b;base64," % payload.mime.encode() if form == b"input_audio_url" else b""
        yield payload.base64
        yield b'","format":"' + payload.format.encode() + b'"}}'
    elif dialect.file_urls and payload.path.suffix and not piece.changed and not piece.part.transform:
        yield b'{"type":"%b","%b":{"url":' % (form, form) + _ENCODER.encode(payload.path.as_uri()) + b"}}"
    else:
        yield b'{"type":"%b","%b":{"url":"data:%b;base64,' % (form, form, payload.mime.encode())
        yield payload.base64
        yield b'"}}'


def _in_known_format(payload: Payload, dialect: Dialect) -> Payload:
    """Return the payload unchanged, or converted to a container that the server accepts."""
    from triptych.media.convert import audio_to_wav, image_to_png

    if dialect.file_urls and not payload.part.transform:  # the server reads the file itself
        return payload
    if payload.part.kind == "audio" and payload.format not in dialect.audio_formats:
        return audio_to_wav(payload)
    if payload.part.kind == "image" and payload.format not in dialect.image_formats:
        return image_to_png(payload)
    return payload


def _fixed(model: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that are the same in every body."""
    fixed: dict[str, Any] = {"model": model}
    if settings["stream"]:
        fixed |= {"stream": True, "stream_options": {"include_usage": True}}
    if template := json_object("openai", "chat_template_kwargs", settings["chat_template_kwargs"]):
        fixed["chat_template_kwargs"] = template
    if settings["modalities"]:
        fixed["modalities"] = sorted(_names(settings["modalities"]), reverse=True)
    if settings["logprobs"] or settings["top_logprobs"]:
        fixed["logprobs"] = True
    if settings["top_logprobs"]:
        fixed["top_logprobs"] = settings["top_logprobs"]
    return fixed


def _for_vllm(packing: Packing) -> dict[str, Any]:
    """Return the fields by which vLLM learns how many frames of a whole film it reads; without them it reads 32
    (`--media-io-kwargs`)."""
    if packing.video != "whole":
        return {}
    fields = {"fps": packing.fps, "num_frames": packing.frames}
    read = {name: value for name, value in fields.items() if value}
    return {"media_io_kwargs": {"video": read}} if read else {}


def _hears_films(packed: Packed) -> bool:
    """Return whether vLLM has to read the sound of a Request's films.

    It then reads a sound from every film, fails for one that has none, and takes a recording for the sound of a film.
    Raises MediaError for films and recordings that it can't take together.
    """
    pieces = [piece for _, turn in packed.turns for piece in turn]
    films = [piece for piece in pieces if piece.kind == "video"]
    films_with_sound = [one for one in packed.sent if one.form == "in_video"]
    recordings = [piece for piece in pieces if piece.kind == "audio"]
    if not films_with_sound:
        return False
    if len(films_with_sound) == len(films) and not recordings:
        return True
    raise MediaError(
        "vLLM takes films with their sound only if each has one, and no recording is asked besides",
        where=films_with_sound[0].path,
        got=f"{len(films)} films, {len(films_with_sound)} with sound, {len(recordings)} recordings",
        fix="--packing sound=none sends films without their sound, sound=apart sends it as recordings, sound_from=part "
        "takes the recording for the film's sound",
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in text.split(",") if name.strip())
