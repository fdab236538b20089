"""The Python environment for COMET: found, or created on request, in Triptych's cache."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

from triptych.errors import WeightsError
from triptych.models.environments import folder_of, is_ready, make_environment, python_of

# torchmetrics, which COMET uses, still needs pkg_resources, which setuptools removed in version 81.
REQUIREMENTS = ("unbabel-comet==2.2.7", "setuptools<81")
VARIABLE = "TRIPTYCH_COMET_PYTHON"
_VERSIONS = (
    "from importlib.metadata import version as v;"
    "print(','.join(f'{n}-{v(n).partition(\"+\")[0]}' for n in ('unbabel-comet', 'torch', 'transformers')))"
)


def environment_folder() -> Path:
    """Return the folder of the environment; its name depends on the list of requirements."""
    return folder_of("comet", REQUIREMENTS)


def environment_state() -> str:
    """Return the path of the Python for COMET; empty if there is none yet."""
    if chosen := os.environ.get(VARIABLE):
        return chosen if Path(chosen).is_file() else ""
    return str(environment_folder()) if is_ready(environment_folder()) else ""


def environment_python(*, make: bool, report: Callable[[str], None]) -> Path:
    """Return a Python with unbabel-comet: the one given by TRIPTYCH_COMET_PYTHON, or the environment's own.

    The environment is created if `make` allows it. Raises WeightsError if there is none, or if it can't be created.
    """
    if chosen := os.environ.get(VARIABLE):
        if not Path(chosen).is_file():
            raise WeightsError(
                "the Python for COMET isn't there", where=chosen, fix=f"unset {VARIABLE}, or correct its path"
            )
        return Path(chosen)
    folder = environment_folder()
    if not is_ready(folder):
        if not make:
            raise WeightsError("COMET requires an environment of its own, which doesn't exist yet", fix=how_to_make())
        make_environment(folder, REQUIREMENTS, "COMET's environment", report)
    return python_of(folder)


def how_to_make() -> str:
    """Return how to create the environment."""
    return (
        f"`triptych score … --make-comet` makes it (about 2 GB, in {environment_folder()}), or name a Python that has "
        f"unbabel-comet in {VARIABLE}"
    )


def versions_of(python: Path) -> str:
    """`unbabel-comet-2.2.7,torch-2.13.0,transformers-4.57.6`."""
    return _versions(str(python))


@cache
def _versions(python: str) -> str:
    # Its own folder is the current one, since `-c` imports modules from there.
    bin_folder = Path(python).absolute().parent
    done = subprocess.run([python, "-c", _VERSIONS], cwd=bin_folder, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
