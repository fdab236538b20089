"""Tests of `construction/datasets/evobc.py`: characters from six periods."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construction.datasets.folders import laid, read
from triptych.errors import DataError

EVOBC = {
    "Key&Value.json": json.dumps({"00001": "㐁", "00002": "㐉"}),
    "Data/EVOBC/00001/00001_Book_OBC_3_1021.jpg": None,
    "Data/EVOBC/00001/00001_Book_CS_1_7.jpg": None,
    "Data/EVOBC/00002/00002_Web_0_x_12.jpg": None,
    "Data/OBC/00001/00001_Book_OBC_3_1021.jpg": None,
}


def test_evobc_has_the_period_of_each_picture(tmp_path: Path) -> None:
    found = read("evobc", laid(tmp_path, **EVOBC))
    assert [(r.id, r.fields["label"], r.fields["script"]) for r in found] == [
        ("00001/00001_Book_CS_1_7", "㐁", "CS"),
        ("00001/00001_Book_OBC_3_1021", "㐁", "OBC"),
        ("00002/00002_Web_0_x_12", "㐉", "OBC"),
    ]
    with pytest.raises(DataError, match="isn't named"):
        read("evobc", laid(tmp_path, **{"Data/EVOBC/00002/00001_Book_OBC_3_1.jpg": None}))
