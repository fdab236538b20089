"""Tests of `media/spatial/sofa_fields.py`: the fields of SOFA files, checked before they are used."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.media.spatial.sofa_files import read_sofa, write_sofa
from triptych.errors import MediaError
from triptych.media.spatial.sofa_fields import fields_of, main

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


def test_the_arrays_have_the_left_ear_first_and_delays_in_seconds(tmp_path: Path) -> None:
    delays = {"Data.Delay": np.array([[0.0, 24.0]])}
    swapped = np.array([[0, -0.09, 0], [0, 0.09, 0]])[:, :, None]
    fields = fields_of(write_sofa(tmp_path / "a.sofa", **delays))
    assert fields["responses"].shape == (8, 2, 128) and fields["responses"].dtype == np.float32
    assert fields["responses"][2].argmax(axis=1).tolist() == [5, 65], "from the left, the left ear hears it first"
    assert fields["delays"].shape == (8, 2) and fields["delays"][3] == pytest.approx([0, 0.0005])
    other = fields_of(write_sofa(tmp_path / "b.sofa", ReceiverPosition=swapped, **delays))
    assert other["responses"][2].argmax(axis=1).tolist() == [65, 5] and other["delays"][3] == pytest.approx([0.0005, 0])
    assert int(fields["rate"]) == 48_000
    assert fields["positions"][:3] == pytest.approx(np.array([[1, 0, 0], [0.5**0.5, 0.5**0.5, 0], [0, 1, 0]]))


def changed(path: Path, name: str, **attributes: object) -> Path:
    with h5py.File(path, "a") as file:
        for key, value in attributes.items():
            file[name].attrs[key] = value
    return path


def test_positions_may_be_cartesian_and_spherical_ones_are_in_degrees(tmp_path: Path) -> None:
    ring = np.array([[np.cos(n), np.sin(n), 0.0] for n in range(8)]) * 1.5
    path = changed(write_sofa(tmp_path / "a.sofa", SourcePosition=ring), "SourcePosition", Type="cartesian")
    assert fields_of(path)["positions"] == pytest.approx(ring)
    radians = changed(write_sofa(tmp_path / "b.sofa"), "SourcePosition", Units="radian, radian, metre")
    with pytest.raises(MediaError, match="SourcePosition:Units") as refused:
        fields_of(radians)
    assert (refused.value.expected, refused.value.got) == ("degree, degree, metre", "radian, radian, metre")


def test_ears_may_be_given_as_directions(tmp_path: Path) -> None:
    ears = np.array([[270.0, 0, 0.09], [90.0, 0, 0.09]])[:, :, None]  # the right ear first
    path = changed(write_sofa(tmp_path / "a.sofa", ReceiverPosition=ears), "ReceiverPosition", Type="spherical")
    assert fields_of(path)["responses"][2].argmax(axis=1).tolist() == [65, 5]


def test_the_process_writes_arrays_or_an_error_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    good, bad = write_sofa(tmp_path / "声.sofa"), write_sofa(tmp_path / "b.sofa", convention="GeneralTF")
    monkeypatch.setattr("sys.argv", ["sofa_fields", str(good)])
    assert main() == 0
    with np.load(io.BytesIO(capfdbinary.readouterr().out)) as arrays:
        assert set(arrays) == {"responses", "delays", "positions", "rate"} and arrays["responses"].shape == (8, 2, 128)
    monkeypatch.setattr("sys.argv", ["sofa_fields", str(bad)])
    assert main() == 2
    captured = capfdbinary.readouterr()
    assert captured.out == b"" and json.loads(captured.err)["expected"] == "SimpleFreeFieldHRIR"
