"""Python environments for software that conflicts with Triptych's own: made on request, in Triptych's cache.

An environment is complete when its folder contains `.ready`; a lock keeps two processes from making it at once.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from triptych.errors import WeightsError
from triptych.models.weights.lock import exclusive
from triptych.store.user_cache import cache_root

PYTHON_VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"  # version of the Python that runs Triptych


def folder_of(name: str, requirements: Sequence[str], version: str = PYTHON_VERSION) -> Path:
    """Return the folder of an environment; its name depends on the requirements and the version of Python."""
    digest = hashlib.sha256(" ".join([*requirements, *version.split(".")]).encode()).hexdigest()[:8]
    return cache_root() / "environments" / f"{name}-{digest}"


def is_ready(folder: Path) -> bool:
    """Return whether an environment is complete."""
    return (folder / ".ready").is_file()


def python_of(folder: Path) -> Path:
    """Return the program that runs Python in an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_environment(
    folder: Path, requirements: Sequence[str], what: str, report: Callable[[str], None], version: str = PYTHON_VERSION
) -> None:
    """Make an environment unless it is complete; another process that makes it is waited for.

    Args:
        folder: Where it is made.
        requirements: What pip installs.
        what: The environment in messages: `COMET's environment`.
        report: Called with progress messages.
        version: Version of Python, such as `3.11`.

    Raises:
        WeightsError: If it can't be made; nothing is left behind.
    """
    folder = folder.absolute()
    lock = folder.with_name(f".{folder.name}.lock")
    with exclusive(lock, lambda: report(f"waiting for another process that makes {what}")):
        if is_ready(folder):
            return
        shutil.rmtree(folder, ignore_errors=True)
        report(f"making {what} in {folder}: downloads {', '.join(requirements) or 'nothing'} and what they need")
        for command in _commands(folder, requirements, version, what):
            # In a folder of our own: uv reads a uv.toml of the current one.
            done = subprocess.run(
                command, cwd=folder.parent, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
            )
            if done.returncode:
                shutil.rmtree(folder, ignore_errors=True)
                lines = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
                raise WeightsError(f"{what} can't be created", got=lines[-1].strip(), where=" ".join(command))
        (folder / ".ready").touch()


def _commands(folder: Path, requirements: Sequence[str], version: str, what: str) -> list[list[str]]:
    """Return the commands: of uv if it is installed, otherwise of venv and pip."""
    if uv := shutil.which("uv"):
        python = sys.executable if version == PYTHON_VERSION else version
        made = [[uv, "venv", "--quiet", "--python", python, str(folder)]]
        install = [uv, "pip", "install", "--quiet", "--python", str(python_of(folder)), *requirements]
    else:
        made = [[_python(version, what), "-I", "-m", "venv", str(folder)]]
        pip = [str(python_of(folder)), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        install = [*pip, *requirements]
    return [*made, install] if requirements else made


def _python(version: str, what: str) -> str:
    if version == PYTHON_VERSION:
        return sys.executable
    if program := shutil.which(f"python{version}"):
        return program
    raise WeightsError(
        f"{what} needs Python {version}",
        got=f"Python {PYTHON_VERSION}",
        fix=f"install Python {version}, or uv, which fetches it",
    )
