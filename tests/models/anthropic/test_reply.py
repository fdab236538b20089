"""Tests of `models/anthropic/reply.py`: parsing replies of the Messages API into a Reply or a ProviderError."""

from __future__ import annotations

import gzip
from types import SimpleNamespace

import pytest

from tests.models.anthropic.test_adapter import failed
from tests.support.wire import Answer
from triptych.models.anthropic.reply import _refusal_reason

pytest.importorskip("anthropic")


def test_an_older_sdk_has_no_reason_for_a_refusal() -> None:
    """anthropic 0.60, the oldest version that is allowed, has no `stop_details`."""
    assert _refusal_reason(SimpleNamespace(stop_reason="refusal")) == ""  # type: ignore[arg-type]


def test_what_a_reply_can_cost_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(b" " * (1 << 22))
    error = failed(lambda seen: Answer(body=packed, headers={"Content-Encoding": "gzip"}))
    assert (error.kind, error.retryable) == ("malformed", False) and "gzip" in str(error)
    monkeypatch.setattr("triptych.models.anthropic.reply.MAX_BODY_BYTES", 1 << 20)
    for status in (200, 500):
        error = failed(lambda seen, status=status: Answer(status, b" " * (1 << 21)))  # type: ignore[misc]
        assert (error.kind, error.retryable) == ("malformed", False) and "more than 1 MB" in str(error)
