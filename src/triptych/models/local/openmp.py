"""The OpenMP library (libgomp) for xllamacpp where the system has none.

xllamacpp's wheel for Linux is linked against the system's `libgomp.so.1`, which slim container images and minimal
installations lack. ctranslate2's wheel, which the extra `local` installs too, carries the same library under a name of
its own. A copy of it that is loaded under the system's name satisfies the dynamic linker.
"""

from __future__ import annotations

import ctypes
import sys
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

SYSTEM_NAME = "libgomp.so.1"


def provide_openmp() -> None:
    """Load ctranslate2's libgomp where the system has none. Without that copy, importing xllamacpp tells the fault."""
    if sys.platform == "linux" and not _loads(SYSTEM_NAME):
        for file in bundled():
            with suppress(OSError, ValueError):
                load_as(file, SYSTEM_NAME)
                return


def bundled() -> list[Path]:
    """The copies of libgomp in ctranslate2's wheel; empty where it isn't installed or has none."""
    spec = find_spec("ctranslate2")
    if spec is None or not spec.origin:
        return []
    return sorted((Path(spec.origin).parents[1] / "ctranslate2.libs").glob("libgomp-*.so*"))


def load_as(library: Path, name: str) -> None:
    """Load a copy of a shared library whose own name (its SONAME, here the same as the file's) is `name`.

    Raises ValueError if the name doesn't occur exactly once in the file or is shorter than `name`, and OSError if the
    copy can't be loaded.
    """
    library_name, wanted = library.name.encode() + b"\0", name.encode() + b"\0"
    content = library.read_bytes()
    if content.count(library_name) != 1 or len(wanted) > len(library_name):
        raise ValueError(f"{library} can't be renamed")
    with tempfile.NamedTemporaryFile(suffix=".so") as copy:  # once loaded, the file isn't needed any more
        copy.write(content.replace(library_name, wanted.ljust(len(library_name), b"\0")))
        copy.flush()
        ctypes.CDLL(copy.name)


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
