"""Commands that pages show can be typed as they are."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from triptych.viewer.commands import command


def test_a_path_below_the_current_folder_is_relative_and_another_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert command("score", tmp_path / "here" / "runs" / "cmdar" / "one") == "triptych score runs/cmdar/one"
    assert command("score", tmp_path / "runs") == f"triptych score {tmp_path / 'runs'}"


def test_names_with_spaces_quotes_and_dashes_reach_the_shell_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a b", "it's", "$(x)", "中文", "-x"):
        shown = command("compare", tmp_path / name, tmp_path / "b")
        typed = shlex.split(shown)[2]
        assert (tmp_path / typed).resolve() == (tmp_path / name).resolve() and not typed.startswith("-")
