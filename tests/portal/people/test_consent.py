"""Tests of `portal/people/consent.py`: consent."""

from __future__ import annotations

import re

import pytest

from tests.portal.conftest import TEXTS, visitor
from triptych.errors import DataError
from triptych.portal.people import consent
from triptych.portal.project import Portal


def test_consent_has_a_version_and_the_text_that_was_read(portal: Portal) -> None:
    who = visitor(portal, "recorder", agreed=False)
    assert "not published" in who.client.get("/consent").text
    with portal.database.writing() as connection:
        assert consent.publish(connection, TEXTS, None) == 1
    page = who.client.get("/consent").text
    assert TEXTS["en"] in page
    fields = dict(re.findall(r'name="(version|language|sha256)" value="(\w+)"', page))
    with portal.database.writing() as connection:
        consent.publish(connection, {**TEXTS, "en": "Another text."}, None)
    form = {"token": who.token, "agree": "yes", **fields}
    assert who.client.post("/consent", data=form).status_code == 409  # it changed while the page was open
    fields = dict(re.findall(r'name="(version|language|sha256)" value="(\w+)"', who.client.get("/consent").text))
    form = {"token": who.token, "agree": "yes", **fields}
    assert who.client.post("/consent", data=form).headers["location"] == "/about-you"
    with portal.database.writing() as connection:
        assert consent.has_agreed(connection, who.id)
        consent.publish(connection, TEXTS, None)
        assert not consent.has_agreed(connection, who.id)  # a new version asks again


def test_an_empty_form_is_not_published(small: Portal) -> None:
    with pytest.raises(DataError, match="'zh'"), small.database.writing() as connection:
        consent.publish(connection, {"en": "Text", "zh": " "}, None)
    with small.database.reading() as connection:
        assert consent.current(connection) == 0
