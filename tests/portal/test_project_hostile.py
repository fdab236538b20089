"""Addresses and forms with values that no database can hold: refused, not a fault of the server."""

from __future__ import annotations

import pytest

from tests.portal.conftest import visitor
from triptych.portal.project import Portal

HUGE = 1 << 63
ADDRESSES = (
    "/review/a%00b",
    "/sound/a%00b/16k",
    "/reviews/a%00b/ratings.csv",
    "/audit?before=a%00b",
    "/recordings/a?state=%00",
    f"/shown/{HUGE}/{'0' * 64}",
    f"/shown/{HUGE}/{'0' * 64}/wave",
    f"/reviews/review/{HUGE}",
)
FORMS = {
    "/people/invite": {"role": "reviewer", "label": "a\0b"},
    "/people/role": {"person": "a\0b", "role": "reviewer"},
    "/about-you": {"gender": "man", "age_band": "18-25", "native_language": "a\0b"},
    "/consent-form": {"text-en": "a\0b", "text-zh": "文"},
}


def test_values_that_can_not_be_stored_are_refused(portal: Portal) -> None:
    who = visitor(portal, "admin", "reviewer")
    assert {path: who.client.get(path).status_code for path in ADDRESSES} == dict.fromkeys(ADDRESSES, 404)
    sent = {path: who.client.post(path, data={"token": who.token, **form}).status_code for path, form in FORMS.items()}
    assert sent == dict.fromkeys(FORMS, 400)
    send = {"content": b"{}", "headers": {"x-form-token": who.token}}
    for path in (f"/review/review/{HUGE}/{'0' * 32}", f"/review/review/1/{'0' * 31}%00"):
        assert who.client.put(path, **send).status_code == 404  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "back", ["//evil.example/", "/\\evil.example", "/\t/evil.example", "/\r\nset-cookie: x=1", "x"]
)
def test_nobody_is_sent_elsewhere_by_a_form(small: Portal, back: str) -> None:
    who = visitor(small, "reviewer")
    answer = who.client.post("/language", data={"token": who.token, "language": "zh", "back": back})
    where = answer.headers["location"]
    assert where.isprintable() and where.startswith("/") and where[1:2] not in ("/", "\\") and "x" not in answer.cookies
