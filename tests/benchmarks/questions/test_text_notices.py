"""Tests of `benchmarks/questions`: cells that a conversion has probably damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.test_doubtful import warnings
from tests.benchmarks.questions.test_items_released_columns import items, opened, written
from tests.metrics.text.test_misread import REAL
from triptych.audit.data.check import audit_data
from triptych.benchmarks._questions.mapping import Columns
from triptych.benchmarks._questions.rows import Row
from triptych.benchmarks._questions.text_notices import TextNotices

ROW: dict[str, Any] = {"question": "Which one?", "options": ["dog", "cat"], "answer": "A"}
MISREAD = "Gr\u00c3\u00b6\u00c3\u0178e"


def notices(file: Path) -> list[tuple[str, str, str]]:
    return [(one.severity, one.kind, one.where.removeprefix(f"{file}, ")) for one in opened(file).check(file.parent)]


@pytest.mark.parametrize(
    ("cells", "severity", "kind", "column"),
    [
        ({"question": MISREAD}, "warning", "mojibake", "question"),
        ({"question": "the \ufffd"}, "warning", "undecodable", "question"),
        ({"question": "f\u202egnp.exe"}, "warning", "text-direction", "question"),
        ({"question": "a\x90"}, "warning", "control-character", "question"),
        ({"context": "a\x07"}, "warning", "control-character", "context"),
        ({"options": ["dog", MISREAD]}, "warning", "mojibake", "options"),
        ({"options": f"A. dog\nB. {MISREAD}"}, "warning", "mojibake", "options"),
        ({"options": ["dog", "ca\u200bt"]}, "warning", "zero-width", "options"),
        ({"options": ["dog", "\ue000"]}, "note", "private-use", "options"),
        ({"options": ["dog", "\u0301a"]}, "note", "combining-mark", "options"),
        ({"options": ["2-1", "2026-03-01"]}, "warning", "spreadsheet-conversion", "options"),
        ({"category": MISREAD}, "warning", "mojibake", "category"),
    ],
)
def test_a_damaged_cell_is_named_with_its_row_and_column(
    tmp_path: Path, cells: dict[str, Any], severity: str, kind: str, column: str
) -> None:
    file = written(tmp_path, "q.jsonl", [ROW, {**ROW, **cells}])
    assert notices(file) == [(severity, kind, f"line 2, column {column}")]
    lines = warnings(file)
    assert len(lines) == (severity == "warning") and len(items(file)) == 2
    assert all(line.startswith(f"warning: line 2, column {column}: ") for line in lines)
    bench = opened(file)
    findings = audit_data(bench, tmp_path, bench.spec.tasks)
    assert [one.severity for one in findings if f"({kind})" in one.message] == [severity]
    assert all(str(one.file).endswith(f"line 2, column {column}") for one in findings if f"({kind})" in one.message)


@pytest.mark.parametrize("answer", [MISREAD, "do\u200bg", "1.23457E+12"])
def test_answers_of_open_questions_are_looked_at(tmp_path: Path, answer: str) -> None:
    file = written(tmp_path, "q.jsonl", [{"question": "q", "answer": "dog"}, {"question": "q", "answer": answer}])
    ((_, _, where),) = notices(file)
    assert where == "line 2, column answer"


def test_many_damaged_rows_are_one_notice_for_each_column(tmp_path: Path) -> None:
    file = written(
        tmp_path, "q.jsonl", [{**ROW, "question": f"{MISREAD} {n}", "options": ["dog", MISREAD]} for n in range(9)]
    )
    question, options = [one for one in opened(file).check(tmp_path) if one.kind == "mojibake"]
    assert "(9 rows: line 1, line 2, line 3, line 4, line 5 and 4 more)" in question.message and question.rows == 9
    assert options.rows == 9


def test_ids_that_a_spreadsheet_has_rounded(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("id,question,A,B,answer\n1.23457E+12,q,dog,cat,A\n2,q,007,8,B\n")
    assert [where for _, _, where in notices(tmp_path / "q.csv")] == ["row 1, column id", "row 2, column B"]


def test_control_characters_of_questions_stay_faults(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", [ROW, {**ROW, "question": "a\x07"}])
    assert notices(file) == [("error", "control-character", "line 2, column question")]


def test_real_texts_have_no_notice(tmp_path: Path) -> None:
    rows = [{"question": text, "options": [text, "x"], "answer": "A", "context": text} for text in REAL]
    assert [one for one in notices(written(tmp_path, "q.jsonl", rows)) if one[1] != "unused-columns"] == []


def test_texts_in_lists_are_looked_at_in_every_form() -> None:
    found = TextNotices(Columns(messages="messages"), Path("q.jsonl"))
    found.look_at(Row("line 1", {"messages": [{"role": "user", "content": [{"text": MISREAD}]}]}), [])
    found.look_at(Row("line 2", {"messages": '[{"content": "\\u00c3\\u00b6"}]'}), [])
    assert [problem.rows for problem in found.problems()] == [2]
