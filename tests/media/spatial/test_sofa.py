"""Tests of `media/spatial/sofa.py`: SOFA files (AES69)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.media.spatial.sofa_files import read_sofa, write_sofa
from triptych.errors import MediaError
from triptych.media.spatial import sofa

h5py = pytest.importorskip("h5py", reason="h5py comes with the extra [build]")


def test_a_file_is_read_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = write_sofa(tmp_path / "a.sofa")
    there, here = sofa.read_sofa(path), read_sofa(path)
    assert np.array_equal(there.responses, here.responses) and np.array_equal(there.places, here.places)
    assert there.rate == here.rate and np.array_equal(there.delays, here.delays)


def test_an_error_of_that_process_is_reported_with_its_words(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="SOFAConventions") as refused:
        sofa.read_sofa(write_sofa(tmp_path / "a.sofa", convention="GeneralTF"))
    assert refused.value.expected == "SimpleFreeFieldHRIR" and str(tmp_path) in str(refused.value.where)


def test_a_process_that_does_not_end_or_crashes_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_sofa(tmp_path / "a.sofa")
    monkeypatch.setattr(sofa, "TIMEOUT_S", 0.0)
    with pytest.raises(MediaError, match="too long"):
        sofa.read_sofa(path)
    monkeypatch.setattr(sofa, "TIMEOUT_S", 60.0)
    monkeypatch.setattr(sofa.sys, "executable", "false")
    with pytest.raises(MediaError, match="can't be read"):
        sofa.read_sofa(path)
