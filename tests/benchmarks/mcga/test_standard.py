"""Tests of `benchmarks/mcga/standard.py`: the rules of protocol standard, by hand."""

from __future__ import annotations

import pytest

from triptych.benchmarks.mcga.standard import answer_f1, asr_errors, chosen_letter


@pytest.mark.parametrize(
    ("reference", "reply", "errors"),
    [
        ("床前明月光", "床前明月光", (0, 5)),
        ("床前明月光，疑是地上霜。", "床前明月光 疑是地上霜", (0, 10)),
        ("床前明月光", "窗前明月", (2, 5)),
        ("床前明月光", "", (5, 5)),
    ],
)
def test_errors_of_a_transcript(reference: str, reply: str, errors: tuple[int, int]) -> None:
    assert asr_errors(reference, reply) == errors


def test_f1_counts_characters_and_does_not_reward_lists() -> None:
    assert answer_f1("李白", "李白") == 1
    assert answer_f1("李白", "杜甫") == answer_f1("李白", "") == 0
    assert answer_f1("李白", "李白杜甫王维") == pytest.approx(2 * (2 / 6) * 1 / (2 / 6 + 1))


@pytest.mark.parametrize(
    ("reply", "letter"), [("B", "B"), ("答案是C。", "C"), ("A或B", None), ("", None), ("不知道", None)]
)
def test_the_one_letter_of_a_reply(reply: str, letter: str | None) -> None:
    assert chosen_letter(reply, ("A", "B", "C", "D"), ("春", "夏", "秋", "冬")) == letter
