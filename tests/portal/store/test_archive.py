"""Tests of `portal/store/archive.py`: backup and restore."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.portal.store.test_store import content, filled
from triptych.errors import DataError
from triptych.portal.project import Portal
from triptych.portal.store import archive as stored
from triptych.portal.store import tables
from triptych.portal.store.archive import backup, restore
from triptych.portal.work.queues import NewTask, put_queue, put_tasks


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("sqlite", "sqlite"),
        pytest.param("sqlite", "postgresql", marks=pytest.mark.slow),
        pytest.param("postgresql", "sqlite", marks=pytest.mark.slow),
    ],
)
def test_everything_moves_unchanged(
    make_portal: Callable[..., Portal], tmp_path: Path, first: str, second: str
) -> None:
    one = make_portal(first, "one")
    filled(one)
    made = backup(one.database, one.blobs, tmp_path / "all.zip")
    before = content(one)
    one.close()
    two = make_portal(second, "two")
    assert restore(two.database, two.blobs, tmp_path / "all.zip") == made
    assert content(two) == before
    with two.blobs.open_file(next(iter(made.media))) as file:
        assert file.read()[:4] == b"RIFF"
    again = tmp_path / "again.zip"
    backup(two.database, two.blobs, again)
    with zipfile.ZipFile(tmp_path / "all.zip") as a, zipfile.ZipFile(again) as b:
        assert {name: a.read(name) for name in a.namelist()} == {name: b.read(name) for name in b.namelist()}
    with two.database.writing() as connection:  # numbers go on behind those that were restored
        queue = put_queue(connection, "another", "review", {}, None)
        put_tasks(connection, queue, [NewTask("x", "y", {})])


def test_an_archive_goes_into_an_empty_database_alone(make_portal: Callable[..., Portal], tmp_path: Path) -> None:
    one = make_portal()
    filled(one)
    backup(one.database, one.blobs, tmp_path / "all.zip")
    with pytest.raises(DataError, match="not empty"):
        restore(one.database, one.blobs, tmp_path / "all.zip")


@pytest.mark.parametrize("damage", ["cut", "row", "medium", "format", "lost"])
def test_a_damaged_archive_changes_nothing(make_portal: Callable[..., Portal], tmp_path: Path, damage: str) -> None:
    one, path = make_portal(name="one"), tmp_path / "all.zip"
    filled(one)
    backup(one.database, one.blobs, path)
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    medium = next(name for name in files if name.startswith("media/"))
    changed = {
        "row": {"tables/tasks.jsonl": files["tables/tasks.jsonl"].replace(b"{", b"[", 1)},
        "medium": {medium: files[medium][:-1] + b"x"},
        "format": {"portal.json": files["portal.json"].replace(b'"format":1', b'"format":2')},
        "lost": {"tables/tasks.jsonl": files["tables/tasks.jsonl"].partition(b"\n")[2]},
    }.get(damage, {})
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (files | changed).items():
            archive.writestr(name, data)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-200])
    two = make_portal(name="two")
    with pytest.raises(DataError):
        restore(two.database, two.blobs, path)
    assert not any(content(two).values())


@pytest.mark.parametrize(
    "value",
    ['{"id": 18446744073709551615}', '{"id": 1e308}', '{"nothing": 1}', '{"name": [[1]]}', '{"\\u0000": 1}', "7"],
)
@pytest.mark.parametrize("table", ["tasks", "audit", "queues"])
def test_a_strangers_row_is_one_message(
    make_portal: Callable[..., Portal], tmp_path: Path, table: str, value: str
) -> None:
    one, path = make_portal(name="one"), tmp_path / "all.zip"
    filled(one)
    backup(one.database, one.blobs, path)
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files[f"tables/{table}.jsonl"] += value.encode() + b"\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    two = make_portal(name="two")
    with pytest.raises(DataError):
        restore(two.database, two.blobs, path)
    assert not any(content(two).values())


def test_compressed_media_in_an_archive_are_refused(make_portal: Callable[..., Portal], tmp_path: Path) -> None:
    """Stored as they are, they are never larger than the archive."""
    one, path = make_portal(name="one"), tmp_path / "all.zip"
    filled(one)
    backup(one.database, one.blobs, path)
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    two = make_portal(name="two")
    with pytest.raises(DataError, match="compressed"):
        restore(two.database, two.blobs, path)


def test_rows_of_an_archive_are_written_before_they_fill_the_memory(
    make_portal: Callable[..., Portal], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row may be long, and a thousand of them are no longer held at once."""
    one, path = make_portal(name="one"), tmp_path / "all.zip"
    filled(one)
    backup(one.database, one.blobs, path)
    monkeypatch.setattr(stored, "MAX_PENDING_BYTES", 100)
    with zipfile.ZipFile(path) as archive:
        sizes = [len(rows) for table in tables.metadata.sorted_tables for rows in stored._batches(archive, table)]
    assert max(sizes) <= 3 and sum(sizes) > 5
    two = make_portal(name="two")
    restore(two.database, two.blobs, path)
    assert content(two) == content(one)
