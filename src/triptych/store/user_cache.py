"""The cache for data that can be computed or downloaded again: weights, and texts extracted from media."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec


def home_folder() -> Path:
    """Return the user's home folder; one that doesn't exist if the system knows none, as for a user id without an
    account in a container."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")  # as Debian's accounts without a home


def cache_root() -> Path:
    """Return TRIPTYCH_CACHE, or `triptych` in the user's cache folder (XDG_CACHE_HOME or ~/.cache)."""
    if chosen := os.environ.get("TRIPTYCH_CACHE"):
        return Path(chosen).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or home_folder() / ".cache").expanduser() / "triptych"


class TextCache:
    """Texts that engines extracted from files, by the file's content hash and everything that could change the text.

    Each entry is a small file, written atomically, so that processes can share the cache. If the cache is damaged or
    can't be written, everything is slower, but nothing fails.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder: Path = folder or cache_root() / "texts"

    def get(self, engine: str, settings: Mapping[str, Any], sha256: str) -> str | None:
        """Return the stored text for these bytes, or None."""
        try:
            return self._text_path(engine, settings, sha256).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def put(self, engine: str, settings: Mapping[str, Any], sha256: str, text: str) -> None:
        """Store a text."""
        path = self._text_path(engine, settings, sha256)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as stream:
                stream.write(text)
            Path(stream.name).replace(path)
        except OSError:
            return

    def _text_path(self, engine: str, settings: Mapping[str, Any], sha256: str) -> Path:
        identity = msgspec.json.encode([engine, sorted(settings.items()), sha256])
        key = hashlib.sha256(identity).hexdigest()
        return self.folder / key[:2] / f"{key}.txt"
