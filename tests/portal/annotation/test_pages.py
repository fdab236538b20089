"""Tests of `portal/annotation/pages.py`: pages of annotation."""

from __future__ import annotations

import re

import pytest

from tests.portal.conftest import visitor
from tests.portal.work.test_listing import filled
from triptych.portal.project import Portal


def test_the_page_links_to_the_next_one(small: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.portal.annotation.pages.PAGE_SIZE", 2)
    filled(small, 3)
    who = visitor(small, "admin")
    page = who.client.get("/annotations/tasks").text
    link = re.search(r'href="(\?state=accepted&amp;before=[^"]+)"', page)
    assert link and len(re.findall("<article", page)) == 2
    rest = who.client.get("/annotations/tasks" + link[1].replace("&amp;", "&")).text
    assert len(re.findall("<article", rest)) == 1 and "before=" not in rest
