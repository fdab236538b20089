"""Tests of `reports/files/junit.py`: a comparison with a baseline as JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from tests.analysis.comparing.columns import column
from tests.analysis.seen import seen
from tests.scoring.toy import score
from triptych.analysis.comparing.comparison import Comparison, compare_runs
from triptych.reports.files.junit import junit


def compared(**runs: str) -> Comparison:
    """Runs against the first, each with its answers: `110?`."""
    made = [seen(label, column(answers)) for label, answers in runs.items()]
    return compare_runs(made, replicates=200, baseline=0)


def attributes(element: ET.Element, *names: str) -> tuple[str | None, ...]:
    return tuple(element.get(name) for name in names)


BASE = compared(base="10" * 15, good="1" * 30, bad="0" * 30, same="10" * 15)


def test_a_worse_run_fails_and_the_others_pass() -> None:
    root = ET.fromstring(junit([BASE]))
    assert root.tag == "testsuites" and attributes(root, "tests", "failures", "skipped") == ("3", "1", "0")
    (suite,) = root
    assert attributes(suite, "name", "tests", "failures", "skipped") == ("toy, protocol standard", "3", "1", "0")
    cases = {str(case.get("classname")): case for case in suite}
    assert list(cases) == ["toy.good", "toy.bad", "toy.same"] and {case.get("name") for case in suite} == {"toy acc"}
    (failure,) = cases["toy.bad"]
    assert attributes(failure, "type") == ("worse",)
    assert str(failure.get("message")).startswith("significantly worse: -50.0 points against base (95% interval")
    assert [child.tag for name in ("toy.good", "toy.same") for child in cases[name]] == ["system-out"] * 2
    assert str(cases["toy.good"][0].text).startswith("+50.0 points against base") and "n 30" in str(
        cases["toy.good"][0].text
    )


def test_several_benchmarks_are_suites_and_their_numbers_add_up() -> None:
    root = ET.fromstring(junit([BASE, compared(base="1" * 30, bad="0" * 30)]))
    assert [attributes(suite, "tests", "failures") for suite in root] == [("3", "1"), ("1", "1")]
    assert attributes(root, "tests", "failures", "skipped") == ("4", "2", "0")


def test_a_run_without_an_answer_is_skipped_with_the_reason() -> None:
    lost = [score(f"toy/a/{n}", 0.0, status="failed") for n in range(4)]
    runs = [seen("base", column("1100")), seen("other", column("1000")), seen("typo", lost)]
    root = ET.fromstring(junit([compare_runs(runs, replicates=200, baseline=0)]))
    assert attributes(root, "tests", "failures", "skipped") == ("2", "0", "1")
    case = next(case for case in root.iter("testcase") if case.get("classname") == "toy.typo")
    assert case.get("name") == "comparison"
    assert case[0].tag == "skipped" and "none of its questions has an answer" in str(case[0].get("message"))


def test_runs_that_share_no_question_are_one_skipped_case() -> None:
    runs = [seen("a", column("10")), seen("b", column("10", start=50))]
    root = ET.fromstring(junit([compare_runs(runs, replicates=200, baseline=0)]))
    assert attributes(root, "tests", "failures") == ("1", "0") and root.get("skipped") == "1"
    (skipped,) = root.iter("skipped")
    assert skipped.get("message")


def test_a_single_question_has_a_difference_without_an_interval() -> None:
    text = junit([compared(base="1", other="0")])
    (case,) = ET.fromstring(text).iter("testcase")
    assert case[0].tag == "system-out" and "95% interval –" in str(case[0].text)


@pytest.mark.parametrize("name", ["a\"<&>'", "模型/诗", "red\x1b[31m", "half \ud800"])
def test_any_name_gives_a_document_that_parsers_read(name: str) -> None:
    text = junit([compared(**{"base": "10" * 15, name: "0" * 30})])
    root = ET.fromstring(text.encode("utf-8"))
    (case,) = root.iter("testcase")
    assert str(case.get("classname")).startswith("toy.") and case[0].tag == "failure"
    if name.isprintable():
        assert case.get("classname") == f"toy.{name}"
