"""Tests of `audit/verdict.py`: the result of an audit in one sentence."""

from __future__ import annotations

import pytest

from triptych.audit.verdict import count_in_words, verdict
from triptych.records import Finding, FindingSeverity, finding
from triptych.records.checked import CellStatus, CheckedCell


def of(kind: str, severity: FindingSeverity, count: int = 1) -> list[Finding]:
    return [finding(kind, severity, "toy", "m", table=f"T{n}") for n in range(count)]


def cells(*statuses: CellStatus) -> list[CheckedCell]:
    return [CheckedCell(table="T", row="r", column="c", published="1", status=status) for status in statuses]


def test_without_a_finding_it_says_that_nothing_severe_was_found() -> None:
    assert verdict("1 table", []) == "1 table: nothing severe was found."
    assert verdict("1 table", of("copy", "note", 3)) == "1 table: nothing severe was found."
    assert verdict("1 table", of("copy", "warning")) == "1 table: nothing severe was found, 1 warning."
    assert verdict("1 table", of("copy", "warning", 1234)) == "1 table: nothing severe was found, 1,234 warnings."


def test_severe_findings_are_counted_by_kind_the_most_frequent_first() -> None:
    one = of("average", "severe") + of("copy", "warning", 5)
    assert verdict("1 table", one) == "1 table: 1 severe finding (1 average)."
    several = of("impossible", "severe") + of("average", "severe", 3) + of("copy", "severe", 2)
    assert verdict("2 tables", several) == "2 tables: 6 severe findings (3 average, 2 copy, 1 impossible)."


@pytest.mark.parametrize(("more", "words"), [(["score"], "1 other kind"), (["score", "missing"], "2 other kinds")])
def test_more_than_three_kinds_are_counted(more: list[str], words: str) -> None:
    findings = of("average", "severe", 4) + of("copy", "severe", 3) + of("impossible", "severe", 2)
    findings += [one for kind in more for one in of(kind, "severe")]
    assert verdict("x", findings).endswith(f"severe findings (4 average, 3 copy, 2 impossible and {words}).")


def test_cells_come_first_then_facts_and_empty_facts_are_left_out() -> None:
    compared = cells("follows", "follows", "differs", "unknown")
    assert verdict("the audit of MCIF", of("mismatch", "severe"), compared, "", "3 replies are missing") == (
        "The audit of MCIF: 2 of 4 printed cells follow, 1 differs, 1 can't be known from these files; "
        "3 replies are missing; 1 severe finding (1 mismatch)."
    )


def test_the_sentence_begins_with_a_capital_letter_and_keeps_names_as_they_are() -> None:
    assert verdict("éval de Qwen2-Audio", []).startswith("Éval de Qwen2-Audio:")
    assert verdict("《诗经》", []).startswith("《诗经》:") and verdict("1 Run", []).startswith("1 Run:")


@pytest.mark.parametrize(
    ("n", "noun", "words"),
    [
        (0, "file", "0 files"),
        (1, "file", "1 file"),
        (1, "reply", "1 reply"),
        (3, "reply", "3 replies"),
        (12_000, "warning", "12,000 warnings"),
    ],
)
def test_nouns_are_counted(n: int, noun: str, words: str) -> None:
    assert count_in_words(n, noun) == words
