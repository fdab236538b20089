"""A process that may open few files: the limit is read before asking, raised where it can be, and told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.mock_process import MockProcess
from triptych.running import descriptors

pytest.importorskip("resource")


def under(soft: int, hard: int, script: str) -> str:
    """What a script prints under such limits."""
    limits = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard})); "
    command = [sys.executable, "-c", limits + script]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


FIT = "from triptych.running.descriptors import fit; n, why = fit(200); print(n, why); "


def test_a_soft_limit_is_raised_as_far_as_needed() -> None:
    now = "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    told, limits = under(64, 4096, FIT + now).split("\n")
    soft, hard = map(int, limits.split())
    assert told.strip() == "200" and 400 < soft < 4096 and hard == 4096
    assert under(4096, 4096, FIT + now).split("\n")[1] == "4096 4096", "a limit that is high enough is left alone"


def test_under_a_hard_limit_fewer_are_asked_at_once() -> None:
    number, _, why = under(64, 64, FIT).partition(" ")
    assert 1 <= int(number) <= (64 - descriptors.RESERVE) // descriptors.EACH
    assert why.startswith(f"{number} Requests at once instead of 200") and "64 files" in why and "ulimit" in why
    assert under(32, 32, "from triptych.running.descriptors import fit; print(fit(9)[0])") >= "1"


def test_a_run_under_64_files_and_200_requests_at_once_ends_well(tmp_path: Path) -> None:
    with MockProcess(latency=0.01, answer="letter") as mock:
        run = [sys.executable, "-m", "triptych", "run", "cmdar/main", "--data", "mini", "--model", "openai/m"]
        run += ["--condition", "blind", "--model-base-url", mock.base_url, "--concurrency", "200", "--repeats", "20"]
        limited = ["sh", "-c", 'ulimit -n 64; exec "$@"', "sh", *run, "--out", str(tmp_path / "run")]
        env = {**os.environ, "OPENAI_API_KEY": "none", "NO_PROXY": "*"}
        done = subprocess.run(limited, capture_output=True, text=True, env=env, check=False)
        stats = mock.stats()
    assert done.returncode == 0, done.stderr
    assert "Requests at once instead of 200" in done.stderr and "Traceback" not in done.stderr
    assert stats["peak_in_flight"] <= 20 and (tmp_path / "run" / "summary.json").is_file()
