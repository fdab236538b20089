"""Media of the store as signals and back, for stages that process them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from triptych.construction.engine.context import Context
from triptych.errors import SpecError

CANCELS = "the two channels are in opposite phase and cancel out when they are mixed down: bring one of them alone"


def keep_sound(samples: Any, rate: int, context: Context) -> str:
    """Put samples, shape (frames,) or (frames, channels), into the store as 16-bit WAV."""
    from triptych.media.sound.coding import encode_wav

    return context.media.put(encode_wav(samples.reshape(len(samples), -1), rate), "wav")


@contextmanager
def made_film() -> Iterator[Path]:
    """Yield a path for a film that is checked before it is kept; the file is deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder, "made.mp4")


def head_of(context: Context) -> Any:
    """Return the HRTF of the SOFA file that `sofa` and `sha256` name, or that of a spherical head.

    Raises SpecError if the file has another hash, and MediaError if it can't be read.
    """
    from triptych.media.spatial.head import spherical_head

    wanted = context.parameters
    if not wanted["sofa"]:
        return spherical_head()
    if (hasher := context.sha256(wanted["sofa"])) != wanted["sha256"]:
        raise SpecError(
            "the SOFA file has another hash", where=wanted["sofa"], expected=wanted["sha256"] or "`sha256`", got=hasher
        )
    return _sofa(context.material(wanted["sofa"]), hasher)


@lru_cache(maxsize=2)
def _sofa(path: Path, sha256: str) -> Any:
    """The file, read once for all records of a build."""
    from triptych.media.spatial.sofa import read_sofa

    return read_sofa(path)
