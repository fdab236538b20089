"""Tests of `portal/people/reminding.py`: whom to remind, as a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.portal.conftest import Visitor, visitor
from tests.portal.review.test_review import put
from triptych.errors import DataError
from triptych.portal.people.reminding import addressed, idle_people, without_person
from triptych.portal.project import Portal


def test_a_table_of_addresses_has_to_say_who(small: Portal, enter: Callable[..., Visitor]) -> None:
    put(small, 2)
    one, other = enter("reviewer"), enter("reviewer")
    with small.database.reading() as connection:
        found = idle_people(connection)
    assert {each.id for each in found} == {one.id, other.id}
    for wrong in ([], [{"mail": "a@b"}], [{"address": "a@b"}]):
        with pytest.raises(DataError, match="no usable heading"):
            addressed(found, wrong)
    with pytest.raises(DataError, match="same note"):
        addressed(found, [{"address": "a@b", "label": "Somebody"}])
    name = one.session.person.pseudonym
    assert [where for _, where in addressed(found, [{"address": "a@b", "pseudonym": name}])] == ["a@b"]


def test_addresses_are_checked(small: Portal) -> None:
    visitor(small, "recorder")
    for rows, says in (
        ([{"address": "nobody", "label": "x"}], "not an address"),
        ([{"address": "a@x.org", "label": "x"}, {"address": "b@x.org", "label": "x"}], "two addresses"),
    ):
        with pytest.raises(DataError, match=says):
            addressed([], rows)
    with small.database.reading() as connection:
        assert without_person(connection, [{"address": "a@x.org", "label": "Nobody"}]) == ["Nobody"]
