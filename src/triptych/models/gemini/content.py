"""Building contents and configuration for Gemini from a Request, and selecting the media to upload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.media.convert import audio_to_wav, image_to_png
from triptych.media.payload import MediaReader, Payload
from triptych.models.packing.files import USUAL, FilePacker
from triptych.models.packing.packer import Piece
from triptych.models.packing.packing import Packing
from triptych.records import Request, Sent

if TYPE_CHECKING:
    from google.genai import types

# Formats that the service accepts, by its own names (ai.google.dev, "Audio/Image/Video understanding"); others are
# converted: audio to WAV, images to PNG
MIME_TYPES = {
    "audio/wav": "audio/wav",
    "audio/mpeg": "audio/mp3",
    "audio/ogg": "audio/ogg",
    "audio/flac": "audio/flac",
    "audio/aac": "audio/aac",
    "image/png": "image/png",
    "image/jpeg": "image/jpeg",
    "image/webp": "image/webp",
    "video/mp4": "video/mp4",
    "video/webm": "video/webm",
    "video/quicktime": "video/mov",
    "video/x-msvideo": "video/avi",
}
_CONFIG = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "seed": "seed",
    "max_tokens": "max_output_tokens",
}


@dataclass(frozen=True, slots=True)
class Media:
    """A file of a Request: its bytes, or its path if the file on disk is uploaded unchanged."""

    sha256: str
    mime: str
    size: int
    data: bytes | None
    path: Path
    changed: bool = False

    @property
    def name(self) -> str:
        """The identity of an upload: content and type."""
        return f"{self.sha256}/{self.mime}"


@dataclass(frozen=True, slots=True)
class Prepared:
    """The turns of a Request with their media; `large`: the files to upload."""

    system: str
    turns: tuple[tuple[str, tuple[str | Media, ...]], ...]
    large: tuple[Media, ...]
    sent: tuple[Sent, ...] = ()


def prepare(request: Request, media: MediaReader, inline_bytes: int, packing: Packing = USUAL) -> Prepared:
    """Read all media. The largest are selected for uploading until the others fit into the Request. Raises
    MediaError.
    """
    packed = FilePacker(media, packing, fit=_in_known_format).pack(request)
    system = "\n\n".join(piece.text for role, turn in packed.turns if role == "system" for piece in turn)
    turns = [
        ("model" if role == "assistant" else "user", [_read(piece) for piece in turn])
        for role, turn in packed.turns
        if role != "system"
    ]
    files = [piece for _, pieces in turns for piece in pieces if isinstance(piece, Media)]
    large = {file.name: _on_disk(file) for file in _too_large(files, inline_bytes)}
    exchanged = ((role, tuple(large.get(p.name, p) if isinstance(p, Media) else p for p in ps)) for role, ps in turns)
    return Prepared(system, tuple(exchanged), tuple(large.values()), packed.sent)


def as_content(prepared: Prepared, uris: Mapping[str, str], fps: float = 0.0) -> list[types.Content]:
    """Return the turns as the SDK's objects, with the addresses of uploaded files."""
    from google.genai import types

    def part(piece: str | Media) -> types.Part:
        if isinstance(piece, str):
            return types.Part(text=piece)
        frames = types.VideoMetadata(fps=fps) if fps and piece.mime.startswith("video/") else None
        if piece.name in uris:
            where = types.FileData(file_uri=uris[piece.name], mime_type=piece.mime)
            return types.Part(file_data=where, video_metadata=frames)
        return types.Part(inline_data=types.Blob(data=piece.data, mime_type=piece.mime), video_metadata=frames)

    return [types.Content(role=role, parts=[part(piece) for piece in pieces]) for role, pieces in prepared.turns]


def config_of(request: Request, system: str, taken: Mapping[str, Any]) -> types.GenerateContentConfig:
    """Return decoding settings, thinking, and everything else that accompanies the contents."""
    from google.genai import types

    dropped = {name.strip() for name in str(taken["drop"]).split(",")}
    settings = {k: v for k, v in request.settings.items() if v is not None and k not in dropped}
    config: dict[str, Any] = {_CONFIG[k]: v for k, v in settings.items() if k in _CONFIG}
    if stop := settings.get("stop"):
        config["stop_sequences"] = [stop] if isinstance(stop, str) else list(stop)
    if schema := settings.get("json_schema"):
        config |= {"response_mime_type": "application/json", "response_json_schema": schema}
    if "max_output_tokens" in config:
        config["max_output_tokens"] += max(taken["thinking_budget"] or 0, taken["thinking_room"], 0)
    if taken["logprobs"] or taken["top_logprobs"]:
        config |= {"response_logprobs": True, "logprobs": taken["top_logprobs"] or None}
    if taken["media_resolution"]:
        config["media_resolution"] = f"MEDIA_RESOLUTION_{taken['media_resolution'].upper()}"
    config |= {"system_instruction": system or None, "safety_settings": list(_safety(taken["safety"])) or None}
    return types.GenerateContentConfig(**config, thinking_config=_thinking(taken))


def _thinking(taken: Mapping[str, Any]) -> types.ThinkingConfig | None:
    from google.genai import types

    level = str(taken["thinking_level"]).upper() or None
    if taken["thinking_budget"] is None and level is None and not taken["thoughts"]:
        return None
    return types.ThinkingConfig(
        thinking_budget=taken["thinking_budget"],
        thinking_level=level,  # type: ignore[arg-type]
        include_thoughts=taken["thoughts"] or None,
    )


def _safety(threshold: str) -> Iterator[types.SafetySetting]:
    """Return one threshold for the four configurable categories."""
    from google.genai import types

    if threshold:
        for name in ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT"):
            category = types.HarmCategory(f"HARM_CATEGORY_{name}")
            yield types.SafetySetting(category=category, threshold=types.HarmBlockThreshold(threshold.upper()))


def _read(piece: Piece) -> str | Media:
    payload = piece.payload
    if payload is None:
        return piece.text
    mime = MIME_TYPES.get(payload.mime, payload.mime)
    return Media(payload.sha256, mime, len(payload.data), payload.data, payload.path, piece.changed)


def _in_known_format(payload: Payload) -> Payload:
    """Return the payload unchanged, or converted to a container that the service accepts."""
    if payload.mime in MIME_TYPES or payload.part.kind == "video":
        return payload
    return audio_to_wav(payload) if payload.part.kind == "audio" else image_to_png(payload)


def _too_large(files: list[Media], inline_bytes: int) -> Iterator[Media]:
    """Return the largest files, until the others fit."""
    left = sum(file.size for file in files)
    for file in sorted(files, key=lambda file: file.size, reverse=True):
        if left <= inline_bytes:
            return
        yield file
        left -= file.size


def _on_disk(file: Media) -> Media:
    """Drop the bytes if the file on disk is the same, so that videos are not kept in memory while they wait."""
    try:
        same = not file.changed and file.path.stat().st_size == file.size
    except OSError:
        same = False
    return replace(file, data=None) if same else file
