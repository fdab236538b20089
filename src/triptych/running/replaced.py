"""Detecting media that were replaced since a Run was asked about them: by content, not by clock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from triptych.errors import DataError, MediaError
from triptych.media.hashes import content_hash
from triptych.media.paths import resolve_inside
from triptych.records import Part
from triptych.records.unreadable import UNREADABLE
from triptych.store.files.atomic import write_atomically
from triptych.store.files.run_files import read_own
from triptych.store.folder import RunFolder
from triptych.store.journals.entry_table import EntryTable

STATE_FILE = "media-seen.json"  # in the Run folder
_NAMED = 5
Stamp = tuple[int, int, int, int, int]  # device, inode, size, times of the last change of content and of the file


class _FileState(msgspec.Struct, frozen=True):
    """A file whose content was compared: its hash, and its state then. The same state is the same content."""

    sha256: str
    stamp: Stamp


def check_media_unchanged(folder: RunFolder, data: Path) -> dict[str, str]:
    """Raise DataError if a file that was sent has other content now, since its answers are about the former content.

    Every file of an answered question is read and compared by its hash, the first time that a Run is resumed. Files in
    the same state as then (`media-seen.json`: inode, size, times) are not read again. Clocks are not compared: media
    may be on another computer. A file that is missing now is ignored, and its answer stays valid. Returns path -> hash
    of all files that were sent.
    """
    sent = dict(_sent(folder))
    if not sent:
        return {}
    seen = _read_seen(folder)
    now = {path: _file_state(Part("audio", path=path), sha256, data, seen.get(path)) for path, sha256 in sent.items()}
    there = {path: one for path, one in now.items() if one is not None}
    if there != seen:
        write_atomically(folder.path / STATE_FILE, msgspec.json.encode(there))
    if changed := [path for path, one in there.items() if one.sha256 != sent[path]]:
        names = ", ".join(changed[:_NAMED]) + (f" and {len(changed) - _NAMED:,} more" if len(changed) > _NAMED else "")
        what = "1 media file was" if len(changed) == 1 else f"{len(changed):,} media files were"
        raise DataError(
            f"{what} replaced since this Run was asked about them",
            where=folder.path,
            got=f"{names} in {data}",
            fix="restore the former files, or start a separate Run (--name LABEL, or another --out)",
        )
    return sent


def _sent(folder: RunFolder) -> Iterator[tuple[str, str]]:
    """Yield path and hash of the media of answered questions."""
    entries = EntryTable(((response.item, "", 0), 1) for response in folder.history())
    for item in folder.items_written() if len(entries) else ():
        for part in item.all_parts if (item.id, "", 0) in entries else ():
            if part.is_media and part.sha256:
                yield part.path, part.sha256


def _file_state(part: Part, sha256: str, data: Path, seen: _FileState | None) -> _FileState | None:
    """Return the file's hash and state; None if it is missing."""
    try:
        stamp = _stamp(resolve_inside(data, part.path).stat())
    except (OSError, MediaError):
        return None
    if seen is not None and seen == _FileState(sha256, stamp):
        return seen
    digest = content_hash(part, data)  # after the state was read: a later change is another state
    return _FileState(digest, stamp) if digest else None


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _read_seen(folder: RunFolder) -> dict[str, _FileState]:
    try:
        return msgspec.json.decode(read_own(folder.path / STATE_FILE), type=dict[str, _FileState])
    except (OSError, *UNREADABLE):
        return {}
