"""Files embedded in the cells of a Parquet or Arrow table are written below the data folder, named by their content."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path, PurePosixPath
from typing import Any

from triptych.benchmarks._questions.cells import EMBEDDED
from triptych.errors import DataError
from triptych.media.payload import KIND_OF
from triptych.media.sniff import sniff

MAX_BYTES = 64 << 30  # of all embedded files of one table
_ENDINGS = {
    "audio/wav": ".wav",
    "audio/flac": ".flac",
    "audio/ogg": ".ogg",
    "audio/mpeg": ".mp3",
    "audio/mp4": ".m4a",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/gif": ".gif",
    "image/bmp": ".bmp",
    "image/webp": ".webp",
    "video/x-msvideo": ".avi",
}


class Embedded:
    """Writes the embedded files of one table to `root/folder`; without a root, cells keep their size only."""

    def __init__(self, root: Path | None, folder: str) -> None:
        self.root, self.folder = root, folder
        self.written = self._bytes = 0

    def without_bytes(self, value: Any) -> Any:
        """Return a cell without bytes: in place of an embedded file a dictionary with its path below the root."""
        if isinstance(value, bytes):
            return self._write_file(value, "")
        if isinstance(value, dict):
            if isinstance(value.get("bytes"), bytes) and value["bytes"]:
                return self._write_file(value["bytes"], str(value.get("path") or ""))
            fields = {key: one for key, one in value.items() if one is not None and key != "bytes"}
            return {key: self.without_bytes(one) for key, one in fields.items()} or None
        return [self.without_bytes(one) for one in value] if isinstance(value, list) else value

    def _write_file(self, content: bytes, name: str) -> dict[str, Any]:
        """Write a file, unless it is there; its ending is that of its content, otherwise that of its name."""
        ending = _ENDINGS.get(sniff(content[:64])) or PurePosixPath(name).suffix.lower()
        ending = ".mp4" if not ending and content[4:8] == b"ftyp" else ending
        if self.root is None or ending not in KIND_OF:
            return {EMBEDDED: len(content), "path": name}
        self._bytes += len(content)
        if self._bytes > MAX_BYTES:
            raise DataError("the embedded files are too large", where=self.folder, expected=f"at most {MAX_BYTES:,}")
        path = f"{self.folder}/{hashlib.sha256(content).hexdigest()[:24]}{ending}"
        location = self.root / path
        if not location.is_file() or location.stat().st_size != len(content):
            try:
                _write(self.root, location, content)
            except OSError as error:
                raise DataError(
                    "an embedded file can't be written",
                    where=location,
                    got=error.strerror or str(error),
                    fix="--data FOLDER: a folder that can be written",
                ) from None
            self.written += 1
        return {"path": path}


def _write(root: Path, path: Path, content: bytes) -> None:
    """Write a file that appears whole. Raises DataError if its folder is a link that leads out of the data folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.parent.resolve().is_relative_to(root.resolve()):
        raise DataError("the folder of embedded files leads out of the data folder", where=path.parent)
    half = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    half.write_bytes(content)
    half.replace(path)
