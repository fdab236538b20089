"""Fixtures of the tests of servers that tests elsewhere have too: a stand-in for `vllm serve`, and its port."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.models.serving.servers_for_tests import NAME, STAND_IN
from tests.support.ports import free_port


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, port: int) -> Sequence[str]:
    """`vllm serve …` with a stand-in on PATH, which writes the ids of its processes to a file."""
    program = tmp_path / "bin" / "vllm"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -I {STAND_IN} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("STAND_IN_PIDS", str(tmp_path / "pids"))
    return ["vllm", "serve", NAME, "--port", str(port)]
