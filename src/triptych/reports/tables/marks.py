"""Marks of a Run that a reader must know before comparing its figures, by kind: the sentences begin alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable

UNCONFIRMED = "its runner was tested with a replaced model alone"
UNFINISHED = "unfinished"
OTHER_DATA, OTHER_SETTINGS = "on other data than other Runs", "settings differ between the Runs"


def of_figures(marks: Iterable[str]) -> tuple[str, ...]:
    """Return the marks that say what a Run's figures are over: a part of the questions, or other data. Another setting
    doesn't change that: such Runs are compared."""
    return tuple(mark for mark in marks if not mark.startswith((UNCONFIRMED, OTHER_SETTINGS)))


def shared_marks(marks: Iterable[Collection[str]]) -> tuple[str, ...]:
    """Return the marks that all of these Runs have: they don't set any of them apart from the others."""
    listed = list(marks)
    every = dict.fromkeys(mark for label_marks in listed for mark in label_marks)
    return tuple(mark for mark in every if all(mark in remarks for remarks in listed))


def of_questions(marks: Iterable[str]) -> list[str]:
    """Return the marks that say which questions a Run was asked, without those that compare it with other Runs or
    describe its runner: a Run is not measured otherwise than the paper's because another Run is."""
    return [mark for mark in marks if not mark.startswith((UNCONFIRMED, OTHER_DATA, OTHER_SETTINGS))]
