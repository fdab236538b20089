"""Commands that pages show, with the paths of the folders they concern, so that they can be typed as they are."""

from __future__ import annotations

import shlex
from pathlib import Path


def command(name: str, *words: Path | str) -> str:
    """Return `triptych NAME WORDS`, quoted for a shell. A path below the current folder, in which the server was
    started, is relative to it; any other is complete."""
    return shlex.join(["triptych", name, *(_typed(word) if isinstance(word, Path) else word for word in words)])


def _typed(path: Path) -> str:
    absolute, here = path.absolute(), Path.cwd()
    shown = str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(absolute)
    return f"./{shown}" if shown.startswith("-") else shown
