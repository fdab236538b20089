"""The database: migrations give the tables of the code, constraints hold, and everything moves in an archive."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

from tests.portal.conftest import DURABLE, visitor
from triptych.errors import DataError, SpecError
from triptych.portal.project import Portal, open_portal
from triptych.portal.store import archive as stored
from triptych.portal.store import tables
from triptych.portal.store.archive import backup, restore
from triptych.portal.store.engine import Database, now, sqlite_url
from triptych.portal.store.migrating import SCRIPTS, migrate, revision
from triptych.portal.work.claims import claim
from triptych.portal.work.keeping import Medium
from triptych.portal.work.queues import NewTask, put_queue, put_tasks
from triptych.portal.work.submitting import Sent, submit

ID = "0123456789abcdef"


def filled(portal: Portal) -> str:
    """A portal with a queue of two works, and one submission with a file. Returns the reader."""
    who = visitor(portal, "recorder", "admin")
    with portal.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {"slots": ["man", "woman"]}, None)
        put_tasks(connection, queue, [NewTask(f"w{n // 2}/{n}", "d", {"text": "床前"}, f"w{n // 2}") for n in range(4)])
    found = claim(portal.database, queue, who.id, "woman")
    assert found
    content = b"RIFF" + bytes(40)
    name = sha256(content).hexdigest()
    with portal.blobs.incoming() as path:
        path.write_bytes(content)
        portal.blobs.put(path, name)
    medium = Medium("audio", name, len(content), "audio/wav")
    submit(portal.database, Sent(ID, found.id, "woman", who.id, {"文": "字", "rate": 1.5}, 9, (medium,)), checked=True)
    return who.id


def content(portal: Portal) -> dict[str, list[Any]]:
    with portal.database.reading() as connection:
        return {
            table.name: [
                [str(value) for value in row] for row in connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in tables.metadata.sorted_tables
        }


def test_migrations_give_exactly_the_tables_of_the_code(portal: Portal) -> None:
    with portal.database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.metadata) == []
        assert revision(connection) == ScriptDirectory(str(SCRIPTS)).get_current_head()
    migrate(portal.database)  # a second time changes nothing


def test_earlier_rows_get_their_queue_and_words_and_earlier_withdrawals_are_completed(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'old.db'}")
    migrate(database, "0003")
    lines = (
        "INSERT INTO people VALUES ('here', 'p-1', '', 'woman', '', '', '', NULL, NULL, 1, NULL)",
        "INSERT INTO people VALUES ('gone', 'p-2', '', 'woman', '', '', '', NULL, NULL, 1, 7)",
        "INSERT INTO queues VALUES (5, 'record', 'recording', '{}', 1, NULL)",
        """INSERT INTO tasks VALUES (8, 5, 'a', 'd', '{"shows": {"text": "床前 moon"}}', '', 0, 1, 1, NULL)""",
        "INSERT INTO submissions VALUES ('s-0000000000000001', 8, '1', 'here', 'x', '{}', 9, 'accepted', '[]', 3)",
        "INSERT INTO submissions VALUES ('s-0000000000000002', 8, '2', 'gone', 'y', '{}', 9, 'erased', '[]', 4)",
        "INSERT INTO receipts VALUES ('s-0000000000000002', 'y', 1, 4)",
        "INSERT INTO invitations VALUES ('i', 'recorder', 'Li Na', 'gone', NULL, 1, 2, 2, 'gone')",
        """INSERT INTO participants VALUES (5, 'gone', '["a"]', '[8]', 'valid', '[]', 1, 2)""",
        """INSERT INTO audit VALUES (1, 1, NULL, 'invited', 'i', '{"role": "recorder", "label": "Li Na"}')""",
    )
    with database.writing() as connection:
        for line in lines:
            connection.exec_driver_sql(line)
    migrate(database)
    with database.reading() as connection:
        one, other = connection.execute(select(tables.submissions).order_by(tables.submissions.c.id)).all()
        assert (one.queue_id, one.words, one.digest) == (5, 3, "x")
        assert (other.queue_id, other.digest) == (5, "")
        assert connection.execute(select(tables.tasks.c.filled)).scalar() == 1
        assert connection.execute(select(tables.receipts)).all() == []
        row = connection.execute(select(tables.participants)).one()
        assert (row.cells, row.sequence, row.state, row.began_at, row.ended_at) == ([], [], "invalid", 7, None)
        assert connection.execute(select(tables.invitations.c.label)).scalar() == ""
        assert connection.execute(select(tables.audit.c.detail)).scalar() == {"role": "recorder"}
    database.close()


def test_a_database_of_a_newer_version_is_refused(portal: Portal) -> None:
    with portal.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DataError, match="another version"):
        migrate(portal.database)


@pytest.mark.parametrize("url", ["mysql://root@localhost/x", "nonsense", "sqlite://", "sqlite:///:memory:"])
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(SpecError, match="database"):
        Database(url)


def test_a_server_that_does_not_answer_is_an_error_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="can't be opened") as told:
        open_portal(tmp_path / "p", f"postgresql://me:hidden@/x?host={tmp_path}", create=True)
    assert "hidden" not in str(told.value)


def test_sqlite_writes_ahead_and_syncs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.portal.store.engine.PRAGMAS", DURABLE)
    database = Database(sqlite_url(tmp_path / "one.db"))
    with database.reading() as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous")
        }
    assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2}


def test_what_must_never_happen_is_refused_by_the_database(portal: Portal) -> None:
    reader = filled(portal)
    other = visitor(portal, "recorder").id
    rows = [
        (tables.roles, {"person_id": reader, "role": "king"}),
        (tables.roles, {"person_id": "nobody", "role": "admin"}),
        (tables.holders, {"queue_id": 1, "work": "w0", "slot": "woman", "person_id": other, "since": 1}),
        (tables.holders, {"queue_id": 1, "work": "w0", "slot": "man", "person_id": reader, "since": 1}),
        (tables.blobs, {"sha256": "ab", "size": 1, "type": "", "created_at": 1}),
        (
            tables.submissions,
            {
                "id": "z" * 16,
                "task_id": 1,
                "slot": "woman",
                "person_id": other,
                "digest": "",
                "answers": {},
                "received_at": 1,
            },
        ),
        (
            tables.submissions,
            {
                "id": "z" * 16,
                "task_id": 1,
                "slot": "man",
                "person_id": reader,
                "digest": "",
                "answers": {},
                "received_at": 1,
            },
        ),
        (
            tables.submissions,
            {
                "id": "short",
                "task_id": 2,
                "slot": "man",
                "person_id": other,
                "digest": "",
                "answers": {},
                "received_at": 1,
            },
        ),
    ]
    for table, row in rows:
        with pytest.raises(IntegrityError), portal.database.writing() as connection:
            connection.execute(insert(table), row)


def test_a_transaction_is_kept_or_undone_whole(portal: Portal) -> None:
    with pytest.raises(RuntimeError), portal.database.writing() as connection:
        connection.execute(insert(tables.audit), {"at": now(), "action": "half", "subject": "", "detail": {}})
        raise RuntimeError
    with portal.database.reading() as connection:
        assert "half" not in connection.execute(select(tables.audit.c.action)).scalars().all()


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
    with two.blobs.opened(next(iter(made.media))) as file:
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
