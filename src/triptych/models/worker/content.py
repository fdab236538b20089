"""A Request for a worker: texts, and files of media that Triptych has decoded, in a folder of the Request's own."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.media.payload import MediaReader
from triptych.media.sound.coding import SPEECH_HZ, encode_wav
from triptych.models.packing.decoded import DecodedPacker
from triptych.models.packing.packer import Piece
from triptych.models.packing.packing import Packing
from triptych.records import Encoded, Request, Sent


@dataclass(frozen=True, eq=False)
class Conversation:
    """Messages as a runner takes them, and their media.

    messages  [{"role", "content": [{"type": "text", "text"} or {"type", "path" or "paths", …}]}]
    length    expected cost, for putting similar ones into a batch
    encoded   what is known of the media: seconds of recordings, frames of videos
    paths     file -> path of the Part
    sent      what was sent for each media Part
    """

    messages: list[dict[str, Any]]
    length: float
    encoded: tuple[Encoded, ...]
    paths: Mapping[str, str]
    sent: tuple[Sent, ...] = ()


def converse(request: Request, media: MediaReader, packing: Packing) -> Conversation:
    """Return the conversation; its files are removed once it is no longer used. Raises MediaError.

    Recordings become WAV files (mono, 16 kHz), pictures PNG files, videos a list of PNG files.
    """
    folder = Path(tempfile.mkdtemp(prefix="triptych-worker-"))
    writer = _Writer(folder, packing)
    try:
        packed = DecodedPacker(media, packing, rate=SPEECH_HZ).pack(request)
        messages = [{"role": role, "content": [writer.block(piece) for piece in turn]} for role, turn in packed.turns]
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    made = Conversation(messages, writer.length, tuple(writer.encoded), writer.paths, packed.sent)
    weakref.finalize(made, shutil.rmtree, folder, True)
    return made


class _Writer:
    """Writes the media of one Request."""

    def __init__(self, folder: Path, packing: Packing) -> None:
        self._folder, self._packing = folder, packing
        self.length, self.encoded, self.paths = 0.0, list[Encoded](), dict[str, str]()

    def block(self, piece: Piece) -> dict[str, Any]:
        path = piece.part.path
        if piece.kind == "text":
            self.length += len(piece.text)
            return {"type": "text", "text": piece.text}
        if piece.film is not None:
            return self._film(piece)
        if piece.sound is not None:
            seconds = round(piece.sound.seconds, 3)
            self.length += 100 * seconds
            self.encoded.append(Encoded("audio", path, seconds, seconds))
            return {
                "type": "audio",
                "path": self._write(path, encode_wav(piece.sound.samples, piece.sound.rate)),
                "seconds": seconds,
            }
        self.length += 1000
        return {"type": "image", "path": self._picture(path, piece.picture)}

    def _film(self, piece: Piece) -> dict[str, Any]:
        from PIL import Image

        film = piece.film
        assert film is not None
        self.length += 1000 * len(film.pictures)
        self.encoded.append(Encoded("video", piece.part.path, film.frames, len(film.pictures), "frames"))
        paths = [self._picture(piece.part.path, Image.fromarray(one)) for one in film.pictures]
        fps = self._packing.fps or round(len(film.pictures) / film.line.seconds, 6)
        return {"type": "video", "paths": paths, "times": list(film.times), "fps": fps}

    def _picture(self, of: str, picture: Any) -> str:
        path = self._name(of, ".png")
        picture.save(path, "PNG", compress_level=1)
        return str(path)

    def _write(self, of: str, data: bytes) -> str:
        path = self._name(of, ".wav")
        path.write_bytes(data)
        return str(path)

    def _name(self, of: str, ending: str) -> Path:
        path = self._folder / f"{len(self.paths)}{ending}"
        self.paths[str(path)] = of
        return path
