"""Tests of `portal/work/keeping.py`: media, and the rows that name them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256

import pytest
from sqlalchemy import select, update

from tests.portal.conftest import visitor
from tests.portal.test_sweeping_privacy import clips, upload, voice
from triptych.errors import DataError
from triptych.portal.project import Portal
from triptych.portal.store.tables import blobs
from triptych.portal.work.keeping import Medium, erase_unnamed, put_blob, storing
from triptych.portal.work.withdrawing import withdraw


def test_a_sound_that_somebody_sends_again_while_it_is_erased_stays(portal: Portal) -> None:
    first = clips(portal)[0]
    one, other = visitor(portal, "recorder"), visitor(portal, "recorder")
    wav = voice()
    one.client.get("/record/record")
    assert upload(one, first, wav).status_code == 201
    gone = threading.Event()
    real = portal.blobs.erase

    def erase(name: str) -> None:
        gone.set()
        real(name)

    with ThreadPoolExecutor(2) as pool:
        portal.blobs.erase = erase  # type: ignore[method-assign]
        left = pool.submit(withdraw, portal.database, portal.blobs, one.id, None)
        gone.wait(5)
        other.client.get("/record/record")
        assert upload(other, first, wav, "b" * 20).status_code == 201
        left.result()
    name = sha256(wav).hexdigest()
    assert portal.blobs.store.has(name, len(wav))


def medium_of(data: bytes) -> Medium:
    return Medium("audio", sha256(data).hexdigest(), len(data), "audio/wav")


def test_a_file_is_stored_with_its_row_or_not_at_all(portal: Portal) -> None:
    good, bad = medium_of(b"take 1"), medium_of(b"take 2")
    for data, medium, fails in ((b"take 1", good, False), (b"take 2", bad, True)):
        with portal.blobs.incoming_file() as path:
            path.write_bytes(data)
            with (
                suppress(ZeroDivisionError),
                storing(portal.database, portal.blobs, path, medium) as keep,
                portal.database.writing() as connection,
            ):
                keep(connection, medium)
                if fails:
                    raise ZeroDivisionError
    assert portal.blobs.store.has(good.sha256, 6) and not portal.blobs.store.has(bad.sha256, 6)
    with portal.database.reading() as connection:
        found = connection.execute(select(blobs.c.sha256, blobs.c.size, blobs.c.type)).all()
    assert found == [(good.sha256, 6, "audio/wav")]
    assert not list((portal.path / "incoming").iterdir())


def test_a_file_with_another_hash_than_it_says_is_refused(portal: Portal) -> None:
    said = medium_of(b"what was sent")
    with portal.blobs.incoming_file() as path:
        path.write_bytes(b"what has come")
        with pytest.raises(DataError, match="SHA-256"), storing(portal.database, portal.blobs, path, said):
            pytest.fail("the block began")
    assert not portal.blobs.store.has(said.sha256, said.size)


def test_a_file_that_was_erased_and_is_sent_again_has_its_row_again(portal: Portal) -> None:
    medium = medium_of(b"take 1")
    with portal.database.writing() as connection:
        put_blob(connection, medium)
        put_blob(connection, medium)
        connection.execute(update(blobs).values(erased_at=5))
        put_blob(connection, medium)
        assert connection.execute(select(blobs.c.sha256, blobs.c.erased_at)).all() == [(medium.sha256, None)]


def test_only_files_that_no_row_names_are_erased(portal: Portal) -> None:
    named, unnamed, erased = (medium_of(data) for data in (b"named", b"no row", b"gone"))
    for data in (b"named", b"no row", b"gone"):
        with portal.blobs.incoming_file() as path:
            path.write_bytes(data)
            portal.blobs.put(path, medium_of(data).sha256)
    with portal.database.writing() as connection:
        put_blob(connection, named)
        put_blob(connection, erased)
        connection.execute(update(blobs).where(blobs.c.sha256 == erased.sha256).values(erased_at=5))
    assert erase_unnamed(portal.database, portal.blobs, [each.sha256 for each in (named, unnamed, erased)]) == 2
    assert [portal.blobs.store.has(each.sha256, each.size) for each in (named, unnamed, erased)] == [True, False, False]
    assert erase_unnamed(portal.database, portal.blobs, []) == 0
