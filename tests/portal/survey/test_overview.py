"""Tests of `portal/survey/overview.py`: the administrator's view of a survey."""

from __future__ import annotations

import re

import pytest

from tests.portal.conftest import visitor
from tests.portal.surveys import (
    participant,
    pushed,
    takes_part,
)
from triptych.portal.project import Portal


def test_participants_are_listed_in_pages_with_their_checks(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.portal.survey.overview.PAGE_SIZE", 2)
    pushed(portal, "cmdar/main", per_cell=3, people=3, checks=1)
    people = [participant(portal) for _ in range(3)]
    for who in people:
        takes_part(portal, who, ms=7000)
    admin, seen = visitor(portal, "admin"), list[str]()
    page = admin.client.get("/survey-cells/survey").text
    for _ in range(2):
        rows = re.findall(r'<tr><th scope="row">(p-\w+)</th>(.*?)</tr>', page, re.DOTALL)
        seen += [name for name, _ in rows]
        assert all("4 / 4" in row and ">7<" in row and "0 / 1" in row for _, row in rows)
        link = re.search(r'href="(\?before=[^"]+)"', page)
        page = admin.client.get("/survey-cells/survey" + link[1]).text if link else ""
    assert sorted(seen) == sorted(who.session.person.pseudonym for who in people) and not page
