"""The ten commands of the cookbook page are typed off, with a mock endpoint and a reviewer who approves."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools.mini import cmdar_set

from tests.support.mock_process import MockProcess

PAGE = (Path(__file__).parents[2] / "docs/building-cookbook.md").read_text(encoding="utf-8")
COMMANDS = re.search(r"^```\n(pip .*?)^```", PAGE, re.S | re.M)


def fill(sheet: Path) -> int:
    """The reviewer approves every question."""
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["your verdict (approve | edit | reject)"] = "approve"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return len(rows)


@pytest.mark.slow
def test_ten_commands_lead_from_recordings_to_an_audited_benchmark(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    assert COMMANDS
    install, *commands = COMMANDS[1].splitlines()
    assert install.startswith("pip install") and len(commands) == 9
    (tmp_path / "recordings").mkdir()
    for name in ("clinic", "kitchen", "morning"):
        shutil.copy(cmdar_set.FOLDER / f"recordings/{name}.ogg", tmp_path / "recordings")
    (file,) = re.findall(r'^```toml title="bench.toml"\n(.*?)^```', PAGE, re.S | re.M)
    with MockProcess(answer="json") as mock:
        here = {"http://localhost:8000/v1": mock.base_url}
        (tmp_path / "bench.toml").write_text(_replaced(file, here), encoding="utf-8")
        said = {}
        for command in commands:
            words = _replaced(command, here).split()
            assert words[0] == "triptych"
            run = subprocess.run(
                [sys.executable, "-m", "triptych", *words[1:]],
                cwd=tmp_path,
                text=True,
                capture_output=True,
                env={**os.environ, "OPENAI_API_KEY": "k", "NO_COLOR": "1"},
            )
            assert "Traceback" not in run.stderr, run.stderr
            waits = words[1] == "build" and "--config" in words and not (tmp_path / "review.csv").exists()
            assert run.returncode == int(waits and "--dry-run" not in words), (command, run.stdout, run.stderr)
            said[command] = run.stdout + run.stderr
            if words[1:3] == ["build", "tasks"]:
                assert fill(tmp_path / "review.csv") > 5
    assert "0 errors" in said[commands[-3]], said[commands[-3]]
    assert (tmp_path / "build/ours/out/MDAR-main.json").is_file() and (tmp_path / "build/ours/report.html").is_file()


def _replaced(text: str, places: dict[str, str]) -> str:
    for old, new in places.items():
        text = text.replace(old, new)
    return text
