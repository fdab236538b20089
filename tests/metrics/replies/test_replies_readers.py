"""Replies are read as people read them: how often not, on each part of the corpus, docs/protocols.md states."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.metrics.replies.rates import rates_by, read_rows
from tests.metrics.replies.readers import letter, text
from triptych.metrics.choice import read_letter

HERE = Path(__file__).parent
PAGE = Path(__file__).parents[3] / "docs" / "protocols.md"
WRITTEN = tomllib.loads((HERE / "written.toml").read_text(encoding="utf-8"))
HALVES = sorted(HERE.glob("*.jsonl"))
# set -> the most that may be read wrongly, and the most that may be left unread, in percent
GOALS = {"ordinary": (0.3, 5.0), "hard": (3.0, 25.0), "texts": (3.0, 10.0)}
_ROW = re.compile(r"^\| (ordinary|hard|texts) \| ([\w-]+) \| ([0-9,]+) \| ([0-9.]+)% \| ([0-9.]+)% \|$", re.M)


def stated() -> dict[tuple[str, str], tuple[int, float, float]]:
    """Return (half, set) -> (replies, percent wrong, percent unread) as the page states them."""
    rows = _ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {
        (half, name): (int(n.replace(",", "")), float(wrong), float(unread)) for name, half, n, wrong, unread in rows
    }


def measured(half: Path) -> Iterator[tuple[str, tuple[int, float, float]]]:
    for name, found in rates_by(read_rows(half), "set", letter=letter, text=text).items():
        yield name, (found.rows, round(100 * found.wrong_rate, 1), round(100 * found.unread_rate, 1))


@pytest.mark.parametrize("half", HALVES, ids=lambda path: path.stem)
def test_no_more_replies_are_misread_than_the_goals_allow(half: Path) -> None:
    rates = rates_by(read_rows(half), "set", letter=letter, text=text)
    assert set(rates) == set(GOALS) - ({"texts"} if half.stem == "later" else set())
    for name, found in rates.items():
        wrong, unread = GOALS[name]
        assert 100 * found.wrong_rate <= wrong, (half.stem, name, found)
        assert 100 * found.unread_rate <= unread, (half.stem, name, found)


@pytest.mark.parametrize("half", HALVES, ids=lambda path: path.stem)
def test_the_rates_are_no_worse_than_the_page_states(half: Path) -> None:
    for name, (rows, wrong, unread) in measured(half):
        told = stated()[half.stem, name]
        assert rows == told[0], (half.stem, name)
        assert wrong <= told[1], (half.stem, name, wrong)
        assert unread <= told[2], (half.stem, name, unread)


def test_the_page_states_every_part() -> None:
    assert set(stated()) == {(half.stem, name) for half in HALVES for name, _ in measured(half)}


@pytest.mark.parametrize("reply", WRITTEN["chosen"])
def test_a_choice_is_read(reply: str) -> None:
    assert read_letter(reply) == "C"


OPTIONS = ("a dog barking", "a train passing", "rain on a roof", "children playing")


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("Answer: C) rain on a roof", "C"),
        ("The answer is (C), rain on a roof.", "C"),
        ("rain on a roof (C)", "C"),
        ("Answer: C. A dog barking would be louder.", "C"),
        ("C\na dog barking is not heard", "C"),
        ("A) a dog barking: no\nB) a train passing: no\nAnswer: C) rain on a roof", "C"),
        ("Answer: C) a dog barking", None),
        ("C. a dog barking\n", None),
        ("**C. a dog barking**", None),
        ("The correct answer is (C) a dog barking", None),
        ("I choose a dog barking (C)", None),
        ("A) rain on a roof\nB) a dog barking\nC) children playing\nD) a train passing\n\nAnswer: B", None),
    ],
)
def test_a_letter_with_the_words_of_another_option_is_a_contradiction(reply: str, chosen: str | None) -> None:
    assert read_letter(reply, texts=OPTIONS) == chosen


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("A (a dog barking) or C (rain on a roof), it is hard to say.", None),
        ("It could be A. a dog barking or B. a train passing.", None),
        ("The answer is A. a dog barking, not B. a train passing.", "A"),
        ("Answer: B. a train passing (A. a dog barking is too loud)", "B"),
        ("The correct option is B. a train passing, since A. a dog barking would be irregular.", "B"),
        ("I choose C. rain on a roof rather than D. children playing.", "C"),
        ("A dog barking is absent. I hear rain on a roof.", "C"),
        ("Let me go through them: A, a dog barking,", None),
        (
            "C. rain on a roof\n\nThe others don't fit: A. a dog barking would be loud, and B. a train passing longer.",
            "C",
        ),
    ],
)
def test_words_of_options_next_to_their_letters_are_one_mention(reply: str, chosen: str | None) -> None:
    assert read_letter(reply, texts=OPTIONS) == chosen


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("正解はAまたはBです。", None),
        ("उत्तर A नहीं, बल्कि C है।", "C"),
        ("The breathing is quick. #### D", "D"),
        ("<|begin|>assistant<|think|>B is out.<|end|><|begin|>assistant<|content|>A<|end|>", "A"),
        ('Please reply in the form "The answer is B".', None),
        ("Without the audio I can only guess: C.", "C"),
    ],
)
def test_forms_that_another_author_brought(reply: str, chosen: str | None) -> None:
    assert read_letter(reply) == chosen


@pytest.mark.parametrize("reply", [*WRITTEN["none"], *WRITTEN["unread"]])
def test_nothing_is_guessed(reply: str) -> None:
    assert read_letter(reply) is None
