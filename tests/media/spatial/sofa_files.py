"""SOFA files (AES69) with eight directions in a ring, written for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triptych.media.spatial.hrtf import Hrtf, from_positions
from triptych.media.spatial.sofa_fields import fields_of

h5py = pytest.importorskip("h5py", reason="h5py comes with the extra [build]")


def read_sofa(path: Path) -> Hrtf:
    """What `sofa.read_sofa` does, without starting a process for each test."""
    found = fields_of(path)
    return from_positions(found["responses"], found["delays"], found["positions"], int(found["rate"]))


def write_sofa(path: Path, **changes: Any) -> Path:
    """A SOFA file with eight directions in a ring; a click reaches the near ear earlier."""
    azimuths = np.arange(0, 360, 45.0)
    late = np.round(30 - 30 * np.sin(np.radians(azimuths))).astype(int)
    responses = np.zeros((8, 2, 128))
    for n, delay in enumerate(late):
        responses[n, 0, 5 + delay], responses[n, 1, 5 + 60 - delay] = 1.0, 0.8
    fields = {
        "Data.IR": responses,
        "Data.SamplingRate": np.array([48_000.0]),
        "Data.Delay": np.zeros((1, 2)),
        "SourcePosition": np.stack([azimuths, np.zeros(8), np.full(8, 1.5)], axis=1),
        "ReceiverPosition": np.array([[0, 0.09, 0], [0, -0.09, 0]])[:, :, None],
    } | changes
    with h5py.File(path, "w") as file:
        file.attrs["Conventions"], file.attrs["SOFAConventions"] = (
            "SOFA",
            fields.pop("convention", "SimpleFreeFieldHRIR"),
        )
        file.attrs["DataType"] = np.bytes_("FIR")
        for name, values in fields.items():
            if values is not None:
                file[name] = values
        if "SourcePosition" in file:
            file["SourcePosition"].attrs["Type"] = fields.get("kind", "spherical") if "kind" not in changes else "odd"
            file["SourcePosition"].attrs["Units"] = "degree, degree, metre"
    return path
