"""Items told the content hashes of their media, for what looks media up by content."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from triptych.errors import MediaError
from triptych.media.paths import resolve_inside
from triptych.records import Item, Part


def with_hashes(item: Item, root: Path) -> Item:
    """The Item with the SHA-256 of each media Part of its stem. A file that can't be read leaves its Part as it is."""
    return msgspec.structs.replace(item, parts=tuple(_hashed(part, root) for part in item.parts))


def content_hash(part: Part, root: Path) -> str:
    """The SHA-256 of a media Part's file; empty where that can't be read."""
    try:
        with resolve_inside(root, part.path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (MediaError, OSError):
        return ""


def _hashed(part: Part, root: Path) -> Part:
    if not part.is_media or part.sha256:
        return part
    digest = content_hash(part, root)
    return msgspec.structs.replace(part, sha256=digest) if digest else part
