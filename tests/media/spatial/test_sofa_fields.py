"""Tests of `media/spatial/sofa_fields.py`: the fields of SOFA files, checked before they are used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.media.spatial.sofa_files import read_sofa, write_sofa
from triptych.errors import MediaError

h5py = pytest.importorskip("h5py", reason="h5py comes with the extra [build]")


def test_ears_in_the_other_order_are_put_right(tmp_path: Path) -> None:
    usual = read_sofa(write_sofa(tmp_path / "a.sofa"))
    swapped = np.array([[0, -0.09, 0], [0, 0.09, 0]])[:, :, None]
    other = read_sofa(write_sofa(tmp_path / "b.sofa", ReceiverPosition=swapped))
    assert np.array_equal(usual.responses[:, 0], other.responses[:, 1])


BROKEN = [
    ({"convention": "GeneralTF"}, "SOFAConventions"),
    ({"Data.IR": None}, "Data.IR"),
    ({"Data.IR": np.zeros((8, 3, 16))}, "Data.IR"),
    ({"Data.IR": np.full((8, 2, 16), np.nan)}, "Data.IR"),
    ({"Data.IR": np.zeros((8, 2, 0))}, "Data.IR"),
    ({"Data.IR": np.full((8, 2, 16), 1e300)}, "Data.IR"),
    ({"Data.IR": b"text"}, "Data.IR"),
    ({"Data.SamplingRate": np.array([0.0])}, "SamplingRate"),
    ({"Data.SamplingRate": np.array([np.inf])}, "SamplingRate"),
    ({"Data.Delay": np.array([[-5.0, 0.0]])}, "Delay"),
    ({"Data.Delay": np.array([[1e9, 0.0]])}, "Delay"),
    ({"SourcePosition": np.zeros((3, 3))}, "SourcePosition"),
    ({"ReceiverPosition": np.zeros((1, 3, 1))}, "ReceiverPosition"),
    ({"ReceiverPosition": None}, "ReceiverPosition"),
    ({"kind": np.zeros(1)}, "Type"),
]


@pytest.mark.parametrize(("changes", "field"), BROKEN)
def test_a_file_with_a_wrong_field_is_refused(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(MediaError, match=field):
        read_sofa(write_sofa(tmp_path / "a.sofa", **changes))


def test_files_that_are_not_hdf5_are_refused(tmp_path: Path) -> None:
    whole = write_sofa(tmp_path / "a.sofa").read_bytes()
    for data in (b"", b"no HDF5", whole[:700], b"\x89HDF\r\n\x1a\n" + bytes(500)):
        (tmp_path / "b.sofa").write_bytes(data)
        with pytest.raises(MediaError):
            read_sofa(tmp_path / "b.sofa")
    with pytest.raises(MediaError):
        read_sofa(tmp_path / "missing.sofa")
    (tmp_path / "l.sofa").symlink_to(tmp_path / "a.sofa")
    with pytest.raises(MediaError):
        read_sofa(tmp_path / "l.sofa")


def test_a_file_that_declares_terabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = write_sofa(tmp_path / "a.sofa", **{"Data.IR": None})
    with h5py.File(path, "a") as file:
        file.create_dataset(
            "Data.IR", shape=(1_000_000, 2, 500_000), dtype="f8", chunks=(1, 2, 1000), compression="gzip"
        )
    with pytest.raises(MediaError, match="at most"):
        read_sofa(path)


def test_values_in_other_files_are_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.bin"
    secret.write_bytes(bytes(8 * 2 * 16 * 8))
    path = write_sofa(tmp_path / "a.sofa", **{"Data.IR": None})
    with h5py.File(path, "a") as file:
        file.create_dataset("Data.IR", shape=(8, 2, 16), dtype="f8", external=[(str(secret), 0, 8 * 2 * 16 * 8)])
    with pytest.raises(MediaError, match="another file"):
        read_sofa(path)
    other = write_sofa(tmp_path / "other.sofa")
    path = write_sofa(tmp_path / "b.sofa", **{"Data.IR": None})
    with h5py.File(path, "a") as file:
        file["Data.IR"] = h5py.ExternalLink(str(other), "Data.IR")
    with pytest.raises(MediaError, match="a link"):
        read_sofa(path)
    path = write_sofa(tmp_path / "c.sofa", **{"Data.IR": None})
    layout = h5py.VirtualLayout(shape=(8, 2, 128), dtype="f8")
    layout[:] = h5py.VirtualSource(str(other), "Data.IR", shape=(8, 2, 128))
    with h5py.File(path, "a") as file:
        file.create_virtual_dataset("Data.IR", layout)
    with pytest.raises(MediaError, match="another file"):
        read_sofa(path)
