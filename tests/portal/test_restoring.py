"""Tests of `portal/restoring.py`: a portal is restored from an archive as a whole, or nothing is changed."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.cli.test_portal import ended
from tests.portal.conftest import visitor
from triptych.errors import DataError
from triptych.portal.exchange.local import Local
from triptych.portal.project import DATABASE, Portal, open_portal
from triptych.portal.restoring import restore_portal
from triptych.portal.store.archive import backup
from triptych.portal.store.tables import people


@pytest.fixture
def archive(make_portal: Callable[..., Portal], tmp_path: Path) -> Path:
    """An archive of a portal with one person and one medium."""
    portal = make_portal(name="original")
    visitor(portal, "reviewer")
    with portal.blobs.incoming_file() as path:
        path.write_bytes(b"RIFF")
        Local(portal).keep(path, sha256(b"RIFF").hexdigest(), 4)
    backup(portal.database, portal.blobs, tmp_path / "archive")
    return tmp_path / "archive"


def contents(folder: Path) -> dict[str, bytes | None]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}


def test_a_portal_is_restored_into_a_folder_that_is_made(archive: Path, tmp_path: Path) -> None:
    restore_portal(archive, tmp_path / "new" / "project")
    portal = open_portal(tmp_path / "new" / "project")
    with portal.database.reading() as connection:
        assert len(connection.execute(select(people)).all()) == 1
    assert portal.blobs.store.has(sha256(b"RIFF").hexdigest(), 4)
    portal.close()


def test_a_folder_with_other_files_is_as_before_if_the_database_has_rows(
    archive: Path, make_portal: Callable[..., Portal], tmp_path: Path
) -> None:
    portal = make_portal(name="used")
    visitor(portal, "admin")
    portal.close()
    (tmp_path / "used" / "notes.txt").write_text("mine", encoding="utf-8")
    before = {name: data for name, data in contents(tmp_path / "used").items() if not name.startswith(DATABASE)}
    with pytest.raises(DataError):
        restore_portal(archive, tmp_path / "used")
    after = {name: data for name, data in contents(tmp_path / "used").items() if not name.startswith(DATABASE)}
    assert after == before
    again = open_portal(tmp_path / "used")
    with again.database.reading() as connection:
        assert [row.label for row in connection.execute(select(people))] == ["Somebody"]
    again.close()


def test_what_was_in_the_folder_stays_if_the_medium_store_fails(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure in the middle, after the folder, the secret and the database were made."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "portal.toml").write_text('title = "Mine"\n', encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("triptych.portal.restoring.restore", full)
    with pytest.raises(OSError, match="No space"):
        restore_portal(archive, project)
    assert contents(project) == {"portal.toml": b'title = "Mine"\n'}


@pytest.mark.parametrize("content", [b"no ZIP file", b"PK\x05\x06" + bytes(18)])
def test_a_file_that_is_no_archive_leaves_no_project(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once a database and a secret remained, which looked like a portal without people."""
    (tmp_path / "all.zip").write_bytes(content)
    code, _, said = ended(capsys, "restore", str(tmp_path / "all.zip"), "--project", str(tmp_path / "new"))
    assert code == 2 and "can't be restored" in said
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("existed", [False, True])
@pytest.mark.parametrize("damage", ["a row that can't be read", "a table that is missing", "a damaged medium"])
def test_a_damaged_archive_leaves_no_project(
    damage: str, existed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its list is right, so that the damage is found only while rows and media are read. Once an empty project with a
    database, a secret and the media remained."""
    (tmp_path / "one").mkdir()
    assert ended(capsys, "invite", "--project", str(tmp_path / "one"))[0] == 0
    assert ended(capsys, "backup", "--project", str(tmp_path / "one"), "--to", str(tmp_path / "all.zip"))[0] == 0
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    media = {hashlib.sha256(data).hexdigest(): data for data in (b"a sound", b"another")}
    listed = json.loads(files["portal.json"])
    files["portal.json"] = json.dumps({**listed, "media": {name: len(data) for name, data in media.items()}}).encode()
    files |= {f"media/{name}": data for name, data in media.items()}
    if damage == "a row that can't be read":
        files["tables/people.jsonl"] = b"7\n"
    elif damage == "a table that is missing":
        del files["tables/people.jsonl"]
    else:
        files[f"media/{list(media)[-1]}"] += b"!"
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    new = tmp_path / "all" / "of" / "new"
    if existed:
        (new / "media").mkdir(parents=True)
        (new / "portal.toml").write_text('title = "Poems"\n')
    code, _, said = ended(capsys, "restore", str(tmp_path / "all.zip"), "--project", str(new))
    assert code == 2 and "Traceback" not in said
    left = [path.name for path in (tmp_path / "all").rglob("*") if path.is_file()]
    assert left == (["portal.toml"] if existed else [])
    assert (tmp_path / "all").exists() == existed
