"""Tests of `audit/tables/equations.py`: derived figures with the figures from which they should follow."""

from __future__ import annotations

import pytest

from triptych.audit.tables.cells import Tables
from triptych.audit.tables.equations import equations
from triptych.audit.tables.rules import Derived
from triptych.errors import SpecError


@pytest.fixture
def tables() -> Tables:
    """Two systems with two scores and their mean, correct and wrong; a third without the second score."""
    tables = Tables()
    rows = {"Qwen2-Audio": "60.0 70.0 65.0", "通义": "50.0 51.0 53.1", "human": "90.0 - 90.0"}
    for row, texts in rows.items():
        for column, text in zip(("zh|acc", "en|acc", "avg"), texts.split(), strict=True):
            if text != "-":
                tables.add("T", row, column, text)
    return tables


def rule(target: str = "avg", formula: str = "mean('zh|acc', 'en|acc')", **more: object) -> Derived:
    return Derived("T", target, formula, "so it is", **more)  # type: ignore[arg-type]


def test_every_figure_of_a_rule_comes_with_its_inputs_and_its_gap(tables: Tables) -> None:
    right, wrong = equations([rule()], tables)
    assert [one.target.row for one in (right, wrong)] == ["Qwen2-Audio", "通义"], "a row without an input has none"
    assert [cell.column for cell in right.inputs] == ["zh|acc", "en|acc"] and right.gap == 0.0
    # 50.0 and 51.0 are from 49.95 to 51.05, so their mean is at most 50.55; 53.1 is at least 53.05
    assert wrong.gap == pytest.approx(2.5) and wrong.expected.middle == pytest.approx(50.5)
    assert (wrong.rule.why, wrong.formula) == ("so it is", "mean('zh|acc', 'en|acc')")


def test_names_in_braces_take_each_of_their_values(tables: Tables) -> None:
    each = {"language": ("zh", "en")}
    found = equations([rule("{language}|acc", "'{language}|acc'", each=each)], tables)
    assert [(one.target.column, one.target.row) for one in found] == [
        ("zh|acc", "Qwen2-Audio"),
        ("zh|acc", "通义"),
        ("zh|acc", "human"),
        ("en|acc", "Qwen2-Audio"),
        ("en|acc", "通义"),
    ]


def test_rows_are_chosen_by_patterns(tables: Tables) -> None:
    assert [one.target.row for one in equations([rule(rows=("Qwen*",))], tables)] == ["Qwen2-Audio"]
    assert [one.target.row for one in equations([rule(without=("Qwen*",))], tables)] == ["通义"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (rule("average"), "a rule matches no figure"),
        (rule(formula="mean('de|acc', 'fr|acc')"), "a rule matches no figure"),
        (rule(rows=("GPT*",)), "a rule matches no row"),
        (rule(formula="'zh|acc' < 'en|acc'"), "gives no number"),
    ],
)
def test_a_rule_that_concerns_nothing_or_gives_no_number_is_refused(wrong: Derived, said: str, tables: Tables) -> None:
    """A rule that is misspelt would otherwise pass in silence."""
    with pytest.raises(SpecError, match=said):
        equations([rule(), wrong], tables)
