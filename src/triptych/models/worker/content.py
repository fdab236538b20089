"""A Request for a worker: texts, and files of media that Triptych has decoded, in a folder of the Request's own."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.media.films import film
from triptych.media.opening import opened_picture
from triptych.media.payload import MediaReader
from triptych.media.sound import SPEECH_HZ, decode_sound, encode_wav
from triptych.records import Encoded, Part, Request


@dataclass(frozen=True, eq=False)
class Conversation:
    """Messages as a runner takes them, and their media.

    messages  [{"role", "content": [{"type": "text", "text"} or {"type", "path" or "paths", …}]}]
    length    expected cost, for putting similar ones into a batch
    encoded   what is known of the media: seconds of recordings, frames of videos
    paths     file -> path of the Part
    """

    messages: list[dict[str, Any]]
    length: float
    encoded: tuple[Encoded, ...]
    paths: Mapping[str, str]


def converse(request: Request, media: MediaReader, taken: Mapping[str, Any]) -> Conversation:
    """Return the conversation; its files are removed once it is no longer used. Raises MediaError.

    Recordings become WAV files (mono, 16 kHz), pictures PNG files, videos a list of PNG files.
    """
    folder = Path(tempfile.mkdtemp(prefix="triptych-worker-"))
    writer = _Writer(folder, media, taken)
    try:
        messages = [
            {"role": turn.role, "content": [writer.block(part) for part in turn.parts]} for turn in request.messages
        ]
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    made = Conversation(messages, writer.length, tuple(writer.encoded), writer.paths)
    weakref.finalize(made, shutil.rmtree, folder, True)
    return made


class _Writer:
    """Writes the media of one Request."""

    def __init__(self, folder: Path, media: MediaReader, taken: Mapping[str, Any]) -> None:
        self._folder, self._media, self._taken = folder, media, taken
        self.length, self.encoded, self.paths = 0.0, list[Encoded](), dict[str, str]()

    def block(self, part: Part) -> dict[str, Any]:
        if part.kind == "text":
            self.length += len(part.text)
            return {"type": "text", "text": part.text}
        payload = self._media.load(part)
        if part.kind == "audio":
            samples = decode_sound(payload.data, payload.path).mono(SPEECH_HZ)
            seconds = len(samples) / SPEECH_HZ
            self.length += 100 * seconds
            self.encoded.append(Encoded("audio", part.path, round(seconds, 3), round(seconds, 3)))
            path = self._write(part, ".wav", encode_wav(samples[:, None], SPEECH_HZ))
            return {"type": "audio", "path": path, "seconds": round(seconds, 3)}
        if part.kind == "image":
            with opened_picture(payload.data, payload.path) as picture:
                self.length += 1000
                return {"type": "image", "path": self._picture(part, picture.convert("RGB"))}
        return self._film(part, payload)

    def _film(self, part: Part, payload: Any) -> dict[str, Any]:
        from PIL import Image

        shown = film(payload.data, float(self._taken["fps"]), int(self._taken["max_frames"]), payload.path)
        self.length += 1000 * len(shown.pictures)
        self.encoded.append(Encoded("video", part.path, shown.frames, len(shown.pictures), "frames"))
        paths = [self._picture(part, Image.fromarray(one)) for one in shown.pictures]
        return {"type": "video", "paths": paths, "times": list(shown.times), "fps": float(self._taken["fps"])}

    def _picture(self, part: Part, picture: Any) -> str:
        path = self._name(part, ".png")
        picture.save(path, "PNG", compress_level=1)
        return str(path)

    def _write(self, part: Part, ending: str, data: bytes) -> str:
        path = self._name(part, ending)
        path.write_bytes(data)
        return str(path)

    def _name(self, part: Part, ending: str) -> Path:
        path = self._folder / f"{len(self.paths)}{ending}"
        self.paths[str(path)] = part.path
        return path
