"""Reading media from a data root: paths are resolved safely, bytes are read once and hashed on the way."""

from __future__ import annotations

import binascii
import hashlib
import os
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from triptych.errors import MediaError
from triptych.media.opening import MAX_BYTES, open_ordinary
from triptych.media.paths import resolve_below
from triptych.media.sniff import sniff
from triptych.records import Part

MIME_TYPES = {
    ".wav": "audio/wav", ".mp3": "audio/mpeg", ".flac": "audio/flac", ".ogg": "audio/ogg", ".opus": "audio/ogg",
    ".m4a": "audio/mp4", ".aac": "audio/aac", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png",
    ".webp": "image/webp", ".gif": "image/gif", ".bmp": "image/bmp", ".mp4": "video/mp4", ".webm": "video/webm",
    ".mkv": "video/x-matroska", ".mov": "video/quicktime", ".avi": "video/x-msvideo",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Payload:
    """A media file's bytes as they lie on disk, or as the Part's `transform` has made them; with type and hash."""

    part: Part
    path: Path
    data: bytes
    mime: str
    sha256: str

    @property
    def format(self) -> str:
        """The container's short name, as servers want it: `wav`, `mp3`, `jpeg`."""
        name = self.mime.partition("/")[2]
        return {"mpeg": "mp3", "mp4": "m4a" if self.part.kind == "audio" else "mp4"}.get(name, name)

    @property
    def base64(self) -> bytes:
        """The bytes in base64, made anew at each call."""
        return binascii.b2a_base64(self.data, newline=False)


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Where a Run's media lie.

    `named`: its user named it, or it is a mini set. A folder that only the Run's manifest names may be any folder of
    whoever opens the Run: of such a one no file is given but those whose SHA-256 the Run's Items tell.
    """

    path: Path
    named: bool = True

    def reader(self) -> MediaReader:
        """What reads media in it."""
        return MediaReader(self.path, confirm=not self.named)


class MediaReader:
    """Reads media Parts under one data root, and remembers the hashes of what it read (bounded).

    `extra`: files outside the data root that a `transform` may mix in, by their SHA-256 (a recording of babble).
    `confirm`: give only files whose SHA-256 is the one that the Part tells.
    """

    def __init__(
        self, root: Path | None, *, remembered: int = 4096, extra: Mapping[str, Path] | None = None,
        confirm: bool = False,
    ) -> None:  # fmt: skip
        self.root, self._confirm = root, confirm
        self._extra = dict(extra or {})
        self._real_root = "" if root is None else os.path.realpath(root)
        self._hashes: OrderedDict[str, str] = OrderedDict()
        self._remembered = remembered
        self._lock = Lock()  # adapters may load in threads

    def resolve(self, part: Part) -> Path:
        """The file behind a Part. Raises MediaError where it is missing, outside the root, a URL or too large."""
        if self.root is None:
            raise MediaError(f"{part.path} was asked for, but there is no data folder", fix="pass --data DIR")
        path = resolve_below(self._real_root, part.path)
        try:
            size = path.stat().st_size
        except OSError as error:
            raise MediaError(f"{part.kind} file can't be read ({error.strerror})", where=path) from None
        if size > MAX_BYTES:
            raise MediaError(f"{part.kind} file is too large", where=path, expected=f"<= {MAX_BYTES}", got=size)
        if not size:
            raise MediaError(f"{part.kind} file is empty", where=path)
        return path

    def load(self, part: Part) -> Payload:
        """The Part's bytes, read now, and changed as its `transform` says; keep them only as long as the Request is
        under way. Raises MediaError."""
        path = self.resolve(part)
        try:
            data = _read(path)
        except OSError as error:
            raise MediaError(f"{part.kind} file can't be read ({error.strerror})", where=path) from None
        digest = hashlib.sha256(data).hexdigest()
        if self._confirm:
            check_confirmed(part, digest)
        self._remember(part.path, digest)
        if part.transform:
            from triptych.media.transform import transform

            data = transform(part, data, digest, self._extra)
            digest = hashlib.sha256(data).hexdigest()
            self._remember(part.content_name, digest)
        return Payload(part, path, data, sniff(data) or _mime_by_name(part, path), digest)

    def known_hash(self, content_name: str) -> str:
        """The hash of a file that was read lately, by path; of what was made of it by a Part's `content_name`.

        Empty where it wasn't read.
        """
        return self._hashes.get(content_name, "")

    def _remember(self, path: str, digest: str) -> None:
        with self._lock:
            self._hashes[path] = digest
            self._hashes.move_to_end(path)
            if len(self._hashes) > self._remembered:
                self._hashes.popitem(last=False)


def check_confirmed(part: Part, digest: str) -> None:
    """Raise MediaError where a file in a folder that only a Run names hasn't the hash that the Run tells."""
    if not part.sha256 or digest != part.sha256:
        problem = "the Run alone names this folder, and the file is not the one whose hash it tells"
        if not part.sha256:
            problem = "the Run alone names this folder, and tells no hash of the file"
        raise MediaError(problem, where=part.path, fix="name the data folder yourself: --data BENCHMARK=DIR")


def _read(path: Path) -> bytes:
    """The bytes of a file that was looked at just before; one that has become a link or a pipe since isn't followed or
    waited for, and one that grows meanwhile is cut."""
    with open_ordinary(path) as file:
        return file.read(MAX_BYTES)


def _mime_by_name(part: Part, path: Path) -> str:
    """What the suffix says, for containers that don't show themselves by their first bytes."""
    suffix = path.suffix.lower()
    return MIME_TYPES.get(suffix, f"{part.kind}/{suffix.lstrip('.') or 'unknown'}")
