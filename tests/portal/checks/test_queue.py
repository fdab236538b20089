"""Tests of `portal/checks/queue.py`: the queue of checks in the database."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
from sqlalchemy import select

from tests.portal.conftest import visitor
from tests.portal.test_sweeping_privacy import clips, files, upload, voice
from triptych.media.sound.coding import encode_wav
from triptych.portal.checks.queue import finish, take
from triptych.portal.project import Portal
from triptych.portal.store.tables import blobs
from triptych.portal.work.keeping import Medium
from triptych.portal.work.withdrawing import withdraw


def test_a_check_that_ends_after_the_withdrawal_leaves_no_sound(portal: Portal) -> None:
    number, who = clips(portal)[0], visitor(portal, "recorder")
    who.client.get("/record/record")
    assert upload(who, number, voice()).status_code == 201
    waiting = take(portal.database)
    assert waiting
    withdraw(portal.database, portal.blobs, who.id, None)
    made = encode_wav(np.zeros((1600, 1), np.float32), 16_000)
    name = sha256(made).hexdigest()
    with portal.blobs.incoming_file() as path:
        path.write_bytes(made)
        finish(portal.database, waiting.id, {}, [], Medium("audio", name, len(made), "audio/wav"), portal.blobs, path)
    assert not files(portal)
    with portal.database.reading() as connection:
        assert connection.execute(select(blobs.c.sha256).where(blobs.c.erased_at.is_(None))).all() == []
