"""Tests of `reports/tables/marks.py`: what a reader must know of a Run before comparing its figures."""

from __future__ import annotations

from triptych.reports.tables.marks import (
    OTHER_DATA,
    OTHER_SETTINGS,
    UNCONFIRMED,
    UNFINISHED,
    of_figures,
    of_questions,
    shared_marks,
)

MINI = "on the built-in mini set"
PARTS = (MINI, f"{UNFINISHED}: 12 of 30", "on a subset (family=speech)")
DATA, SETTINGS = f"{OTHER_DATA} (version aaaa1111)", f"{OTHER_SETTINGS}: temperature 0"
RUNNER = f"{UNCONFIRMED}: openai/m"
ALL = (RUNNER, *PARTS, DATA, SETTINGS)


def test_figures_are_over_parts_of_the_questions_and_other_data() -> None:
    """Settings and runners change no question, so that such Runs are drawn next to each other."""
    assert of_figures(ALL) == (*PARTS, DATA)


def test_questions_are_those_of_the_run_whatever_other_runs_were_asked() -> None:
    assert of_questions(ALL) == list(PARTS)


def test_the_order_stays_and_nothing_stays_nothing() -> None:
    assert of_figures(reversed(ALL)) == (DATA, *reversed(PARTS)) and of_questions([SETTINGS, DATA]) == []
    assert of_figures(()) == () and of_questions(iter(())) == []


def test_marks_that_all_runs_have_set_none_apart() -> None:
    assert shared_marks([(MINI, DATA), (SETTINGS, MINI), [MINI]]) == (MINI,)
    assert shared_marks([(DATA, MINI, DATA), {MINI, DATA}]) == (DATA, MINI), "each once, in the order of the first"
    assert shared_marks([(MINI,), ()]) == () and shared_marks([]) == ()
    assert shared_marks(one for one in ((MINI,), (MINI,))) == (MINI,), "a generator is read once"
