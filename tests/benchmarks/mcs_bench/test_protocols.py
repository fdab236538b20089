"""Protocols paper and standard, by hand; and what happens without the Chinese packages."""

from __future__ import annotations

import pytest

from tests.benchmarks.mcs_bench.rows_for_tests import unit
from triptych.benchmarks.mcs_bench import simplified
from triptych.benchmarks.mcs_bench.protocols import PROTOCOLS
from triptych.protocols.outcomes import AMBIGUOUS, PERSON
from triptych.protocols.protocol import Unit
from triptych.records import Intermediate, Response, Score


def scores(protocol: str, asked: Unit) -> dict[str, Score]:
    return {s.metric: s for s in PROTOCOLS[protocol].score(asked)}


@pytest.mark.parametrize(
    ("reply", "paper", "standard"),
    [
        ("B", 1, 1),
        ("B、铜器", 1, 1),
        ("Ｂ", 1, 1),
        ("答案是B", 1, 1),
        ("A", 0, 0),
        ("ABCD", None, None),
        ("A和B", None, None),
        ("选A，不选B", None, 0),
        ("铜器", 0, None),
        ("Bronze", 0, None),
        ("", 0, None),
        ("<think>A？C？</think>B", None, 1),
    ],
)
def test_choices(reply: str, paper: int | None, standard: int | None) -> None:
    for protocol, value in (("paper", paper), ("standard", standard)):
        score = scores(protocol, unit("T36", "B", reply))["acc"]
        expected = ("unparsed", 0) if value is None else ("scored", value)
        assert (score.status, score.numerator) == expected, protocol


@pytest.mark.parametrize(("choice", "value"), [("B", 1), ("A", 0), ("", 0)])
def test_a_person_decides_what_is_ambiguous(choice: str, value: int) -> None:
    asked = unit("T36", "B", "A或B")
    assert scores("paper", asked)["acc"].note == AMBIGUOUS
    assert scores("paper", asked)["acc"].extraction == ("A", "B")
    told = Response(asked.item.id, "", 0, "answered", "A或B", intermediates=(Intermediate(PERSON, "text", "", choice),))
    score = scores("paper", Unit(asked.items, (told,)))["acc"]
    assert (score.status, score.value, score.note) == ("scored", value, "")


def test_the_paper_s_equations() -> None:
    asked = unit("T6", "学而时习", "学而")
    assert scores("paper", asked)["anls.paper"].value == pytest.approx(1 - 0.5 / 4)  # equation 7
    assert scores("official", asked)["anls"].value == pytest.approx(0.5)
    translated = scores("paper", unit("T2", "学而时习", "学而"))
    assert translated["rouge_1.recall"].value == 0.5
    assert translated["rouge_2.recall"].value == pytest.approx(1 / 3)
    assert translated["rouge_l.paper"].value == pytest.approx(2.44 * 0.5 / (0.5 + 1.44))  # P 1, R 0.5, beta 1.2


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


def test_without_the_chinese_packages_only_letters_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplified, "converter", lambda: None)
    for protocol in PROTOCOLS:
        assert scores(protocol, unit("T36", "B", "B"))["acc"].value == 1.0
        for task in ("T1", "T2", "T21"):
            found = scores(protocol, unit(task, "学", "学")).values()
            assert {(s.status, s.denominator) for s in found} == {("unavailable", 0.0)}
            assert all("triptych[zh]" in s.note for s in found)
