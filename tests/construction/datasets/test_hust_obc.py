"""Tests of `construction/datasets/hust_obc.py`: oracle bone characters with their modern character."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construction.datasets.folders import laid, read
from triptych.errors import DataError

# Names as in Validation_test.json of the repository; IDs that were merged share a folder.
HUST = {
    "deciphered/ID_to_chinese.json": json.dumps({"0854": "丰", "0503": "帝", "0011_0012_0013": "上"}),
    "deciphered/chinese_to_ID.json": json.dumps({"丰": "0854", "帝": "0503", "上": "0011_0012_0013"}),
    "deciphered/0854/G_0854_乙7160(甲).png": None,
    "deciphered/0854/X_0854_3803_2.png": None,
    "deciphered/0503/L_0503_13972.jpg": None,
    "deciphered/0011_0012_0013/H_0011_0012_0013_1.png": None,
    "undeciphered/X/X_?_12.png": None,
    "GuoXueDaShi_1390/0854/G_0854_x.png": None,
}


def test_hust_obc_reads_deciphered_characters(tmp_path: Path) -> None:
    found = read("hust_obc", laid(tmp_path, **HUST))
    assert [record.id for record in found] == [
        "0011_0012_0013/H_0011_0012_0013_1",
        "0503/L_0503_13972",
        "0854/G_0854_乙7160(甲)",
        "0854/X_0854_3803_2",
    ]
    assert [record.fields["label"] for record in found] == ["上", "帝", "丰", "丰"]
    assert found[2].fields["image_file"] == "deciphered/0854/G_0854_乙7160(甲).png"
    assert found[2].sources == ("hust_obc:0854",) and found[2].fields["collection"] == "国学大师"
    nested = read("hust_obc", laid(tmp_path / "n", **{f"HUST-OBC/{name}": text for name, text in HUST.items()}))
    assert nested[0].fields["image_file"].startswith("HUST-OBC/deciphered/")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("deciphered/0999/X_0999_1.png", "no character"),
        ("deciphered/0503/Q_0503_1.png", "isn't named"),
        ("deciphered/0503/X_0504_1.png", "isn't named"),
    ],
)
def test_hust_obc_refuses_what_has_no_character_or_another_name(tmp_path: Path, name: str, told: str) -> None:
    with pytest.raises(DataError, match=told):
        read("hust_obc", laid(tmp_path, **HUST, **{name: None}))
