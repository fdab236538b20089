"""Tests of `portal/sweeping.py`: what no row names is removed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256

from tests.portal.conftest import visitor
from tests.portal.test_sweeping_privacy import clips, everything, files, upload, voice
from triptych.portal.project import Portal
from triptych.portal.sweeping import sweep
from triptych.portal.work.withdrawing import withdraw

# --- processes that are killed


KILLED = """
import sys, time
from pathlib import Path
from triptych.portal.project import open_portal
portal = open_portal(Path(sys.argv[1]))
with portal.blobs.incoming_file() as path, portal.blobs.incoming_file("put-" + "0" * 64 + "-") as intent:
    path.write_bytes(b"half a voice")
    (portal.path / "media" / "00").mkdir(parents=True)
    (portal.path / "media" / "00" / ("0" * 64)).write_bytes(b"a whole voice that no row names")
    print("here", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_process_left_is_swept_and_what_a_living_one_holds_is_not(small: Portal) -> None:
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(small.path)], stdout=subprocess.PIPE)
    assert process.stdout and process.stdout.readline() == b"here\n"
    assert len(files(small)) == 3
    sweep(small)
    assert len(files(small)) == 3
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    sweep(small)
    assert not files(small)


def test_a_sweep_with_an_empty_database_erases_no_medium(small: Portal, make_portal: Callable[..., Portal]) -> None:
    stored = small.path / "media" / "ab" / ("ab" + "0" * 62)
    stored.parent.mkdir(parents=True)
    stored.write_bytes(b"of the database that was used before")
    sweep(small)
    assert stored.is_file()


def test_a_copy_of_somebody_who_withdrew_on_another_server_is_swept(small: Portal) -> None:
    number, who = clips(small)[0], visitor(small, "recorder")
    who.client.get("/record/record")
    wav = voice()
    assert upload(who, number, wav).status_code == 201
    name = sha256(wav).hexdigest()
    withdraw(small.database, small.blobs, who.id, None)
    (small.path / "incoming" / f"kept-{name}").write_bytes(wav)  # of a bucket, by a server with a folder of its own
    sweep(small)
    assert not files(small)


def test_a_database_of_before_loses_what_was_deleted_without_overwriting(small: Portal) -> None:
    """SQLite left deleted text in its file; the first sweep writes the file anew."""
    import sqlite3

    mark = "Ignatius-of-the-free-page"
    with sqlite3.connect(small.path / "portal.db") as connection:
        connection.execute("PRAGMA secure_delete=OFF")
        connection.execute("PRAGMA user_version=0")
        connection.execute("CREATE TABLE old (text TEXT)")
        connection.executemany("INSERT INTO old VALUES (?)", [(mark * 100,)] * 50)
    connection.close()
    with sqlite3.connect(small.path / "portal.db") as connection:
        connection.execute("PRAGMA secure_delete=OFF")
        connection.execute("DROP TABLE old")
    connection.close()
    assert mark.encode() in b"".join(content for _, content in everything(small.path))
    sweep(small)
    assert mark.encode() not in b"".join(content for _, content in everything(small.path))
