"""HisDoc1B, M5HisDoc, EVOBC and HUST-OBC, on small folders in the layouts that their repositories describe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.test_datasets import laid, read
from triptych.construction import datasets
from triptych.errors import DataError, SpecError

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
EVOBC = {
    "Key&Value.json": json.dumps({"00001": "㐁", "00002": "㐉"}),
    "Data/EVOBC/00001/00001_Book_OBC_3_1021.jpg": None,
    "Data/EVOBC/00001/00001_Book_CS_1_7.jpg": None,
    "Data/EVOBC/00002/00002_Web_0_x_12.jpg": None,
    "Data/OBC/00001/00001_Book_OBC_3_1021.jpg": None,
}
M5 = {
    "M5HisDoc_regular/images/SCUT_1.jpg": None,
    "M5HisDoc_regular/label_textline/SCUT_1.txt": "10,20,60,900,子曰學而時習之\n80,20,130,900,不亦說乎\n",
    "M5HisDoc_regular/label_char/SCUT_1.txt": "10,20,60,70,子\n",
    "M5HisDoc_hard/images/SCUT_1.jpg": None,
    "M5HisDoc_hard/label_textline/SCUT_1.txt": "1,2,3,4,5,6,7,8,子曰學而時習之\n1,2,3,4,5,6,7,8,不亦說乎\n",
    "split_test.txt": "SCUT_1.jpg\n",
    "char_dict.txt": "子\n",
}
HISDOC: dict[str, Any] = {
    "annos/論語集注.json": json.dumps(
        {
            "title": "論語集注",
            "dynasty": "宋",
            "pages": {
                "0001": {"lines": [{"text": "子曰：「學而時習之，"}, {"text": "不亦說乎？」"}]},
                "0002": {"lines": []},
                "0003": {"text": "有朋自遠方來。"},
            },
        }
    ),
    "images/論語集注/0001.jpg": None,
    "images/論語集注/0003.jpg": None,
    "books/論語集注.pdf": None,
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


def test_evobc_has_the_period_of_each_picture(tmp_path: Path) -> None:
    found = read("evobc", laid(tmp_path, **EVOBC))
    assert [(r.id, r.fields["label"], r.fields["script"]) for r in found] == [
        ("00001/00001_Book_CS_1_7", "㐁", "CS"),
        ("00001/00001_Book_OBC_3_1021", "㐁", "OBC"),
        ("00002/00002_Web_0_x_12", "㐉", "OBC"),
    ]
    with pytest.raises(DataError, match="isn't named"):
        read("evobc", laid(tmp_path, **{"Data/EVOBC/00002/00001_Book_OBC_3_1.jpg": None}))


def test_m5hisdoc_joins_the_lines_of_a_page(tmp_path: Path) -> None:
    regular, hard = read("m5hisdoc", laid(tmp_path, **M5))
    assert regular.id == "regular/SCUT_1" and hard.id == "hard/SCUT_1"
    assert regular.fields["text"] == hard.fields["text"] == "子曰學而時習之\n不亦說乎"
    assert (regular.fields["lines"], regular.fields["split"]) == (2, "test")
    assert regular.sources == hard.sources  # withdrawing a page withdraws both
    assert [r.id for r in datasets.records("m5hisdoc", tmp_path, subsets=("hard",))] == ["hard/SCUT_1"]
    with pytest.raises(SpecError, match="no such option"):
        list(datasets.records("m5hisdoc", tmp_path, subset="hard"))
    (tmp_path / "M5HisDoc_hard/images/SCUT_1.jpg").unlink()
    with pytest.raises(DataError, match="only one of picture and text"):
        read("m5hisdoc", tmp_path)


def test_hisdoc1b_reads_pages_with_their_book(tmp_path: Path) -> None:
    first, third = read("hisdoc1b", laid(tmp_path, **HISDOC))
    assert first.id == "論語集注/0001" and first.fields["text"] == "子曰：「學而時習之，\n不亦說乎？」"
    assert (first.fields["title"], first.fields["dynasty"]) == ("論語集注", "宋") and "author" not in first.fields
    assert third.fields["text"] == "有朋自遠方來。" and third.fields["image_file"] == "images/論語集注/0003.jpg"


def test_hisdoc1b_takes_other_names_and_says_which_are_there(tmp_path: Path) -> None:
    book = {"頁": [{"im": "0001.jpg", "ocr": [{"t": "子曰"}]}], "title": "論語"}
    laid(tmp_path, **HISDOC | {"annos/論語集注.json": json.dumps(book)})
    with pytest.raises(DataError, match="no 'pages'") as told:
        read("hisdoc1b", tmp_path)
    assert "頁" in str(told.value)
    names = {"pages": "頁", "image": "im", "lines": "ocr", "text": "t"}
    assert [r.fields["text"] for r in datasets.records("hisdoc1b", tmp_path, **names)] == ["子曰"]
    with pytest.raises(DataError, match="no such part"):
        list(datasets.records("hisdoc1b", tmp_path, page="頁"))
    (tmp_path / "images/論語集注/0001.jpg").unlink()
    with pytest.raises(DataError, match="picture of a page is missing"):
        list(datasets.records("hisdoc1b", tmp_path, **names))
