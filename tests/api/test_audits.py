"""Tests of `api/audits.py`: the audit that a name chooses, what is audited, and what is refused before it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.api.test_runs import QUESTIONS
from tests.audit.anyone.tables import changed, markdown
from tests.audit.results.test_check import often, results
from triptych.api.audits import (
    audit,
    audit_data,
    audit_released,
    audit_run,
    audit_table_files,
    audit_tables,
    is_table_file,
)
from triptych.errors import DataError, SpecError


def wrong_average(folder: Path) -> Path:
    path = folder / "表.md"
    path.write_text(markdown(changed(1, 4, "64.18")), encoding="utf-8")
    return path


def test_a_name_chooses_the_audit_and_its_arguments_are_passed_on(tmp_path: Path) -> None:
    table, answers = wrong_average(tmp_path), results(tmp_path / "a", often, 40)
    questions = tmp_path / "q.csv"
    questions.write_text(QUESTIONS, encoding="utf-8")
    assert audit("tables", table) == audit_tables(table) != []
    assert audit("data", str(questions)).verdict == audit_data(str(questions)).verdict
    found = audit("run", [answers], benchmark="xmodbench")
    assert found == audit_run([answers], benchmark="xmodbench") and found.verdict
    with pytest.raises(SpecError, match="no audit of 'table'") as error:
        audit("table", "cmdar")  # type: ignore[call-overload]
    assert "tables, data, run, released" in str(error.value)


def test_a_wrong_average_in_a_file_is_found_with_its_arithmetic(tmp_path: Path) -> None:
    """(61 + 72 + 55) / 3 = 62.667, printed as 64.18."""
    table = wrong_average(tmp_path)
    for what in (table, str(table), [table], [str(table)]):
        found = audit_tables(what)
        assert [(one.kind, one.published, one.recomputed) for one in found] == [("average", 64.18, 62.667)]
        assert "1 severe finding" in found.verdict


def test_a_file_without_a_table_says_so(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# Notes\n\nNothing is computed here.\n", encoding="utf-8")
    sheets, found = audit_table_files([path])
    assert (sheets, list(found)) == ([], []) and found.verdict.startswith("no table was found")
    sheets, found = audit_table_files([wrong_average(tmp_path)])
    assert len(sheets) == 1 and found.verdict.startswith("1 table")


def test_a_text_names_a_file_by_its_ending_or_its_existence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert all(is_table_file(f"none{ending}") for ending in (".csv", ".TSV", ".md", ".html", ".tex", ".xlsx"))
    assert not is_table_file("cmdar") and not is_table_file("cmdar/main")
    (tmp_path / "cmdar").write_text("a | b\n", encoding="utf-8")
    assert is_table_file("cmdar"), "a file that exists is meant"


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("nothing",), {}, "nothing"),
        (("cmdar/main",), {}, "triptych audit tables cmdar"),
        (("cmdar",), {"rules": "rules.toml"}, "name files instead"),
        (("cmdar",), {"questions": {"Avg": 100}}, "name files instead"),
    ],
)
def test_a_papers_tables_are_audited_whole_and_by_its_own_rules(
    arguments: tuple[str, ...], options: dict[str, object], words: str
) -> None:
    with pytest.raises(SpecError, match=words):
        audit_tables(*arguments, **options)  # type: ignore[arg-type]


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    for call in (
        lambda: audit_tables(gone.with_suffix(".csv")),
        lambda: audit_data("cmdar", gone),
        lambda: audit_released("cmdar", gone),
        lambda: audit_run([gone]),
    ):
        with pytest.raises(DataError) as error:
            call()
        assert str(gone) in str(error.value)


def test_a_misspelt_benchmark_is_refused_before_the_results_are_read(tmp_path: Path) -> None:
    for call in (
        lambda: audit_run([tmp_path / "gone"], benchmark="xmodbnch"),
        lambda: audit_data("xmodbnch"),
        lambda: audit_released("xmodbnch", tmp_path),
    ):
        with pytest.raises(SpecError, match="did you mean 'xmodbench'"):
            call()


def test_questions_of_ones_own_are_audited_with_a_fault_in_one_row(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text(QUESTIONS, encoding="utf-8")
    assert audit_data(str(path)).verdict == "8 questions in 1 Task: nothing severe was found."
    path.write_text(QUESTIONS.replace(",yes,no,B,", ",yes,no,D,", 1), encoding="utf-8")
    found = audit_data(str(path))
    assert any("D" in one.message for one in found) and "nothing severe" not in found.verdict


def test_each_benchmark_that_is_recognised_is_announced(tmp_path: Path) -> None:
    said: list[str] = []
    found = audit_run([results(tmp_path / "a", often, 40)], say=said.append)
    assert any("xmodbench" in line for line in said) and {one.benchmark for one in found} <= {"xmodbench"}


def test_nothing_given_is_refused_and_is_not_clean() -> None:
    for function, said in ((audit_tables, "no table was given"), (audit_run, "no results were given")):
        with pytest.raises(SpecError, match=said):
            function([])


@pytest.mark.parametrize("count", [-1, 0, 1.5, "5"])
def test_a_number_of_questions_is_a_whole_number_from_1(count: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("model,a,b\nx,1,2\n", encoding="utf-8")
    with pytest.raises(SpecError, match="questions"):
        audit_tables(tmp_path / "t.csv", questions={"a": count})
