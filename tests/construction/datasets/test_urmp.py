"""Tests of `construction/datasets/urmp.py`: chamber music with its parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.datasets.folders import URMP, laid, only, read
from triptych.errors import DataError


def test_urmp(tmp_path: Path) -> None:
    fields = only("urmp", laid(tmp_path, **URMP))
    place = "Dataset/01_Jupiter_vn_vc"
    assert fields["instruments"] == ["violin", "cello"] and fields["label"] == "violin and cello"
    assert fields["parts"][1] == {"instrument": "cello", "audio_file": f"{place}/AuSep_2_vc_01_Jupiter.wav"}
    assert fields["audio_file"] == f"{place}/AuMix_01_Jupiter_vn_vc.wav"
    assert fields["video_file"] == f"{place}/Vid_01_Jupiter_vn_vc.mp4"


def test_urmp_refuses_parts_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="unknown instrument"):
        read("urmp", laid(tmp_path / "a", **{"01_Jupiter_vn_xx/AuMix.wav": None}))
    with pytest.raises(DataError, match="don't fit"):
        read("urmp", laid(tmp_path / "b", **{"01_Jupiter_vn_vc/AuSep_1_fl_01_Jupiter.wav": None}))
