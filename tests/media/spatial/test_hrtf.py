"""HRTFs: SOFA files written here, a spherical head, and what both ears hear."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triptych.errors import MediaError
from triptych.media.spatial import head
from triptych.media.spatial.ambisonics import encode
from triptych.media.spatial.head import spherical_head
from triptych.media.spatial.hrtf import Hrtf, binaural, foa_to_binaural, from_positions, time_difference
from triptych.media.spatial.sofa_fields import fields_of

h5py = pytest.importorskip("h5py", reason="h5py comes with the extra [build]")


RATE = 48_000


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


def test_a_sofa_file_is_read(tmp_path: Path) -> None:
    found = read_sofa(write_sofa(tmp_path / "a.sofa"))
    assert found.rate == 48_000 and found.responses.shape == (8, 2, 128)
    assert found.places[2] == pytest.approx([90, 0]) and found.places[6] == pytest.approx([-90, 0])
    assert found.nearest(100) == 2 and found.nearest(-80, 30) == 6


@pytest.mark.parametrize("azimuth", [0, 45, 90, -45, -90, 180])
def test_the_time_difference_is_that_of_the_file(tmp_path: Path, azimuth: int) -> None:
    found = read_sofa(write_sofa(tmp_path / "a.sofa"))
    late = round(30 - 30 * np.sin(np.radians(azimuth)))
    expected = (60 - 2 * late) / RATE  # positive: left is earlier
    for interpolate in (True, False):
        measured = time_difference(found.filters(azimuth, interpolate=interpolate), RATE)
        assert measured == pytest.approx(expected, abs=1 / RATE)
    heard = binaural(np.eye(1, 400, 50)[0], RATE, found, azimuth)
    assert time_difference(heard, RATE) == pytest.approx(expected, abs=1 / RATE)


def test_between_two_directions_the_time_difference_is_between_theirs(tmp_path: Path) -> None:
    found = read_sofa(write_sofa(tmp_path / "a.sofa"))
    assert found.weights(67.5)[0][1] == pytest.approx(0.5)
    a, b, c = (time_difference(found.filters(angle), RATE) for angle in (45, 67.5, 90))
    assert a < b < c and b == pytest.approx((a + c) / 2, abs=1 / RATE)
    made = found.filters(67.5)  # one click, not two
    assert np.sqrt(np.sum(made**2, axis=0)) == pytest.approx([1.0, 0.8], rel=0.05)


def test_ears_in_the_other_order_are_put_right(tmp_path: Path) -> None:
    usual = read_sofa(write_sofa(tmp_path / "a.sofa"))
    swapped = np.array([[0, -0.09, 0], [0, 0.09, 0]])[:, :, None]
    other = read_sofa(write_sofa(tmp_path / "b.sofa", ReceiverPosition=swapped))
    assert np.array_equal(usual.responses[:, 0], other.responses[:, 1])


def test_delays_of_the_file_count(tmp_path: Path) -> None:
    found = read_sofa(write_sofa(tmp_path / "a.sofa", **{"Data.Delay": np.array([[0.0, 10.0]])}))
    assert time_difference(found.filters(0), RATE) == pytest.approx(10 / RATE, abs=0.5 / RATE)


def test_another_sampling_rate_keeps_direction_and_level(tmp_path: Path) -> None:
    own = spherical_head(RATE)
    other = own.at(16_000)
    assert time_difference(other.filters(60), 16_000) == pytest.approx(head.time_difference(60), abs=1 / 16_000)
    tone = np.sin(2 * np.pi * 500 * np.arange(8000) / 16_000)
    a = binaural(tone, 16_000, own, 0.0)[2000:6000]
    assert np.sqrt(np.mean(a**2)) == pytest.approx(0.707, rel=0.1)


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


@settings(max_examples=30, deadline=None)
@given(st.floats(-180, 180), st.floats(-60, 60))
def test_the_spherical_head_has_woodworths_time_difference(azimuth: float, elevation: float) -> None:
    filters = spherical_head(RATE).filters(azimuth, elevation)
    assert time_difference(filters, RATE) == pytest.approx(head.time_difference(azimuth, elevation), abs=1 / RATE)


def test_ambisonics_is_heard_on_its_side() -> None:
    click = np.zeros(2000, np.float32)
    click[500] = 1
    for azimuth in (90.0, -90.0, 0.0):
        heard = foa_to_binaural(encode(click, azimuth), RATE, spherical_head(RATE))
        difference = time_difference(heard, RATE)
        assert np.sign(round(difference * RATE)) == np.sign(azimuth)
