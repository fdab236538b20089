"""How the answers of a column are read is decided over all its rows; what could mean two things is refused."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.tables import refused
from tests.benchmarks.questions.test_items_released_columns import items, written
from triptych.benchmarks._questions.answer_forms import Optioned, decide_answer_forms
from triptych.benchmarks._questions.answers import number_of
from triptych.benchmarks._questions.mapping import Columns
from triptych.benchmarks._questions.rows import Row
from triptych.errors import SpecError

ANIMALS = ["a dog", "a cat", "a hen", "an owl"]


def rows(*cells: tuple[Any, Sequence[Any]], **more: Any) -> list[Optioned]:
    """Rows with their answers and options; `more`: another column of every row."""
    return [
        (Row(f"q.csv, row {number}", {"answer": answer, **more}), list(options))
        for number, (answer, options) in enumerate(cells, 1)
    ]


def form(*cells: tuple[Any, Sequence[Any]], **stated: str) -> tuple[str, str]:
    columns = decide_answer_forms(Columns(answer="answer", **stated), rows(*cells), stated)  # type: ignore[arg-type]
    return columns.answer_is, columns.open_is


@pytest.mark.parametrize(
    ("answers", "way"),
    [
        (["B", "(c)", "D."], "letter"),
        (["a cat", "AN OWL"], "text"),
        ([0, 3, 1], "index0"),
        ([4, "1", 2], "index1"),
        (["A, C", "BD"], "letters"),
        ([["a dog", "a hen"], ["an owl"]], "texts"),
        (["A", "", None], "letter"),
    ],
)
def test_one_way_that_reads_every_answer_is_taken(answers: list[Any], way: str) -> None:
    assert form(*[(answer, ANIMALS) for answer in answers]) == (way, "")


def test_of_a_single_answer_and_several_the_single_one_is_meant() -> None:
    """All answers are one letter: `A` is the letter of an option, and not a list of one letter."""
    assert form(("A", ANIMALS), ("C", ANIMALS))[0] == "letter"
    assert form(("A", ANIMALS), ("A,C", ANIMALS))[0] == "letters"


def test_numbers_that_could_be_counted_from_0_or_1_are_refused_with_both_readings() -> None:
    with pytest.raises(SpecError, match="can be read in two ways") as refused:
        form((1, ANIMALS), (2, ANIMALS))
    error = refused.value
    assert error.where == "q.csv, row 1"
    assert "counted from 0, it is B ('a cat')" in str(error.got) and "counted from 1, it is A ('a dog')" in str(
        error.got
    )
    assert "--map answer_is=index0 or --map answer_is=index1" in str(error.fix)
    assert form((1, ANIMALS), (2, ANIMALS), answer_is="index1")[0] == "index1", "stated, nothing is asked"


def test_a_letter_that_is_the_text_of_another_option_is_refused() -> None:
    vitamins = ["B", "A", "C", "D"]
    with pytest.raises(SpecError, match="can be read in two ways") as refused:
        form(("C", vitamins), ("A", vitamins))
    assert refused.value.where == "q.csv, row 2" and "'A'" in str(refused.value.got)
    with pytest.raises(SpecError, match="can be read in two ways"):
        form(("A", vitamins), ("B", ANIMALS))
    assert form(("C", ["A", "B", "C"]))[0] in ("letter", "text"), "both say the same"


def test_if_no_way_reads_all_the_one_that_reads_most_is_taken() -> None:
    assert form(("B", ANIMALS), ("C", ANIMALS), ("a wolf", ANIMALS))[0] == "letter"
    assert form(("a wolf", ANIMALS), ("a cat", ANIMALS), ("an owl", ANIMALS))[0] == "text"
    assert form(("a wolf", ANIMALS))[0] == "letter", "none is read: the rows are reported later"


@pytest.mark.parametrize(
    ("answers", "open_is"),
    [
        (["0:12-0:15", "[3.5, 4]"], "span"),
        (["3", "1,200", "-0.5"], "number"),
        (["3", "three"], "text"),
        (["Paris", "北京"], "text"),
        ([True, False], "text"),
        ([], ""),
    ],
)
def test_answers_of_open_questions_are_spans_numbers_or_text(answers: list[Any], open_is: str) -> None:
    assert form(*[(answer, []) for answer in answers])[1] == open_is


def test_ratings_need_their_scale() -> None:
    assert form(("4", []), ("2", []), scale="1-5")[1] == "rating"
    named = [(row._replace(cells={"MOS": row.cells["answer"]}), options) for row, options in rows(("4", []), ("2", []))]
    with pytest.raises(SpecError, match="are ratings, but their scale is not stated") as refused:
        decide_answer_forms(Columns(answer="MOS"), named, {})
    assert "--map scale=1-5" in str(refused.value.fix)
    assert decide_answer_forms(Columns(answer="MOS", scale="0-100"), named, {}).open_is == "rating"


def test_letters_without_options_are_refused_unless_they_are_the_answers() -> None:
    with pytest.raises(SpecError, match="are letters, but no column has the options") as refused:
        form(("A", []), ("C", []))
    assert "--map options=COLUMN" in str(refused.value.fix) and refused.value.where == "q.csv, row 1"
    assert form(("A", []), ("C", []), open_is="text")[1] == "text"
    assert form(("A", []), ("Z", []))[1] == "text", "Z would be the 26th option"
    assert form(("A", []), ("B", ANIMALS))[1] == "text", "another question has options"


def test_another_column_of_answers_must_say_the_same() -> None:
    columns = Columns(answer="answer")
    same = rows(("B", ANIMALS), ("B", ANIMALS), correct_answer="a cat")
    assert decide_answer_forms(columns, same, {}).answer_is == "letter"
    other = rows(("B", ANIMALS), ("A", ANIMALS), correct_answer="a cat")
    with pytest.raises(SpecError) as refused:
        decide_answer_forms(columns, other, {})
    assert "row 2" in str(refused.value) and "correct_answer" in str(refused.value)
    assert decide_answer_forms(columns, other, {"answer": "answer"}).answer_is == "letter", "the user has decided"


def test_a_rubric_is_for_questions_that_have_no_options() -> None:
    columns = Columns(answer="answer", rubric="rubric")
    assert decide_answer_forms(columns, rows(("B", ANIMALS)), {}).rubric == ""
    assert decide_answer_forms(columns, rows(("B", ANIMALS)), {"rubric": "rubric"}).rubric == "rubric"
    judged = decide_answer_forms(columns, rows(("long", []), ("B", ANIMALS)), {})
    assert (judged.rubric, judged.open_is, judged.answer_is) == ("rubric", "judged", "letter")
    assert decide_answer_forms(Columns(rubric="rubric"), rows(("", [])), {}).open_is == "judged"
    assert decide_answer_forms(Columns(), rows(("", [])), {}) == Columns()


@pytest.mark.parametrize(
    ("letters", "answers"), [("АБВГ", "ВБ"), ("가나다라", "나가"), ("أبجد", "بأ"), ("アイウ", "イア")]
)
def test_letters_of_other_scripts_without_options_are_refused_too(letters: str, answers: str, tmp_path: Path) -> None:
    rows = [{"question": "?", **dict.fromkeys(letters, "x"), "answer": answer} for answer in answers]
    assert "but no column has the options" in refused(written(tmp_path, "q.jsonl", rows))


def test_decimal_commas_are_refused_with_both_readings_until_one_is_stated(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", [{"question": f"How long {n}?", "answer": n} for n in ("3,5", "12,25")])
    assert "a decimal comma, or several numbers" in refused(file)
    assert [number_of(str(one.target)) for one in items(file, open_is="number")] == [Decimal("3.5"), Decimal("12.25")]
    assert [one.target for one in items(file, open_is="text")] == ["3,5", "12,25"]
