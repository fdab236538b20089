"""Signs in replies, by hand, in the benchmarks' four languages."""

from __future__ import annotations

import pytest

from triptych.metrics.replies.failing import declines, describes, repeats_itself


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot listen to audio files.",
        "As an AI language model, I …",
        "I am unable to process audio.",
        "抱歉，我无法直接听取音频内容。",
        "作为一个AI，我不能",
        "Es tut mir leid, aber ich kann diese Datei nicht öffnen.",
        "Mi dispiace, ma non posso ascoltare l'audio.",
        "Non posso rispondere a questa domanda",
    ],
)
def test_refusals(text: str) -> None:
    assert declines(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, B is right",
        "I can't hear any birds, so B",
        "我不能同意他的看法",
        "The speaker can't help but laugh",
        "他说他不能来",
        "B",
        "",
        "Not answerable",
        "The answer is B. I'm sorry it took long.",
    ],
)
def test_what_is_no_refusal(text: str) -> None:
    assert not declines(text)


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("well, " + "the cat sat on the mat. " * 9, True),
        ("哈" * 60, True),
        ("答案是甲。" * 20, True),
        (" ".join(f"step {n % 5} is to look again" for n in range(40)), True),
        ("The cat sat. The cat ran. The cat sat.", False),
        ("正常的一句话，没有重复。", False),
        ("", False),
        (" ".join(f"word{n}" for n in range(500)), False),
    ],
)
def test_loops(text: str, loops: bool) -> None:
    assert repeats_itself(text) is loops


def test_descriptions() -> None:
    assert all(map(describes, ["The audio contains a dog", "这段音频是", "L'audio contiene", "In dem Video sieht man"]))
    assert not any(map(describes, ["A dog barks", "学而时习之", "Ein Hund bellt", ""]))
