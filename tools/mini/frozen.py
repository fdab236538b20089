"""The makers of the mini sets are frozen: their tests run only if one of their files has changed since then.

`FROZEN` holds the SHA-256 of all files of this folder. The sets that ship are held to their manifests by hash in every
test run. Whether the makers would still make them is tried by `make mini`, and by their tests if a file here has
changed or TRIPTYCH_MINI=1. After a change: `make mini`, then `python -m tools.mini freeze`.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

HERE = Path(__file__).parent
FILE = HERE / "FROZEN"


def digest() -> str:
    """Return the SHA-256 over the names and contents of all makers, their raw material and texts."""
    total = hashlib.sha256()
    for path in sorted(HERE.rglob("*"), key=lambda path: path.relative_to(HERE).as_posix()):
        if path.is_file() and path != FILE and path.suffix not in (".pyc", ".md"):
            data = path.read_bytes()
            total.update(f"{path.relative_to(HERE).as_posix()} {len(data)}\n".encode() + data)
    return total.hexdigest()


def is_frozen() -> bool:
    """Return whether nothing has changed since the makers were frozen."""
    return FILE.is_file() and FILE.read_text(encoding="utf-8").strip() == digest()


def are_tried() -> bool:
    """Return whether the makers' tests run."""
    return os.environ.get("TRIPTYCH_MINI", "") not in ("", "0") or not is_frozen()


def freeze() -> None:
    """Write the present SHA-256."""
    FILE.write_text(digest() + "\n", encoding="utf-8")
