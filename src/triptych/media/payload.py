"""Reading media from a data folder: paths are resolved safely, and bytes are read once and hashed."""

from __future__ import annotations

import binascii
import hashlib
import os
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import cast

from triptych.errors import MediaError
from triptych.media.opening import MAX_BYTES, open_ordinary
from triptych.media.paths import resolve_below
from triptych.media.sniff import sniff
from triptych.records import Kind, Part

MIME_TYPES = {
    ".wav": "audio/wav",
    ".mp3": "audio/mpeg",
    ".flac": "audio/flac",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".opus": "audio/ogg",
    ".m4a": "audio/mp4",
    ".aac": "audio/aac",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".jfif": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".bmp": "image/bmp",
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
    ".mov": "video/quicktime",
    ".avi": "video/x-msvideo",
}
KIND_OF = {ending: cast("Kind", type_.partition("/")[0]) for ending, type_ in MIME_TYPES.items()}


@dataclass(frozen=True, slots=True)
class Payload:
    """The bytes of a media file, unchanged or changed by the Part's `transform`, with their MIME type and hash."""

    part: Part
    path: Path
    data: bytes
    mime: str
    sha256: str

    @property
    def format(self) -> str:
        """The short name of the container, as servers expect it: `wav`, `mp3`, `jpeg`."""
        name = self.mime.partition("/")[2]
        return {"mpeg": "mp3", "mp4": "m4a" if self.part.kind == "audio" else "mp4"}.get(name, name)

    @property
    def base64(self) -> bytes:
        """Return the bytes in base64, encoded at each call."""
        return binascii.b2a_base64(self.data, newline=False)


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The folder with a Run's media.

    `named`: the user chose the folder, or it is a mini set. A folder that only the manifest names could be any folder
    of the person who opens the Run; only files whose SHA-256 is stated by the Run's Items are read from it.
    """

    path: Path
    named: bool = True

    def reader(self) -> MediaReader:
        """Return a reader for media in this folder."""
        return MediaReader(self.path, confirm=not self.named)


class MediaReader:
    """Reads media Parts in one data folder, and remembers the hashes of a limited number of files.

    `extra`: files outside the data folder that a `transform` may mix in, by SHA-256 (a recording of babble noise).
    `confirm`: return only files that have the SHA-256 of their Part. `sent`: path -> hash of the files that a Run has
    sent so far, to which those read here are added; a file with other content than before is refused. None: any content
    is returned.
    """

    def __init__(
        self,
        root: Path | None,
        *,
        remembered: int = 4096,
        extra: Mapping[str, Path] | None = None,
        confirm: bool = False,
        sent: dict[str, str] | None = None,
    ) -> None:
        self.root: Path | None = root
        self._confirm, self._sent = confirm, sent
        self._extra = dict(extra or {})
        self._real_root = "" if root is None else os.path.realpath(root)
        self._hashes: OrderedDict[str, str] = OrderedDict()
        self._remembered = remembered
        self._lock = Lock()  # adapters may load in threads

    def resolve(self, part: Part) -> Path:
        """Return the path of a Part's file. Raises MediaError if it is missing, outside the folder, a URL, or too
        large.
        """
        if self.root is None:
            raise MediaError(f"{part.path} is needed, but there is no data folder", fix="pass --data DIR")
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
        """Return the Part's bytes, changed by its `transform`. Keep them only while the Request is in progress. Raises
        MediaError.
        """
        path = self.resolve(part)
        try:
            data = _read(path)
        except OSError as error:
            raise MediaError(f"{part.kind} file can't be read ({error.strerror})", where=path) from None
        digest = hashlib.sha256(data).hexdigest()
        if self._confirm:
            check_confirmed(part, digest)
        if self._sent is not None and self._sent.setdefault(part.path, digest) != digest:
            fix = "restore the former file, or start a separate Run (--name LABEL, or another --out)"
            raise MediaError(f"the {part.kind} file was replaced while the Run went on", where=path, fix=fix)
        self._remember(part.path, digest)
        if part.transform:
            from triptych.media.transform import transform

            data = transform(part, data, digest, self._extra)
            digest = hashlib.sha256(data).hexdigest()
            self._remember(part.content_name, digest)
        return Payload(part, path, data, sniff(data) or _mime_by_name(part, path), digest)

    def known_hash(self, content_name: str) -> str:
        """Return the hash of a recently read file by its path, or of a changed file by the Part's `content_name`.

        Empty if it was not read.
        """
        return self._hashes.get(content_name, "")

    def _remember(self, path: str, digest: str) -> None:
        with self._lock:
            self._hashes[path] = digest
            self._hashes.move_to_end(path)
            if len(self._hashes) > self._remembered:
                self._hashes.popitem(last=False)


def check_confirmed(part: Part, digest: str) -> None:
    """Raise MediaError if a file in a folder that only the manifest names doesn't have the hash stated by the Run."""
    if not part.sha256 or digest != part.sha256:
        problem = "the data folder comes from the Run itself, and the file doesn't have the hash stated there"
        if not part.sha256:
            problem = "the data folder comes from the Run itself, which states no hash of the file"
        raise MediaError(problem, where=part.path, fix="confirm the data folder: --data BENCHMARK=DIR")


def _read(path: Path) -> bytes:
    """Return the bytes of a file that was checked just before.

    If it has become a link or a pipe since, it isn't followed or waited for; if it grows, it is truncated.
    """
    with open_ordinary(path) as file:
        return file.read(MAX_BYTES)


def _mime_by_name(part: Part, path: Path) -> str:
    """Return the MIME type of the suffix, for containers that can't be recognised by their first bytes."""
    suffix = path.suffix.lower()
    return MIME_TYPES.get(suffix, f"{part.kind}/{suffix.lstrip('.') or 'unknown'}")


def reader_of(root: DataFolder | None) -> MediaReader:
    """What reads a Run's media; without a folder it says at each that there is none."""
    return root.reader() if root else MediaReader(None)
