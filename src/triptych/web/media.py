"""Media of one Item: found by the number of its Part, never by a name in an address, and served only as media.

File names come from a benchmark's files or from somebody else's Run folder. So the file must be under the data root
after links are resolved, its first bytes must be those of audio, an image or a video of the Part's own kind, and the
browser must not guess another type. SVG is never served, because it can contain scripts.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from triptych.errors import MediaError
from triptych.media.payload import MIME_TYPES, DataFolder, check_confirmed, reader_of
from triptych.media.sniff import sniff
from triptych.records import Item, Kind, Part
from triptych.store.files.atomic import write_atomically
from triptych.store.user_cache import cache_root

HASHED_BYTES = 64 * 1024 * 1024  # a larger file is served without being compared with what the model was sent
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": "private, no-cache",
}


def media_file(item: Item, number: int, root: DataFolder | None) -> tuple[Part, Path, str]:
    """Return the Part, its file and the file's type. Raises MediaError, with the reason, for anything that can't be
    shown."""
    parts = item.all_parts
    if not 0 <= number < len(parts) or not parts[number].is_media:
        raise MediaError("the Item has no such media file", where=item.id, got=number)
    part = parts[number]
    if root is None:
        raise MediaError("the data folder was not found", fix="triptych view --data BENCHMARK=DIR")
    path = root.reader().resolve(part)
    if not root.named:
        check_confirmed(part, _hash_of(path) if part.sha256 else "")
    with path.open("rb") as file:
        mime = media_type(file.read(64), path.name, part.kind)
    if not mime:
        raise MediaError(f"the file is not {part.kind} in a format that browsers support", where=part.path)
    return part, path, mime


def prepare_file(
    part: Part, path: Path, mime: str, root: DataFolder | None, home: Path | None = None
) -> tuple[Part, Path, str]:
    """Return the file as it was sent to the model: itself, or a Condition's output, which is kept in the cache folder.

    Raises MediaError if it can't be made here.
    """
    if not part.transform:
        return part, path, mime
    status = path.stat()
    name = hashlib.sha256(f"{path} {status.st_size} {status.st_mtime_ns} {part.transform}".encode()).hexdigest()[:32]
    made = (home or cache_root() / "view") / "media" / name
    if not made.is_file():
        write_atomically(made, reader_of(root).load(part).data)
    with made.open("rb") as file:
        mime = media_type(file.read(64), made.name, part.kind)
    if not mime:
        raise MediaError(
            f"the Condition's output is not {part.kind} in a format that browsers support", where=part.content_name
        )
    return part, made, mime


def media_type(head: bytes, name: str, kind: Kind) -> str:
    """Return the MIME type of a file of this kind, by its first bytes; empty if it is not a type that is served."""
    shown = sniff(head) or _container(head, kind)
    if not shown and kind == "audio" and MIME_TYPES.get(Path(name).suffix.lower()) == "audio/aac":
        shown = "audio/aac" if head[:1] == b"\xff" else ""
    shown = {"audio/mp4": f"{kind}/mp4", "audio/ogg": f"{kind}/ogg"}.get(shown, shown)
    return shown if shown.startswith(f"{kind}/") else ""


def _container(head: bytes, kind: Kind) -> str:
    """Return the type of a container that can hold audio or video, which the Part's kind decides."""
    if head[4:8] == b"ftyp" and kind != "image":
        return f"{kind}/mp4"
    if head[:4] == b"\x1aE\xdf\xa3" and kind != "image":
        return f"{kind}/webm"
    return ""


def differs(part: Part, path: Path) -> bool | None:
    """Return True if the file is not the one that was sent to the model; None if unknown: no hash, or too large to
    hash."""
    if not part.sha256 or path.stat().st_size > HASHED_BYTES:
        return None
    return _hash_of(path) != part.sha256


def _hash_of(path: Path) -> str:
    status = path.stat()
    return _hash(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _hash(path: Path, stamp: int, size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
