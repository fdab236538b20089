"""Who read a clip: gender, age and major, from fields of a row or from the persona of its caption."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.mcga.rows_for_tests import ROW, write
from tests.benchmarks.mcga.test_reader import items
from triptych.benchmarks.mcga.readers import AGES, facets_of


@pytest.mark.parametrize(
    ("fields", "reader"),
    [
        ({"sec_1": "朗读者是一位女声，听起来是老年人，语速偏慢。"}, {"gender": "woman", "age": "old"}),
        ({"sec_1": "青少年，男"}, {"gender": "man", "age": "child"}),
        ({"sec_1": "一男一女，青年与中年"}, {}),
        ({"sec_1": "声音清亮。"}, {}),
        ({"sec_1": "一位男性，青年。", "gender": "Female", "age": 45}, {"gender": "woman", "age": "middle-aged"}),
        (
            {"sec_1": "", "speaker": 7, "gender": "男", "age": "18", "major": "汉语言文学"},
            {"speaker": "7", "gender": "man", "age": "young", "major": "汉语言文学"},
        ),
        ({"sec_1": "", "age": 40, "gender": None}, {"age": "young"}),
        ({"sec_1": "", "age": 17.5, "gender": ["x"], "major": {"a": 1}, "speaker": True}, {}),
    ],
)
def test_the_reader_is_a_facet(tmp_path: Path, fields: dict[str, object], reader: dict[str, str]) -> None:
    write(tmp_path, "MCGA_sec_test.jsonl", {**ROW, **fields, "sec_1": fields["sec_1"] or "无"})
    (item,) = items(tmp_path, "sec").values()
    assert {k: v for k, v in item.facets.items() if k in ("speaker", "gender", "age", "major")} == reader


@pytest.mark.parametrize(
    ("years", "band"),
    [
        (0, "child"),
        (17, "child"),
        (18, "young"),
        ("18", "young"),
        (40, "young"),
        (41, "middle-aged"),
        (60, "middle-aged"),
        (61, "old"),
        (999, "old"),
        ("1000", "1000"),
        ("二十岁", "二十岁"),
        (" 青年 ", "young"),
        (True, None),
        (17.5, None),
        ([], None),
    ],
)
def test_years_are_put_into_the_bands_of_the_authors_prompt(years: object, band: str | None) -> None:
    assert facets_of(None, None, years, None, None).get("age") == band


def test_every_word_for_a_band_is_read_from_a_field_and_from_a_persona() -> None:
    for word, band in AGES.items():
        assert facets_of(None, None, word, None, None) == {"age": band}
        assert facets_of(None, None, None, None, f"朗读者为{word}。").get("age") == band, word


def test_a_field_goes_before_the_persona_and_an_unknown_word_stays() -> None:
    persona = "一位女性，老年。"
    assert facets_of("S  01", "女声", "中年", "中文  系", "一位男性") == {
        "speaker": "S 01",
        "gender": "woman",
        "age": "middle-aged",
        "major": "中文 系",
    }
    assert facets_of(None, "MALE", "", None, persona) == {"gender": "man", "age": "old"}
    assert facets_of(None, "nonbinary", None, None, persona)["gender"] == "nonbinary"
    assert facets_of(0, None, None, None, None) == {"speaker": "0"} and facets_of("", "", "", "", "") == {}
