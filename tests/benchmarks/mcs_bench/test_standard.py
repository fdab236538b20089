"""The rules of protocol standard: what a reply says about a picture, its marks and entities, in either script."""

from __future__ import annotations

import pytest

from tests.benchmarks.mcs_bench.rows_for_tests import unit
from tests.benchmarks.mcs_bench.test_protocols import scores
from triptych.benchmarks.mcs_bench import official, standard


@pytest.mark.parametrize(
    ("task", "answer", "reply", "right"),
    [
        ("T21", "12", "图中有12只鸟", 1),
        ("T21", "12", "112只", 0),
        ("T21", "12", "１２", 1),
        ("T21", "1", "1.5", 0),
        ("T21", "1", "<think>1？</think>2", 0),
        ("T45", "虎", "老虎", 1),
        ("T45", "龙", "是龍", 1),
        ("T45", "虎", "", 0),
    ],
)
def test_standard_reads_answers_about_pictures(task: str, answer: str, reply: str, right: int) -> None:
    assert scores("standard", unit(task, answer, reply))["acc"].value == right


def test_standard_counts_each_mark_and_entity_once() -> None:
    marks = scores("standard", unit("T3", "学，习。", "学，学，学，习。"))
    assert marks["precision.marks"].value == 0.5
    assert scores("official", unit("T3", "学，习。", "学，学，学，习。"))["recall.punctuation"].value == 2.0
    names = scores("standard", unit("T4", "孟子、梁惠王", "孟子，梁惠王。"))
    assert names["f1.entities"].value == 1.0
    assert scores("official", unit("T4", "孟子、梁惠王", "孟子，梁惠王。"))["f1.entity"].value == 0.0


def test_standard_turns_the_reference_to_simplified_too() -> None:
    assert scores("standard", unit("T1", "學而", "学而"))["cr"].value == 1.0
    assert scores("official", unit("T1", "學而", "学而"))["cr"].value == 0.5


@pytest.mark.parametrize(
    ("reference", "reply", "right"),
    [
        ("3", "一共有 3 只", 1),
        ("3", "3.5", 0),
        ("3", "2.3", 0),
        ("3", "13 或 31", 0),
        ("Ming", "It is MING dynasty", 1),
        ("Ming", "Coming", 0),
        ("C", "Cu", 0),
        ("３", "3", 1),
        ("1.5", "1.5 米", 1),
        ("a+b", "a+b", 1),
        ("颜真卿", "顏真卿", 1),
        ("颜真卿", "<think>颜真卿？</think>柳公权", 0),
        ("虎", "", 0),
    ],
)
def test_digits_and_latin_letters_must_not_continue(reference: str, reply: str, right: int) -> None:
    assert standard.picture(reference, reply) == {"acc": right}


def test_entities_are_separated_by_any_comma_and_counted_once() -> None:
    assert standard.entities("孟子、梁惠王", "孟子;梁惠王；孟子\n\n。") == {
        "precision.entities": 1.0,
        "recall.entities": 1.0,
        "f1.entities": 1.0,
    }
    half = standard.entities("孟子、梁惠王", "孟子，齊宣王")
    assert [half[f"{name}.entities"] for name in ("precision", "recall", "f1")] == [0.5, 0.5, 0.5]
    assert standard.entities("孟子", "")["f1.entities"] == 0


def test_an_open_answer_is_the_mean_of_its_measures_and_nothing_without_an_encoder() -> None:
    whole = standard.open_answer("王羲之", "王羲之", 0.8)
    assert (whole["anls"], whole["bertscore"], whole["open_qa.standard"]) == (1.0, 0.8, pytest.approx(0.9))
    assert standard.open_answer("王羲之", "王羲之", None)["open_qa.standard"] is None
    compared = standard.open_texts("書聖", "<think>是顏真卿嗎</think>书圣")
    assert (compared.candidate, compared.reference, compared.language) == ("书圣", "书圣", "zh")


def test_reasoning_is_no_part_of_an_answer() -> None:
    reply = "<think>春眠不觉晓，处处闻啼鸟。</think>学而时习"
    for name, rule in standard.KINDS.items():
        assert rule("学而时习", reply) == rule("学而时习", "学而时习"), name
    assert official.ocr("学而时习", reply) != official.ocr("学而时习", "学而时习"), "official takes all of it"
