"""A file that a user or a received configuration names may be anything, also without an end."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from triptych.cli.main import main
from triptych.store.files.text_files import read_text_input

ENDLESS = Path("/dev/zero")


def test_text_is_read_as_it_would_be_otherwise(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("\ufeffä\r\nb\rc\n".encode())
    assert read_text_input(tmp_path / "a") == "ä\nb\nc\n"


def test_what_is_larger_than_the_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("12345", encoding="utf-8")
    assert read_text_input(tmp_path / "a", largest=5) == "12345"
    with pytest.raises(OSError, match="larger than"):
        read_text_input(tmp_path / "a", largest=4)


def test_a_pipe_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=("x = 1",))
    writer.start()
    assert read_text_input(tmp_path / "pipe") == "x = 1"
    writer.join()


@pytest.mark.skipif(not ENDLESS.exists(), reason="no file without an end here")
@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "cmdar/main", "--config", "{file}"],
        ["run", "cmdar/main", "--model", "baseline/first", "--items", "{file}"],
        ["run", "cmdar/main", "--model", "openai/x", "--model-base-url", "http://127.0.0.1:9/v1", "--prices", "{file}"],
        ["list", "models", "--catalogue", "{file}"],
    ],
    ids=["config", "items", "prices", "catalogue"],
)
def test_a_file_without_an_end_is_one_message(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main([one.format(file=ENDLESS) for one in arguments])
    assert ended.value.code == 2
    assert "larger than 64 MiB" in capsys.readouterr().err
