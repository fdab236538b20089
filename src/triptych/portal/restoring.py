"""Restoring a portal from an archive, all of it or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from triptych.portal.project import DATABASE, open_portal
from triptych.portal.store.archive import Manifest, check_archive, restore


def restore_portal(archive: Path, project: Path, db: str = "") -> Manifest:
    """Fill a new project folder, or an empty database, from an archive.

    If that fails, the folder, its files and its media are as they were before; the tables of an empty database remain,
    without rows. Raises DataError for an archive that is damaged, or a database that has rows; SpecError for a project
    folder that can't be opened.
    """
    check_archive(archive)
    with _undone_on_error(project):
        portal = open_portal(project, db, create=True)
        try:
            return restore(portal.database, portal.blobs, archive)
        finally:
            portal.close()


@contextmanager
def _undone_on_error(folder: Path) -> Iterator[None]:
    """If the block raises, remove the folders that it made, and what it added to the folder."""
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    before = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    try:
        yield
    except BaseException:
        for path in folder.iterdir() if folder.is_dir() else ():
            # A database that was there may have files next to it (-wal, -shm), which belong to it.
            if path.name not in before and not (DATABASE in before and path.name.startswith(DATABASE)):
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        for path in new:
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
        raise
