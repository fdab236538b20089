"""Tests of `metrics/replies/patterns.py`: the forms of statements, over the signs of a reply."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.replies.patterns import FINAL, FORMS, MARKED, MENTIONED, STATED, THOUGHT
from triptych.metrics.replies.words import CORRECTION, SIGNS

KNOWN = {*SIGNS.values(), CORRECTION, *"Ll°@wcd#\n¶"}


def test_every_form_has_labels_a_name_and_a_rank() -> None:
    assert MENTIONED < THOUGHT < STATED < MARKED < FINAL
    for form in FORMS:
        assert "labels" in form.pattern.groupindex and form.name and MENTIONED <= form.rank <= FINAL
        assert form.rank == STATED or not form.denied


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("@L.", "marked", 1),  # \boxed{B}.
        ("eN=L.", "answer", 3),  # The answer is B.
        ("N:L", "answer", 2),  # Answer: B
        ("N=XL", "denied", 3),  # The answer is not B
        ("L=W", "is wrong", 0),  # B is wrong
        ("LG", "is right", 0),  # B is right
        ("XL,bL", "instead", 4),  # not A, but B
        ("PL.", "choose", 1),  # I choose B.
        ("TL", "thought", 1),  # I think B
        ("zL.", "so", 1),  # so B.
        ("L", "line", 0),  # B
        ("L.w", "head", 0),  # B. …
        ("wL", "mention", 1),
    ],
)
def test_a_form_is_found_with_its_label(text: str, name: str, label: int) -> None:
    found = {match.start("labels") for form in FORMS if form.name == name for match in form.pattern.finditer(text)}
    assert label in found


@given(st.text("LLL°NFOWRG@=:.,#wrev¶\n-", max_size=12))
def test_what_a_form_needs_is_in_each_of_its_matches(text: str) -> None:
    for form in FORMS:
        assert form.needs in text or form.pattern.search(text) is None, form.name


@pytest.mark.parametrize("text", ["", "www.", "N=.", "d.d", "eN=w", "X.", "¶\n"])
def test_a_reply_without_a_label_has_no_form(text: str) -> None:
    assert not [form.name for form in FORMS if form.pattern.search(text)]


def test_the_patterns_take_time_in_proportion_to_the_reply() -> None:
    begun = time.process_time()
    for unit in ("L", "L,", "L&", "N=", "X", "@", "G", "e", "L°", "wL.", "N=XLW"):
        for form in FORMS:
            for _ in form.pattern.finditer(unit * (4_000 // len(unit))):
                pass
    assert time.process_time() - begun < 10


def test_a_statement_ends_at_another_known_sign() -> None:
    """What stands behind a label decides whether it is one object or goes on: no sign breaks a pattern."""
    answers = [form for form in FORMS if form.name == "answer"]
    found = {sign for sign in KNOWN if any(form.pattern.search(f"eN=L{sign}") for form in answers)}
    assert found == KNOWN - {"w"}
