"""SOFA files (AES69): head-related impulse responses in HDF5, of the convention SimpleFreeFieldHRIR."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from triptych.errors import MediaError
from triptych.media.spatial.hrtf import Hrtf, from_positions
from triptych.records.packages import need

TIMEOUT_S = 60.0  # for reading one file, in a process of its own


def read_sofa(path: Path) -> Hrtf:
    """Return the impulse responses of a SOFA file.

    The receivers are brought into the order left ear, right ear by their positions; the listener looks along x. The
    file is read in a process of its own, which is ended after 60 s, since the HDF5 library may hang or crash over
    damaged data.

    Raises:
        MediaError: The file can't be read or is not HDF5, refers to other files, has another convention, lacks a field,
            has a field of the wrong shape, or is too large.
        SpecError: h5py, which the extra `build` installs, is missing.
    """
    import numpy as np

    need("h5py", "reading SOFA files", "build")
    command = [sys.executable, "-P", "-m", "triptych.media.spatial.sofa_fields", str(path.absolute())]
    try:
        ended = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise MediaError("reading the SOFA file takes too long", where=path, expected=f"<= {TIMEOUT_S:g} s") from None
    if ended.returncode:
        raise _fault(ended, path)
    with np.load(io.BytesIO(ended.stdout), allow_pickle=False) as arrays:
        return from_positions(arrays["responses"], arrays["delays"], arrays["positions"], int(arrays["rate"]))


def _fault(ended: subprocess.CompletedProcess[bytes], path: Path) -> MediaError:
    """The error that the process reports, or that it crashed."""
    try:
        problem: dict[str, Any] = json.loads(ended.stderr)
        return MediaError(problem["problem"], expected=problem["expected"], got=problem["got"], where=path)
    except (ValueError, KeyError, TypeError):
        last = ended.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:300]
        return MediaError("the SOFA file can't be read", where=path, got=last or f"exit code {ended.returncode}")
