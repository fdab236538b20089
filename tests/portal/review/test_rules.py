"""Tests of `portal/review/rules.py`: rules of reviewing, without a database."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.portal.review.test_fields import SHOWS
from triptych.construction.recipes.cmdar import REVIEW as CMDAR
from triptych.metrics.raters.nominal import nominal_alpha, observed_agreement
from triptych.portal.review.fields import Field, fields_of
from triptych.portal.review.rules import figures, is_unanimous, label, pairs, why_undefined

VERDICT = Field("verdict", "choice", ("approve", "edit", "reject"), True)


def test_reviewers_agree_if_their_decision_and_their_texts_are_the_same() -> None:
    fields = fields_of(CMDAR.form, SHOWS)
    assert is_unanimous(fields, [{"verdict": "approve", "timestamps": "1.00-2.00"}, {"verdict": "approve"}])
    assert not is_unanimous(fields, [{"verdict": "approve"}, {"verdict": "reject"}])
    assert not is_unanimous(fields, [{"verdict": "edit", "answer": "甲"}, {"verdict": "edit", "answer": "乙"}])
    assert is_unanimous(fields, [{"verdict": "reject", "criterion": ["grammar"]}, {"verdict": "reject"}])


def test_agreement_with_two_three_and_no_shared_tasks() -> None:
    one = {
        str(n): {"a": {"verdict": v}, "b": {"verdict": w}}
        for n, (v, w) in enumerate(
            [("approve", "approve")] * 4 + [("reject", "reject")] * 4 + [("approve", "reject")] * 2
        )
    }
    found = figures(VERDICT, one)
    assert (found.tasks, found.shared, found.raters, found.observed) == (10, 10, 2, 0.8)
    assert found.kappa == pytest.approx((0.8 - 0.48) / (1 - 0.48), abs=1e-12)  # by chance 0.6 x 0.4 + 0.4 x 0.6
    third = {**one, "10": {"a": {"verdict": "approve"}, "c": {"verdict": "approve"}}}
    assert figures(VERDICT, third).kappa is None and why_undefined(figures(VERDICT, third), "kappa").endswith("two")
    assert [(x, y, f.shared) for x, y, f in pairs(VERDICT, third)] == [("a", "b", 10), ("a", "c", 1)]
    alone = figures(VERDICT, {"1": {"a": {"verdict": "approve"}}, "2": {"b": {"verdict": "approve"}}})
    assert alone.shared == 0 and alone.observed is alone.nominal is None
    assert why_undefined(alone, "nominal") == "agreement-nothing-shared"
    same = figures(VERDICT, {"1": {"a": {"verdict": "approve"}, "b": {"verdict": "approve"}}})
    assert (same.observed, same.nominal, why_undefined(same, "nominal")) == (1.0, None, "agreement-nothing-varies")
    assert why_undefined(same, "observed") == ""


VOTE = st.fixed_dictionaries({"verdict": st.sampled_from(VERDICT.choices)})


@given(st.dictionaries(st.text(max_size=3), st.dictionaries(st.sampled_from("abc"), VOTE, min_size=1)))
def test_figures_are_those_of_the_metrics(votes: dict[str, dict[str, dict[str, str]]]) -> None:
    rows = [[own.get(p, {}).get("verdict") for p in "abc"] for own in votes.values()]
    found = figures(VERDICT, votes)
    assert (found.nominal, found.observed) == (nominal_alpha(rows), observed_agreement(rows))
    assert found.shared == sum(len(own) > 1 for own in votes.values())


def test_several_choices_are_one_label() -> None:
    field = Field("faults", "several", ("x", "y"))
    assert label(field, ["y", "x"]) == label(field, ["x", "y"]) and label(field, []) is None
