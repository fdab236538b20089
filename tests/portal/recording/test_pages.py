"""Tests of `portal/recording/pages.py`: pages of recording."""

from __future__ import annotations

import pytest

from tests.portal.conftest import visitor
from tests.portal.test_sweeping_privacy import clips, files, live, upload, voice
from triptych.portal.project import Portal
from triptych.portal.recording import pages as recording
from triptych.portal.work.withdrawing import withdraw

# --- a withdrawal beside something else


def test_an_upload_that_ends_after_the_withdrawal_is_not_taken(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    number, who = clips(portal)[0], visitor(portal, "recorder")
    who.client.get("/record/record")
    real = recording.sniff

    def withdrawing(head: bytes) -> str | None:  # the body is here, nothing is stored yet
        withdraw(portal.database, portal.blobs, who.id, who.id)
        return real(head)

    monkeypatch.setattr(recording, "sniff", withdrawing)
    answer = upload(who, number, voice())
    assert answer.status_code == 410 and answer.json()["problem"] == "withdrawn-meanwhile"
    assert live(portal) == 0 and not files(portal)
