"""The bare machine of CI's first round: all that is hidden is found by name, is really gone, and a command sees so."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "bare.py"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bare", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bare = loaded()


def planted(place: Path, mode: int = 0o644) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("#!/bin/sh\necho here\n")
    place.chmod(mode)
    return place


def test_programs_fonts_and_weights_are_found_wherever_they_moved(tmp_path: Path) -> None:
    wanted = {
        planted(tmp_path / "new place/browser-131/chrome", 0o755),
        planted(tmp_path / "a/fonts/Sans.TTF"),
        planted(tmp_path / "hub/models--x/model.safetensors"),
        planted(tmp_path / "postgresql/99/bin/initdb", 0o755),
    }
    planted(tmp_path / "notes/chrome")  # can't be executed
    planted(tmp_path / "lib/site-packages/matplotlib/DejaVu.ttf")
    planted(tmp_path / "checkout/.venv/node", 0o755)
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "ffmpeg").symlink_to(planted(tmp_path / "real" / "ffmpeg-7", 0o755))
    found = set(bare.found([tmp_path], [tmp_path / "checkout"]))
    assert found == wanted | {tmp_path / "real" / "ffmpeg-7"}


def test_a_folder_of_its_own_is_hidden_whole_but_not_one_of_programs_or_python(tmp_path: Path) -> None:
    own, shared = planted(tmp_path / "chromium/chrome", 0o755), planted(tmp_path / "bin/git", 0o755)
    beside = planted(tmp_path / "pyenv/bin/uv", 0o755)
    planted(tmp_path / "pyenv/bin/python3.11", 0o755)
    hidden = [bare.hidden_as(path, [tmp_path / "bin"]) for path in (own, shared, beside)]
    assert hidden == [tmp_path / "chromium", shared, beside]


def test_the_command_is_not_started_if_anything_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    planted(tmp_path / "sox", 0o755)
    monkeypatch.setattr(bare, "places", lambda: [tmp_path])
    monkeypatch.setattr(bare, "hide", lambda room: [])  # the mounts did nothing
    monkeypatch.setattr(bare, "mount_points", set)
    monkeypatch.setattr(bare, "known_fonts", lambda: [planted(tmp_path / "f" / "Han.ttf")])
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert bare.inside(tmp_path, ["echo", "started"]) == 2
    out, said = capfd.readouterr()
    assert "started" not in out and f"  {tmp_path / 'sox'}\n" in said and "Han.ttf" in said and "sox (on PATH)" in said
    assert str(Path.home() / ".cache") in said


def test_where_nothing_can_be_hidden_it_says_so_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bare, "why_not", lambda: "mounts need root")
    monkeypatch.setenv("TRIPTYCH_CHROMIUM", "/x")
    assert bare.main([sys.executable, "-c", "import os; print('TRIPTYCH_CHROMIUM' in os.environ)"]) == 0
    out, said = capfd.readouterr()
    assert out == "False\n" and "NOTHING IS HIDDEN (mounts need root)" in said


@pytest.mark.slow
def test_a_command_meets_a_machine_without_them(tmp_path: Path) -> None:
    if reason := bare.why_not():
        pytest.skip(f"nothing can be hidden here: {reason}")
    planted(tmp_path / "bin/ffmpeg", 0o755)
    planted(tmp_path / "cache/weights.bin")
    environment = os.environ | {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "BARE_CACHE": str(tmp_path / "kept"),
    }
    looked = "command -v ffmpeg git; ls -A $XDG_CACHE_HOME ~/.cache; touch $XDG_CACHE_HOME/new; exit 3"
    for seen in ("", "new"):  # the second command finds what the first one cached, and nothing else
        done = subprocess.run(
            [SCRIPT, "sh", "-c", looked], env=environment, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 3, done.stderr
        names = {line for line in done.stdout.splitlines() if line and not line.endswith(":")}
        assert names == set(filter(None, [seen])), done.stderr
    assert (tmp_path / "bin/ffmpeg").exists() and (tmp_path / "cache/weights.bin").exists()
