"""Replies that a limit ended: planted ones, and everything that looks a little like them and isn't."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from triptych import audit_run
from triptych.audit.results.truncated import find_cut

SYLLABLES = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "ul", "en")]
WORDS = [first + second for first in SYLLABLES for second in SYLLABLES[::7]]


def prose(rng: random.Random, words: int) -> str:
    """Sentences of 8 to 20 words, with `words` words altogether; the last one is whole."""
    found: list[str] = []
    while len(found) < words:
        sentence = rng.choices(WORDS, k=rng.randint(8, 20))
        found += [*sentence[:-1], sentence[-1] + "."]
    whole = found[:words]
    return " ".join([*whole[:-1], whole[-1].rstrip(".") + "."])


def limited(text: str, words: int) -> str:
    return " ".join(text.split()[:words]).rstrip(".")


def talks(rng: random.Random, n: int, low: int = 300, high: int = 1200) -> list[str]:
    return [prose(rng, rng.randint(low, high)) for _ in range(n)]


def test_replies_that_all_end_at_one_length_are_seen() -> None:
    rng = random.Random(1)
    cut = find_cut([limited(text, 200 + rng.randint(-12, 12)) for text in talks(rng, 21)])
    assert cut is not None and (cut.open, cut.replies, cut.unit) == (21, 21, "characters")
    assert cut.high - cut.low < 0.3 * cut.high


def test_they_are_seen_among_shorter_whole_replies() -> None:
    """Questions answered in a line, summaries cut: the limit is seen where only some replies reach it."""
    rng = random.Random(2)
    short = [prose(rng, rng.randint(5, 60)) for _ in range(200)]
    cut = find_cut([*short, *(limited(text, 180 + rng.randint(-10, 10)) for text in talks(rng, 60))])
    assert cut is not None and cut.open == 60


def test_chinese_text_is_cut_where_it_has_no_mark_of_an_end() -> None:
    rng = random.Random(3)
    text = ["".join(rng.choices("我们用数据训练模型并且比较结果和人的表现", k=rng.randint(12, 30))) for _ in range(900)]
    replies = ["。".join(text[i * 30 : i * 30 + 30])[: 420 + rng.randint(-25, 25)].rstrip("。") for i in range(30)]
    assert find_cut(replies) is not None
    assert find_cut([reply + "。" for reply in replies]) is None


def test_one_number_of_tokens_is_a_limit_whatever_the_characters_are() -> None:
    rng = random.Random(4)
    texts = [limited(text, rng.randint(60, 260)) for text in talks(rng, 40)]
    tokens = [256 if place < 12 else rng.randint(90, 255) for place in range(40)]
    cut = find_cut(texts, tokens)
    assert cut is not None and (cut.open, cut.low, cut.unit) == (12, 256, "tokens")
    assert find_cut(texts, [rng.randint(90, 2000) for _ in texts]) is None


@pytest.mark.parametrize("seed", range(12))
def test_honest_lengths_are_no_limit(seed: int) -> None:
    """Talks of various lengths; a third of the replies without a last full stop, as some recognisers write."""
    rng = random.Random(seed)
    texts = [t.rstrip(".") if rng.random() < 0.35 else t for t in talks(rng, 40, 40, 900)]
    assert find_cut(texts) is None
    assert find_cut([text.rstrip(".") for text in talks(rng, 40, 40, 900)]) is None  # none has one


@pytest.mark.parametrize(
    "reply",
    [
        lambda rng: rng.choice("ABCD"),
        lambda rng: rng.choice(["yes", "no", "the violin", "in the kitchen"]),
        lambda rng: prose(rng, 40),
        lambda rng: prose(rng, 40) + " The answer is " + rng.choice("ABCD"),
        lambda rng: prose(rng, 40) + " The instrument that is heard is the " + rng.choice(WORDS),
        lambda rng: prose(rng, 40) + " So I choose (B) the dog barks",
        lambda rng: "system\nYou are a model. Answer.\nuser\n" + prose(rng, 40) + "\nassistant\n" + rng.choice("ABCD"),
        lambda rng: prose(rng, 120).replace(".", ""),  # no marks at all: a recogniser that writes none
        lambda rng: "- " + prose(rng, 30) + "\n- " + prose(rng, 30),
        lambda rng: "",
    ],
    ids=[
        "letters",
        "words",
        "whole",
        "letter at the end",
        "form",
        "one form",
        "transcript",
        "no marks",
        "lists",
        "empty",
    ],
)
def test_short_and_formed_answers_are_no_limit(reply: object) -> None:
    rng = random.Random(5)
    assert find_cut([reply(rng) for _ in range(300)]) is None  # type: ignore[operator]


def test_few_replies_say_nothing() -> None:
    rng = random.Random(6)
    assert find_cut([limited(text, 200) for text in talks(rng, 9)]) is None
    assert find_cut([]) is None


def cmdar(path: Path, replies: list[str], answer: str = "甲") -> Path:
    """Open questions with a reply each, in the released form."""
    rows = [
        {
            "id": n,
            "audio_path": "a.wav",
            "question": f"q{n}",
            "answer": answer,
            "category": "事件推理类",
            "model_output": reply,
        }
        for n, reply in enumerate(replies)
    ]
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def test_an_audit_tells_them_of_any_benchmarks_results(tmp_path: Path) -> None:
    rng = random.Random(8)
    replies = [limited(text, 200 + rng.randint(-9, 9)) for text in talks(rng, 40)]
    (found,) = [f for f in audit_run([cmdar(tmp_path / "open.json", replies)], benchmark="cmdar") if f.kind == "cut"]
    assert found.severity == "severe" and "40 of 40 replies end within a sentence" in found.message
    assert found.rows == ("cmdar/open",)
    whole = cmdar(tmp_path / "whole-open.json", talks(rng, 40))
    assert not [f for f in audit_run([whole], benchmark="cmdar") if f.kind == "cut"]


def test_clips_that_end_within_a_sentence_are_no_limit(tmp_path: Path) -> None:
    """Their reference texts end so too: a reply as long as its reference is whole."""
    rng = random.Random(9)
    text = limited(prose(rng, 300), 200)
    replies = [limited(prose(rng, 300), 200 + rng.randint(-9, 9)) for _ in range(40)]
    path = cmdar(tmp_path / "open.json", replies, answer=text)
    assert not [f for f in audit_run([path], benchmark="cmdar") if f.kind == "cut"]
