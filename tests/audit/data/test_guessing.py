"""Tests of `audit/data/guessing.py`: guesses that need no question."""

from __future__ import annotations

import random

import pytest

from tests.audit.data.test_check import choice, even, questions
from triptych.audit.data.guessing import check_guessing, guesses, key_places
from triptych.records import Item, media, text


def test_even_keys_are_no_finding() -> None:
    assert list(check_guessing("toy", "toy/a", even(), "f", None)) == []
    assert questions(even()) == []


@pytest.mark.parametrize("count", [3, 8, 12, 20])
def test_few_keys_that_fell_together_by_luck_are_no_finding(count: int) -> None:
    """Of 20 sets of three out of six, two or three questions of a few dozen share one more often than not."""
    rng = random.Random(1)
    options = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"]
    told = 0
    for _ in range(200):
        items = [choice(n, options, tuple(sorted(rng.sample(range(6), 3)))) for n in range(count)]
        told += len(list(check_guessing("toy", "toy/a", items, "f", None)))
    assert told == 0


def test_the_best_place_and_the_longest_option() -> None:
    items = [choice(n, ["a", "b" * (2 + n % 2), "c", "dd"], 1 if n % 4 else 0) for n in range(80)]
    told = {g.name: g for g in guesses(items)}
    assert told["always option 2"].score == 75.0 and told["always option 2"].chance == 25.0
    # "b" is the first of the longest in every row, and the key in three of four
    assert told["always the longest option"].score == 75.0
    found = list(check_guessing("toy", "toy/a", items, "f", {"M": 60.0, "N": 80.0, "O": 20.0}))
    assert found[0].severity == "severe" and found[0].recomputed == 75.0 and found[0].published == 80.0
    assert "no worse than 2 of 3 published models, the best of which is N with 80.00" in found[0].message


def test_the_best_set_of_several_answers() -> None:
    items = [choice(n, ["a", "b", "c", "d"], (0, 1) if n % 5 else (2, 3)) for n in range(100)]
    guess, longest = guesses(items)
    assert (guess.name, guess.score) == ("always options 1, 2", 80.0)
    assert guess.chance == longest.chance == pytest.approx(100 / 6)
    assert longest.score == 80.0  # all are as long, so the first two are taken


def test_the_longest_of_several_answers() -> None:
    items = [choice(n, ["a", "bbb", "c", "dd"], (1, 3) if n % 4 else (0, 1)) for n in range(80)]
    assert {g.name: g.score for g in guesses(items)}["always the 2 longest options"] == 75.0
    pictures = tuple((media("image", f"{n}.png"),) for n in range(3))
    items = [Item(f"{n}", "t", (text("q"),), pictures, ("A", "B", "C"), "options", ("A", "B")) for n in range(9)]
    assert all("longest" not in g.name for g in guesses(items))


def test_letters_are_places_and_media_have_no_length() -> None:
    options = ((media("audio", "a.wav"),), (media("audio", "b.wav"),))
    item = Item("i", "t", (text("q"),), options, ("A", "B"), "letter", "B")
    assert key_places(item) == (1,)
    assert [g.name for g in guesses([item] * 50)] == ["always option B"]
    assert guesses([Item("i", "t", (text("q"),), target="free text")]) == []
