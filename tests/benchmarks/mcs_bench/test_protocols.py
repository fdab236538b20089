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


def test_without_the_chinese_packages_only_letters_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simplified, "converter", lambda: None)
    for protocol in PROTOCOLS:
        assert scores(protocol, unit("T36", "B", "B"))["acc"].value == 1.0
        for task in ("T1", "T2", "T21"):
            found = scores(protocol, unit(task, "学", "学")).values()
            assert {(s.status, s.denominator) for s in found} == {("unavailable", 0.0)}
            assert all("triptych[zh]" in s.note for s in found)
