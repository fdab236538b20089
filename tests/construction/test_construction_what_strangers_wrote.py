"""Faults that others than the makers of the checks planted, each in several forms; sound texts beside them remain."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.construction.people.reviews import person_key
from triptych.construction.recipes.mcs_bench import chinese_marks, written
from triptych.construction.release.withdrawal import forget_people
from triptych.construction.text_checks.options.marks import about_others


@pytest.mark.parametrize(
    "option",
    [
        "其余三者兼而有之",
        "前述情形均未发生",
        "皆非",
        "均否",
        "兼有前三者",
        "其餘選項皆不成立",
        "以上兼有",
        "不属于前两种情况",
        "each of these",
        "Neither option",
        "none of the other choices",
        "neither",
        "没有一项正确",
        "以上任意一项",
        "none apply",
        "the first three",
        "a combination of the above",
    ],
)
def test_options_about_other_options(option: str) -> None:
    assert about_others("他想要什么？", ["归隐田园", "求取功名", "保卫边疆", option]) == option


@pytest.mark.parametrize(
    "option",
    [
        "其余的人都走了",
        "前三名都是女生",
        "两人皆非本地人",
        "这两个都要",
        "他们都没来",
        "每个人都有份",
        "前面的车不走",
        "其他人没有票",
    ],
)
def test_options_that_are_about_what_happens(option: str) -> None:
    assert about_others("他说了什么？", ["归隐田园", "求取功名", "保卫边疆", option]) == ""


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        (
            '文中说:"以勇气闻于诸侯",所以他是凭勇气闻名的.',
            "文中说：“以勇气闻于诸侯”，所以他是凭勇气闻名的。",
        ),
        ('"仁"和"义"是什么?', "“仁”和“义”是什么？"),
        ('他说"OK"就走了', "他说“OK”就走了"),
        ('He said "yes".', 'He said "yes".'),
        ('屏幕为 27"的"大"屏', '屏幕为 27"的"大"屏'),
    ],
)
def test_straight_quotation_marks(text: str, marked: str) -> None:
    assert chinese_marks(text) == marked


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("《诗》云", "《詩》云"),
        ("《诗》云：“乐只君子。”", "《詩》云：“樂只君子。”"),
        ("古人云：“云从龙”", "古人云：“雲從龍”"),
        ("诗云，白云深处", "詩云，白雲深處"),
    ],
)
def test_the_word_say_in_traditional_characters(text: str, made: str) -> None:
    pytest.importorskip("opencc")
    assert written(text, "traditional") == made


@pytest.mark.parametrize("name", ["ＬＩ", "Li ", "LI"])
def test_names_of_one_person(name: str) -> None:
    assert person_key(name) == person_key("li")


def test_what_a_person_returned_under_a_name_of_other_width_is_removed(tmp_path: Path) -> None:
    results = tmp_path / "results" / "review.jsonl"
    results.parent.mkdir()
    lines = [f'{{"id":"{id}","person":"{person}"}}\n' for id, person in (("a", "li"), ("b", "ＬＩ"), ("c", "wang"))]
    results.write_text("".join(lines), encoding="utf-8")
    forget_people(tmp_path, frozenset({"li"}))
    assert results.read_text(encoding="utf-8") == lines[2]
