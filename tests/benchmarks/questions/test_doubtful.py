"""Tests of `benchmarks/questions`: what may not be meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.tables import refused
from tests.benchmarks.questions.test_items_released_columns import items, opened, written
from triptych.benchmarks._questions.doubtful import count_with_first


def warnings(file: Path, **stated: str) -> list[str]:
    """Return the warnings that `run` prints; `check` reports them, too."""
    bench = opened(file, **stated)
    lines = [line for line in bench.mapping_lines(file.parent) if line.startswith("warning")]
    problems = [problem.message for problem in bench.check(file.parent) if problem.severity == "warning"]
    assert all(any(line.endswith(problem) for line in lines) for problem in problems)
    return lines


def choice_file(folder: Path, *answers: Any) -> Path:
    rows = [
        {"question": f"Which {n}?", "options": ["dog", "cat", "fox"], "answer": one} for n, one in enumerate(answers)
    ]
    return written(folder, "q.jsonl", rows)


@pytest.mark.parametrize("doubled", [["A", "A"], "A, A", ["dog", "A"], '["B", "B"]', ["fox", "fox"]])
@pytest.mark.parametrize("others", ["B", ["A", "C"], "dog"])
def test_an_option_that_an_answer_names_twice_is_refused_with_its_row(
    tmp_path: Path, doubled: Any, others: Any
) -> None:
    said = refused(choice_file(tmp_path, *[others] * 9, doubled))
    assert "line 10, column answer" in said and "1 fault;" in said
    assert doubled == ["dog", "A"] or "twice: give each correct option once" in said


def test_a_few_answers_that_decide_for_several_are_named(tmp_path: Path) -> None:
    (line,) = warnings(choice_file(tmp_path, *["B"] * 18, ["A", "C"], "A"))
    assert "1 of 20 questions has several correct options, such as own-q/19 (dog, fox), so all 20 are asked" in line
    assert "--map answer_is=letter lists them" in line
    assert "line 19" in refused(tmp_path / "q.jsonl", answer_is="letter")
    (line,) = warnings(choice_file(tmp_path, *["cat"] * 9, ["dog", "fox"]))
    assert "--map answer_is=text" in line


@pytest.mark.parametrize("answers", [[["A", "C"]] * 9 + ["B"], ["B"] * 8 + [["A", "C"]], [["B"]] * 20, ["B"] * 20])
def test_files_of_several_or_of_single_answers_have_no_warning(tmp_path: Path, answers: list[Any]) -> None:
    assert warnings(choice_file(tmp_path, *answers)) == []


def test_whole_solutions_are_named_with_what_to_do(tmp_path: Path) -> None:
    rows = [{"question": "How many?", "answer": one} for one in ("2 + 3 = 5.\n#### 5", "#### 6 #### heading\nno", "7")]
    (line,) = warnings(written(tmp_path, "q.jsonl", rows))
    assert ": 1, such as that of own-q/1;" in line and "--map answer=COLUMN" in line
    rows = [{"question": "How many?", "answer": r"It is $\boxed{5}$."}]
    assert len(warnings(written(tmp_path, "q.jsonl", rows))) == 1
    assert warnings(tmp_path / "q.jsonl", open_is="judged") == []


@pytest.mark.parametrize("options", [["True", "False"], ["true", "false"], ["TRUE", "FALSE", "unknown"]])
def test_truth_values_are_answers_to_options_true_and_false(tmp_path: Path, options: list[str]) -> None:
    rows = [{"question": f"{one}?", "options": options, "answer": one} for one in (True, False, [True])]
    assert [item.target for item in items(written(tmp_path, "q.jsonl", rows))] == ["A", "B", "A"]
    mixed = [{**rows[0], "answer": "False"}, rows[1]]
    assert [item.target for item in items(written(tmp_path, "q.jsonl", mixed))] == ["B", "B"]


def test_truth_values_are_no_answer_to_other_options(tmp_path: Path) -> None:
    rows = [{"question": "q?", "options": ["Yes", "No"], "answer": True}]
    assert "'True' can't be read" in refused(written(tmp_path, "q.jsonl", rows))


def test_counting_keeps_the_first() -> None:
    assert count_with_first(iter("abc")) == (3, "a") and count_with_first("") == (0, "")
