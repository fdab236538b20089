"""Tests of `portal/recording/recognising.py`: speech recognisers of the check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.portal.recording.test_recording import RATE, sound
from triptych.errors import ProviderError
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import encode_wav
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.portal.blobs.store import Blobs, open_place
from triptych.portal.recording import recognising
from triptych.records import Request


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(open_place("media", tmp_path), tmp_path / "incoming")


class Hears(SimpleAdapter):
    """A recogniser that misses the last character, after a server that is busy once."""

    busy = True

    async def prepare(self, request: Request, media: MediaReader) -> Any:
        """Read the sound, as a real one does."""
        return media.load(request.media_parts[0]).data

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """Answer."""
        if Hears.busy:
            Hears.busy = False
            raise ProviderError("busy", kind="server", retryable=True)
        assert prepared[:4] == b"RIFF"
        return Reply("床前，明月。")


def test_a_recogniser_is_asked_as_any_model(blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recognising.recognisers({}, blobs) is None
    monkeypatch.setattr(recognising, "load_adapter", lambda name, settings: Hears(settings))
    asked = recognising.recognisers({"any/model": {}}, blobs)
    assert asked and asked(encode_wav(sound(), RATE), "床前明月光") == {"any/model": 0.2}


def test_a_recogniser_that_does_not_answer_stops_nobody(blobs: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    class Down(SimpleAdapter):
        async def respond(self, request: Request, prepared: Any) -> Reply:
            raise ProviderError("no such model", kind="unknown_model", fatal=True)

    monkeypatch.setattr(recognising, "load_adapter", lambda name, settings: Down(settings))
    asked = recognising.recognisers({"any/model": {}}, blobs)
    assert asked and asked(encode_wav(sound(), RATE), "床前") == {}
