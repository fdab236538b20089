"""The built wheel on each Python that Triptych supports, installed with pip as a user does, without any extra.

It must print its help, list the benchmarks, run a baseline over a mini set with scores and tables, and start
`triptych demo`. `make wheel` tries the interpreters that it finds (on PATH, of pyenv, or that uv can fetch), and names
those that it could not try. `python .ci/wheel.py 3.12 3.14` tries some. Exit status 1 if one fails; an interpreter that
can't be had is no failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "PIP_", "SSL_", "REQUESTS_", "CURL_")

# Says which parts of aiohttp that Triptych uses are gone; Runs then take its public interface, which is slower
AIOHTTP = "from triptych.models.http import aiohttp_inside as inside; print('missing:', inside.missing())"


def main(wanted: list[str]) -> int:
    failed = False
    with tempfile.TemporaryDirectory(prefix="triptych-wheel-") as name:
        folder = Path(name)
        wheel = built(folder)
        for version in wanted or VERSIONS:
            began, python = time.monotonic(), interpreter(version)
            if python is None:
                print(f"NOT TRIED, no interpreter here and uv can't fetch one: Python {version}", flush=True)
                continue
            fault = tried(python, wheel, folder / version)
            said = fault or "installed, --help, list, run, demo"
            print(
                f"{'FAILED' if fault else 'passed'} Python {version}, {time.monotonic() - began:.0f} s: {said}",
                flush=True,
            )
            failed |= bool(fault)
    return int(failed)


def built(folder: Path) -> Path:
    """Build the wheel with pip; isolation needs the registry only for the build tool."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True)
    return next(folder.glob("triptych-*.whl"))


def interpreter(version: str) -> str | None:
    """Return the first interpreter of this version that starts; None if there is none."""
    return next((python for python in candidates(version) if starts(python, version)), None)


def candidates(version: str) -> Iterator[str]:
    if found := shutil.which(f"python{version}"):
        yield found
    if f"{sys.version_info.major}.{sys.version_info.minor}" == version:
        yield sys.executable
    yield from map(str, sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python")))
    if uv := shutil.which("uv"):
        done = subprocess.run(
            [uv, "python", "install", "--quiet", version], capture_output=True, check=False, timeout=300
        )
        if not done.returncode:
            found = subprocess.run(
                [uv, "python", "find", version], capture_output=True, text=True, check=False
            ).stdout.strip()
            if found:
                yield found


def starts(python: str, version: str) -> bool:
    """Return whether it runs, is this version (a shim of pyenv may be another or none) and has venv with pip."""
    ask = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False)
    return not done.returncode and done.stdout.strip() == version


def tried(python: str, wheel: Path, folder: Path) -> str:
    """Install and use the wheel; return what went wrong, or an empty text."""
    folder.mkdir()
    environment = folder / "environment"
    inside = str(environment / "bin" / "python")
    steps: list[tuple[list[str], int, str]] = [
        ([python, "-m", "venv", str(environment)], 0, ""),
        ([inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", str(wheel)], 0, ""),
        ([inside, "-W", "error::SyntaxWarning", "-m", "triptych", "--help"], 0, "demo"),
        ([inside, "-m", "triptych", "list", "benchmarks"], 0, "xmodbench"),
        ([inside, "-c", AIOHTTP], 0, "missing: []"),  # pip has just taken the newest aiohttp
        (
            [
                inside,
                "-m",
                "triptych",
                "run",
                "cmdar/main",
                "--model",
                "baseline/random",
                "--limit",
                "3",
                "--out",
                "run",
            ],
            0,
            "accuracy",
        ),
        (
            [inside, "-m", "triptych", "demo", "--no-fetch"],
            2,
            "pip install 'triptych[local]'",
        ),  # it starts, and says what it needs
    ]
    kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
    for command, code, words in steps:
        done = subprocess.run(
            command, cwd=folder, env={**kept, "COLUMNS": "120"}, capture_output=True, text=True, check=False
        )
        said = done.stdout + done.stderr
        if done.returncode != code or words not in " ".join(said.split()) or "Traceback" in said:
            return f"{' '.join(command[1:])}: exit status {done.returncode}\n{said[-1500:]}"
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
