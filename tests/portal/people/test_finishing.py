"""Tests of `portal/people/finishing.py`: the code and the address at the end of the work in a queue."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from sqlalchemy import update
from starlette.requests import Request

from tests.portal.conftest import visitor
from tests.portal.review.test_review import put, review_all
from triptych.portal.people.finishing import Finished, finish_of, return_address
from triptych.portal.project import Finish, Portal
from triptych.portal.site.page import Visit
from triptych.portal.store.tables import people


def test_a_code_and_a_way_back_at_the_end(small: Portal) -> None:
    put(small, 3)
    back = "https://app.prolific.com/submissions/complete?cc={code}&pid={PROLIFIC_PID}"
    settings = msgspec.structs.replace(small.settings, most={"review": 2}, finish={"review": Finish("C1ABCD", back)})
    ending = replace(small, settings=settings)
    who = visitor(ending, "reviewer")
    with small.database.writing() as connection:
        connection.execute(update(people).where(people.c.id == who.id).values(arrived={"PROLIFIC_PID": "5f&x"}))
    assert "C1ABCD" not in who.client.get("/review/review").text
    assert review_all(who, {"verdict": "approve"}) == 2
    page = who.client.get("/review/review").text
    assert "C1ABCD" in page and 'href="https://app.prolific.com/submissions/complete?cc=C1ABCD&amp;pid=5f%26x"' in page


@pytest.mark.parametrize(
    ("back", "arrived", "address"),
    [
        ("", {"PID": "1"}, ""),
        ("https://x.org/done", {}, "https://x.org/done"),
        ("https://x.org/?c={code}", {"code": "forged"}, "https://x.org/?c=C%201%26"),  # the code is the project's
        ("https://x.org/{S}/{S}", {"S": "a/../b"}, "https://x.org/a%2F..%2Fb/a%2F..%2Fb"),
        ("https://x.org/?q={S}", {"S": "题 #?\r\n"}, "https://x.org/?q=%E9%A2%98%20%23%3F%0D%0A"),
        ("https://x.org/?q={unknown}&r={a-b}", {"a-b": "{code}"}, "https://x.org/?q=&r=%7Bcode%7D"),
        ("https://x.org/{}{ }{a b}", {}, "https://x.org/{}{ }{a b}"),
    ],
)
def test_parameters_stay_inside_their_place_in_the_address(back: str, arrived: dict[str, str], address: str) -> None:
    assert return_address(Finish("C 1&", back), arrived) == address


def test_a_queue_without_an_end_has_none(small: Portal) -> None:
    settings = msgspec.structs.replace(small.settings, finish={"review": Finish("C1")})
    who = visitor(small, "reviewer")
    visit = Visit(replace(small, settings=settings), Request({"type": "http", "headers": []}), who.session, "en")
    assert finish_of(visit, "review") == Finished("C1", "")
    assert finish_of(visit, "reviews") is None
