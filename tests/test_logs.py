"""Log messages: levels, loggers by module, no keys, and an access log without the secrets of links."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.logs import VARIABLE, use_level

RUN = ["run", "cmdar/main", "--data", "mini", "--model", "baseline/longest", "--limit", "2", "--out"]


@pytest.fixture(autouse=True)
def _restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    logger = logging.getLogger("triptych")
    before = logger.level, list(logger.handlers), logger.propagate
    monkeypatch.delenv(VARIABLE, raising=False)
    yield
    level, logger.handlers, logger.propagate = before
    logger.setLevel(level)
    os.environ.pop(VARIABLE, None)


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "triptych", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_attempts_are_logged_on_standard_error_alone(tmp_path: Path) -> None:
    logged = command("--log-level", "debug", *RUN, str(tmp_path / "a"))
    assert logged.returncode == 0
    assert logged.stderr.count("DEBUG triptych.running.ask: cmdar/main/") == 2 and "DEBUG" not in logged.stdout
    quiet = command(*RUN, str(tmp_path / "b"))
    assert "triptych.running" not in quiet.stderr
    assert "DEBUG triptych" in command(*RUN, str(tmp_path / "c"), **{VARIABLE: "debug"}).stderr


@pytest.mark.parametrize(
    "words",
    [
        ["--log-level", "debug", *RUN],
        [RUN[0], "--log-level=debug", *RUN[1:]],
        [*RUN[:-1], "--log-level", "debug", RUN[-1]],
    ],
)
def test_the_level_may_be_before_and_after_the_command(words: list[str], tmp_path: Path) -> None:
    assert "DEBUG triptych.running.ask: cmdar/main/" in command(*words, str(tmp_path / "a")).stderr


@pytest.mark.parametrize(
    "words",
    [["--log-level", "loud", "list", "models"], ["list", "models", "--log-level=loud"], ["list", "--log-level"]],
)
def test_an_unknown_level_is_refused(words: list[str]) -> None:
    refused = command(*words)
    assert refused.returncode == 2 and "debug, info, warning, error" in refused.stderr
    assert "unknown log level" in refused.stderr


def test_an_unknown_level_is_refused_in_python() -> None:
    with pytest.raises(SpecError, match="unknown log level"):
        use_level("loud")


def test_keys_and_line_breaks_do_not_reach_the_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefghijklmnop0123456789")
    use_level("info")
    use_level("info")  # a second time: still one handler
    logging.getLogger("triptych.models.http").info("refused: Bearer %s\nforged line", "sk-abcdefghijklmnop0123456789")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and "forged line" in lines[0] and "abcdefghij" not in lines[0]
