"""An error of a command names no option that this command lacks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.experiment.conftest import here
from tests.models.serving.conftest import command, port
from tests.models.worker.test_confirmed import weights
from tests.support.named import unknown
from tests.support.shards import asked, shards
from triptych.cli import main as command_line

__all__ = ["asked", "command", "here", "port", "shards", "weights"]


@pytest.fixture(autouse=True)
def _options_of_errors_exist(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each error that a test provokes is held against the command that it ended."""
    running: list[list[str]] = []
    found: list[str] = []
    carry_out, say = command_line._carry_out, command_line._say

    def carried_out(arguments: list[str] | None) -> None:
        running.append([str(one) for one in arguments or []])
        carry_out(arguments)

    def said(message: str) -> None:
        if running:
            found.extend(f"{problem}: {message}" for problem in unknown(message, running[-1]) if given(problem))
        say(message)

    def given(problem: str) -> bool:
        """Whether we named the option: not an unknown one that was typed."""
        return not any(word.partition("=")[0] in problem.split() for word in running[-1])

    monkeypatch.setattr(command_line, "_carry_out", carried_out)
    monkeypatch.setattr(command_line, "_say", said)
    yield
    assert found == []
