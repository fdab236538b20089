"""The environment that COMET lives in: found, or made when asked for, under Triptych's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from triptych.errors import WeightsError
from triptych.models.cache import cache_root
from triptych.models.weights_lock import exclusive

# torchmetrics, which COMET uses, still asks for pkg_resources: it left setuptools with version 81.
REQUIREMENTS = ("unbabel-comet==2.2.7", "setuptools<81")
VARIABLE = "TRIPTYCH_COMET_PYTHON"
_VERSIONS = (
    "from importlib.metadata import version as v;"
    "print(','.join(f'{n}-{v(n).partition(\"+\")[0]}' for n in ('unbabel-comet', 'torch', 'transformers')))"
)


def environment_folder() -> Path:
    """Where the environment is, by what it holds: another list of requirements is another environment."""
    digest = hashlib.sha256(" ".join([*REQUIREMENTS, *map(str, sys.version_info[:2])]).encode()).hexdigest()[:8]
    return cache_root() / "environments" / f"comet-{digest}"


def environment_state() -> str:
    """Where the Python for COMET is; empty where there is none yet."""
    if chosen := os.environ.get(VARIABLE):
        return chosen if Path(chosen).is_file() else ""
    return str(environment_folder()) if (environment_folder() / ".ready").is_file() else ""


def environment_python(*, make: bool, report: Callable[[str], None]) -> Path:
    """The Python that has unbabel-comet: the one that TRIPTYCH_COMET_PYTHON names, or the environment's own, which is
    made now where `make` allows it. Raises WeightsError where there is none, or it can't be made."""
    if chosen := os.environ.get(VARIABLE):
        if not Path(chosen).is_file():
            raise WeightsError("the Python for COMET isn't there", where=chosen, fix=f"unset {VARIABLE}, or mend it")
        return Path(chosen)
    folder = environment_folder()
    with exclusive(folder.with_name(f".{folder.name}.lock"), lambda: report("waiting for another making of COMET")):
        if not (folder / ".ready").is_file():
            if not make:
                raise WeightsError(
                    "COMET needs an environment of its own, which isn't made yet",
                    fix=how_to_make(),
                )
            _make(folder, report)
    return _python(folder)


def how_to_make() -> str:
    """What to do to have the environment."""
    return (
        f"`triptych score … --make-comet` makes it (about 2 GB, in {environment_folder()}), or name a Python that has "
        f"unbabel-comet in {VARIABLE}"
    )


def versions_of(python: Path) -> str:
    """`unbabel-comet-2.2.7,torch-2.13.0,transformers-4.57.6`."""
    return _versions(str(python))


@cache
def _versions(python: str) -> str:
    done = subprocess.run([python, "-c", _VERSIONS], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def _make(folder: Path, report: Callable[[str], None]) -> None:
    """A virtual environment, by uv where there is one, else by venv and pip; whole, or not there at all."""
    shutil.rmtree(folder, ignore_errors=True)
    report(f"making COMET's environment in {folder}: downloads {', '.join(REQUIREMENTS)} and what they need")
    if uv := shutil.which("uv"):
        commands = [
            [uv, "venv", "--quiet", "--python", sys.executable, str(folder)],
            [uv, "pip", "install", "--quiet", "--python", str(_python(folder)), *REQUIREMENTS],
        ]
    else:
        pip = [str(_python(folder)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        commands = [[sys.executable, "-m", "venv", str(folder)], [*pip, *REQUIREMENTS]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            lines = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
            raise WeightsError("COMET's environment can't be made", got=lines[-1].strip(), where=" ".join(command))
    (folder / ".ready").touch()


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
