"""Packing a finished Run: two Parquet files replace the journals and are read back identically."""

from __future__ import annotations

from triptych.errors import RunFolderError
from triptych.records import Item, Response
from triptych.store.files.lock import locked
from triptych.store.folder import RunFolder
from triptych.store.journals.journal import JournalWriter
from triptych.store.parquet.records import read_parquet, write_parquet


def pack(folder: RunFolder) -> None:
    """Replace the journals by Parquet files, which are read back and compared before a journal is deleted.

    Only the last line of each entry is kept, without earlier attempts. Packing a packed Run does nothing.
    """
    with locked(folder.path):
        if folder.is_packed:
            _remove_journals(folder)  # an interrupted pack had finished this step
            return
        items, responses = list(folder.items()), list(folder.responses())
        for name, records, kind in (("items", items, Item), ("responses", responses, Response)):
            path = folder.path / f"{name}.new.parquet"
            write_parquet(path, records, kind)
            if list(read_parquet(path, kind)) != records:
                path.unlink()
                raise RunFolderError("the packed Run differs from the journals; the Run is left unpacked", where=path)
        # a Run with `responses.parquet` counts as packed, so this file is written last
        for name in ("items", "responses"):
            (folder.path / f"{name}.new.parquet").replace(folder.path / f"{name}.parquet")
        _remove_journals(folder)


def unpack(folder: RunFolder) -> None:
    """Convert a packed Run back to journals, so that it can be resumed."""
    with locked(folder.path):
        if not folder.is_packed:
            return
        for name, records in (("items", folder.items()), ("responses", folder.responses())):
            path = folder.path / f"{name}.jsonl"
            path.unlink(missing_ok=True)
            writer = JournalWriter(path)
            for record in records:
                writer.append(record)
            writer.close()
        for name in ("responses", "items"):
            (folder.path / f"{name}.parquet").unlink()


def _remove_journals(folder: RunFolder) -> None:
    for name in ("items", "responses"):
        (folder.path / f"{name}.jsonl").unlink(missing_ok=True)
