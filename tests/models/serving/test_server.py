"""A server is waited for, checked, and ended with all its processes, also if its command is killed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.models.serving.servers_for_tests import NAME, address, lives, pids, ready
from tests.support.waiting import until
from triptych.errors import SpecError
from triptych.models.serving.server import is_occupied, running, served_at

pytestmark = pytest.mark.skipif(os.name == "nt", reason="vLLM runs on Linux")


@pytest.mark.parametrize("fault", ["", "stubborn"])
def test_a_server_is_ready_and_ends_with_all_its_processes(
    fault: str, command: Sequence[str], port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN", fault)
    assert served_at(address(port)) is None and not is_occupied(address(port))
    with running(command, address(port), grace_s=0.1) as server:
        ready(server)
        assert served_at(address(port)) == [NAME] and is_occupied(address(port))
        assert all(map(lives, pids(tmp_path)))
    until(lambda: not any(map(lives, pids(tmp_path))), "the end of all processes")  # SIGKILL takes a moment


def test_a_server_that_dies_while_loading_is_reported(
    command: Sequence[str], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN", "dies")
    with pytest.raises(SpecError, match="exit code 1"), running(command, address(port)) as server:
        ready(server)


def test_a_server_that_never_answers_is_ended(
    command: Sequence[str], port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN", "never")
    told: list[str] = []
    with pytest.raises(SpecError, match="not ready in time"), running(command, address(port)) as server:
        left = pids(tmp_path)
        server.until_ready(NAME, 0, told.append, every=0)
    until(lambda: not any(map(lives, left)), "the end of all processes")


def test_a_server_of_another_model_is_refused(
    command: Sequence[str], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN", "other")
    with pytest.raises(SpecError, match="another model"), running(command, address(port)) as server:
        ready(server)


def test_a_missing_program_is_named(port: int) -> None:
    with pytest.raises(SpecError, match="not installed"), running(["vllm-nowhere"], address(port)):
        pass


def test_code_in_the_current_folder_is_not_executed(port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json").mkdir()
    (tmp_path / "json/__init__.py").write_text("open('executed', 'w')")
    (tmp_path / "json/tool.py").write_text("")
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "json.tool", "--help"]
    with pytest.raises(SpecError, match="exit code 0"), running(command, address(port)) as server:
        ready(server)
    assert not (tmp_path / "executed").exists()
