"""Tests of `models/openai/body.py`: assembling the JSON body of a chat completion from bytes."""

from __future__ import annotations

import json

from tests.models.openai.test_adapter import adapter
from triptych.media.payload import MediaReader
from triptych.models.openai.body import body_bytes
from triptych.records import Message, Request, text


def test_system_role_is_a_setting() -> None:
    request = Request("1", (Message("system", (text("s"),)), Message("user", (text("u"),))))
    sent = json.loads(body_bytes(request, MediaReader(None), adapter(system_role="developer")._dialect))
    assert [m["role"] for m in sent["messages"]] == ["developer", "user"]
