"""Taking prompts with lettered options apart, and from what the model wrote back to a letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.models.local.choices import Choice, completion_prompt, distinct_beginnings, find_choice, letter_of

SPOKEN = (
    "Which text has the same content as this audio? Answer the question with A, B, C, or D",
    "Audio:",
    '[speech: "a b"]',
    "A:",
    "one thing",
    "B:",
    "another thing",
    "C:",
    "a third",
    "Give the letter of the correct answer (A, B, C).",
)


def test_a_prompt_in_parts_is_taken_apart() -> None:
    choice = find_choice(SPOKEN)
    assert choice is not None
    assert choice.options == (("A", "one thing"), ("B", "another thing"), ("C", "a third"))
    assert choice.head == 'Which text has the same content as this audio?\nAudio: [speech: "a b"]'


@pytest.mark.parametrize("form", ["{}: {}", "{}. {}", "({}) {}", "{}、{}", "{}：{}"])
def test_options_on_one_line_are_found(form: str) -> None:
    text = "哪一个对？\n" + "\n".join(
        form.format(letter, words) for letter, words in zip("ABCD", "天地人和", strict=True)
    )
    choice = find_choice([text])
    assert choice is not None and [words for _, words in choice.options] == list("天地人和")


@pytest.mark.parametrize(
    "segments",
    [
        ("What do you hear?", "[speech]"),
        ("A: only one",),
        ("B: starts late", "C: goes on"),
        ("A:", "B:", "C:", "D:"),  # the options were taken out
        (),
        ("",),
    ],
)
def test_a_prompt_without_such_options_is_left_alone(segments: tuple[str, ...]) -> None:
    assert find_choice(segments) is None


def options(*words: str) -> Choice:
    return Choice("?", tuple(zip("ABCDEFGH", words, strict=False)))


def test_brackets_that_all_options_share_are_not_shown() -> None:
    choice = options('[speech: "a dog"]', '[speech: "a cat"; music]')
    assert choice.shown_options == {"A": '[speech: "a dog"]', "B": '[speech: "a cat"; music]'}
    choice = options('[speech: "a dog"]', '[image with text: "a cat"]')
    assert choice.shown_options == {"A": "a dog", "B": "a cat"}
    assert "- a dog\n- a cat\nQuestion: ?\nAnswer:" in completion_prompt(choice)


def test_options_that_read_the_same_cannot_be_told_apart() -> None:
    assert not options("[silence]", "[silence]").has_distinct_options
    assert options("[silence]", "[music]").has_distinct_options


@pytest.mark.parametrize(
    ("wrote", "letter"),
    [
        ("The cat is sleeping on the sofa.", "A"),
        (" the cat is sleeping on the sofa", "A"),
        ("The cat is sleep", "A"),  # cut off
        ("Please open that window!", "B"),
        ("", None),
        ("!!!", None),
        ("[sound without speech, 2 s: silence]", None),
    ],
)
def test_what_was_written_leads_to_its_letter(wrote: str, letter: str | None) -> None:
    assert letter_of(wrote, options("The cat is sleeping on the sofa.", "Please open the window.")) == letter


texts = st.lists(
    st.text('ab 字"', min_size=1, max_size=12).map(str.strip).filter(bool), min_size=2, max_size=6, unique=True
)


@given(texts)
def test_beginnings_belong_to_their_options(words: list[str]) -> None:
    choice = options(*words)
    shared, beginnings = distinct_beginnings(choice)
    assert sorted(beginnings.values()) == [letter for letter, _ in choice.options]
    for beginning, letter in beginnings.items():
        assert (choice.shown_options[letter] + "\n").startswith(shared + beginning)


def test_beginnings_go_as_far_as_options_differ() -> None:
    choice = options("4 separate sounds", "4 separate times", "4 separate sounds again")
    assert distinct_beginnings(choice) == ("4 separate ", {"sounds\n": "A", "times": "B", "sounds again": "C"})
