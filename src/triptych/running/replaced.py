"""Media that were replaced under the same path since a Run was asked about them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from triptych.errors import DataError, MediaError
from triptych.media.hashes import content_hash
from triptych.media.paths import resolve_inside
from triptych.records import Part
from triptych.store.folder import RunFolder

MARGIN_S = 60.0  # before an answer came: a file is read some time before that, longer where there were retries
_NAMED = 5


def check_media_unchanged(folder: RunFolder, data: Path) -> None:
    """Raise DataError where a file that was sent is another one now: its answers are about what is no longer there.

    A file that was neither written nor moved into its place since its question was asked can't be another one, and is
    not read again. Of the others the content decides. A file that is missing now is not missed: its answer stands.
    """
    found = list(_replaced(folder, data))
    if found:
        names = ", ".join(found[:_NAMED]) + (f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else "")
        what = "1 media file was" if len(found) == 1 else f"{len(found):,} media files were"
        raise DataError(
            f"{what} replaced since this Run was asked about them",
            where=folder.path, got=f"{names} in {data}",
            fix="put the former files back, or start a Run of its own (--name LABEL, or another --out)",
        )  # fmt: skip


def _replaced(folder: RunFolder, data: Path) -> Iterator[str]:
    asked = _times(folder)
    seen: set[tuple[str, str]] = set()
    for item in folder.items():
        for part in item.all_parts if item.id in asked else ():
            if part.is_media and part.sha256 and (part.path, part.sha256) not in seen:
                seen.add((part.path, part.sha256))
                if _is_other(part, data, asked[item.id]):
                    yield part.path


def _times(folder: RunFolder) -> dict[str, float]:
    """Item -> when it was asked first, in seconds of the system's clock; 0 where that isn't told."""
    found: dict[str, float] = {}
    for response in folder.history():
        began = max(0.0, _seconds(response.time) - response.seconds - MARGIN_S)
        found[response.item] = min(began, found.get(response.item, began))
    return found


def _seconds(time: str) -> float:
    """0 for what is no time: the file is read then."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def _is_other(part: Part, data: Path, since: float) -> bool:
    try:
        status = resolve_inside(data, part.path).stat()
    except (OSError, MediaError):
        return False
    changed = max(status.st_mtime, status.st_ctime) >= since
    return changed and content_hash(part, data) not in ("", part.sha256)
