"""Media of a build: content-addressed, written once, with names such as `media/ab/ab12….wav`."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from triptych.errors import DataError, MediaError
from triptych.media.paths import resolve_inside
from triptych.store.files.atomic import atomic_file, write_atomically
from triptych.store.files.run_files import check_place

VALUE = re.compile(r"media/([0-9a-f]{2})/(\1[0-9a-f]{62})\.([a-z0-9]{1,5})")
_CHUNK = 1 << 20
_READ_ONLY = 0o444


class MediaStore:
    """The folder `media/` of a build."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, data: bytes, extension: str) -> str:
        """Store bytes and return the value that names them. The same bytes are stored only once."""
        value = _value(hashlib.sha256(data).hexdigest(), extension)
        if not (self.root / value).is_file():
            write_atomically(self.root / value, data)
        return value

    def add(self, path: Path) -> str:
        """Store a copy of a file of the raw material. Raises MediaError if it can't be read."""
        try:
            value = _value(_sha256(path), path.suffix.lstrip(".").lower() or "bin")
            if not (self.root / value).is_file():
                with atomic_file(self.root / value) as copy, path.open("rb") as file:
                    shutil.copyfileobj(file, copy, _CHUNK)
        except OSError as error:
            raise MediaError(f"the file can't be read ({error.strerror})", where=path) from None
        return value

    def path(self, value: str) -> Path:
        """Return the path of a value. Raises DataError if it names nothing in this store, or a link out of it."""
        if not isinstance(value, str) or not VALUE.fullmatch(value) or not (self.root / value).is_file():
            raise DataError("no media of this build", got=value, expected="media/ab/SHA256.ext, as a stage returned it")
        try:
            resolve_inside(self.root, value)
        except MediaError as error:
            raise DataError("a media file is not part of this build", got=value, where=self.root) from error
        return self.root / value

    def release(self, value: str, target: Path) -> None:
        """Put a file of the store into the output: as a hard link, which takes no room, or as a copy.

        A linked file is read-only, so that nobody changes the store by an edit in the output. Raises as `path`.
        """
        source = self.path(value)
        try:
            if os.name != "posix":
                raise OSError("files that are read-only can't be removed")
            source.chmod(_READ_ONLY)
            os.link(source, target)
        except OSError:  # another disk, or a file system without links
            shutil.copyfile(source, target)

    def forget(self, retained: Iterable[str]) -> list[str]:
        """Remove all media except these; return the names of the removed ones."""
        keep = set(retained)
        gone = [
            value
            for file in sorted((self.root / "media").glob("??/*"))
            if VALUE.fullmatch(value := file.relative_to(self.root).as_posix()) and value not in keep
        ]
        for value in gone:
            try:
                check_place((self.root / value).parent)
                (self.root / value).unlink()
            except OSError as error:
                raise MediaError(f"a file can't be removed ({error.strerror})", where=self.root / value) from None
        return gone


def media_values(value: object) -> Iterable[str]:
    """Yield every media value inside a field's value, at any depth."""
    if isinstance(value, str):
        if VALUE.fullmatch(value):
            yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from media_values(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from media_values(each)


def _value(sha256: str, extension: str) -> str:
    if not re.fullmatch(r"[a-z0-9]{1,5}", extension):
        raise MediaError("a file extension has one to five letters or digits", got=extension)
    return f"media/{sha256[:2]}/{sha256}.{extension}"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
