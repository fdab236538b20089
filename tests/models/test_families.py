"""Tests of `models/families.py`: families of models."""

from __future__ import annotations

from triptych.audit.results.replies import reply_kind
from triptych.models.families import family_of
from triptych.records import Response


def test_no_reply_and_families() -> None:
    assert reply_kind(None) == reply_kind(Response("i", "", 0, "failed")) == "none"
    names = ("openai/gpt-4o", "gemini-2.0-flash", "Qwen2.5-Omni-7B", "local/cascade")
    assert [family_of(n) for n in names] == ["gpt", "gemini", "qwen", ""]
