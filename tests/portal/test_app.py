"""Tests of `portal/app.py`: the web app."""

from __future__ import annotations

import re

from tests.portal.conftest import visitor
from triptych.portal.app import make_app
from triptych.portal.project import Portal, open_portal


def test_a_form_survives_a_restart_of_the_server(small: Portal) -> None:
    who = visitor(small, "recorder")
    page = who.client.get("/about-you").text
    token = re.findall(r'name="token" value="([0-9a-f]{64})"', page)[0]
    again = open_portal(small.path)
    who.client.app = make_app(again)
    answer = who.client.post("/about-you", data={"token": token, "gender": "man", "age_band": "26-30"})
    again.close()
    assert answer.status_code == 303
