"""Tests of `cli/messages.py`: why Requests failed, and what an estimate says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import triptych


def test_why_requests_failed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    nobody = ["--model-base-url", "http://127.0.0.1:1/v1", "--retries", "0"]
    shown = triptych("run", "cmdar/main", "--model", "openai/x", *nobody, "--condition", "blind", "--limit", "2")
    assert shown.returncode == 1
    assert "failed, connection: 2; the first: no connection to http://127.0.0.1:1/v1" in shown.stderr
