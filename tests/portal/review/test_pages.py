"""Tests of `portal/review/pages.py`: pages of reviewing."""

from __future__ import annotations

import csv
import io

import pytest

from tests.portal.conftest import visitor
from tests.portal.review.test_review import put, review_all
from triptych.portal.project import Portal


def test_ratings_are_sent_in_parts_and_are_complete(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.portal.review.pages.PART", 100)
    monkeypatch.setattr("triptych.portal.review.storing.BATCH", 2)
    put(portal, 9, reviewers=2)
    people = [visitor(portal, "reviewer") for _ in range(2)]
    for who in people:
        review_all(who, {"verdict": "approve", "score": "5"})
    with people[0].client.stream("GET", "/reviews/review/ratings.csv") as answer:
        text = "".join(answer.iter_text())
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len({(row["item"], row["rater"], row["field"]) for row in rows}) == len(rows) == 9 * 2 * 2
