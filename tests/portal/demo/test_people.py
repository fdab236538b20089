"""Tests of `portal/demo/people.py`: the people of the demo, and the links to it."""

from __future__ import annotations

from sqlalchemy import select

from tests.portal.conftest import ADDRESS, anonymous
from triptych.portal.demo.content import content
from triptych.portal.demo.people import links, make_people
from triptych.portal.people import consent
from triptych.portal.people.records import all_people
from triptych.portal.project import Portal
from triptych.portal.store.tables import ROLES, audit


def test_everybody_has_agreed_and_described_themselves(small: Portal) -> None:
    made = make_people(small)
    with small.database.reading() as connection:
        people = {person.id: person for person in all_people(connection)}
        assert all(consent.has_agreed(connection, id) for id in people)
    assert all(person.described_at for person in people.values())
    assert len(people) == len(content()["people"]) + len(ROLES) + 1
    for role, ids in made.items():
        assert all(role in people[id].roles for id in ids)
        assert [people[id].label for id in ids] == [p["label"] for p in content()["people"] if role in p["roles"]]
    everything = next(person for person in people.values() if person.label == "You, all roles")
    assert set(everything.roles) == set(ROLES)


def test_each_link_opens_the_account_of_its_role_once_and_the_next_ones_are_new(small: Portal) -> None:
    make_people(small)
    first, second = links(small, ADDRESS), links(small, ADDRESS)
    assert first.keys() == {*ROLES, "all roles"} and not set(first.values()) & set(second.values())
    for name, page, status in (
        ("admin", "/people", 200),
        ("reviewer", "/people", 403),
        ("all roles", "/people", 200),
    ):
        client, path = anonymous(small), first[name].removeprefix(ADDRESS)
        assert client.post(path, data={"token": ""}).status_code == 303
        assert client.get(page).status_code == status
        assert anonymous(small).post(path, data={"token": ""}).status_code != 303
    with small.database.reading() as connection:
        entries = str(connection.execute(select(audit)).all())
    assert not [link for link in first.values() if link.rpartition("/")[2] in entries]


def test_a_portal_without_the_people_of_the_demo_has_no_links(small: Portal) -> None:
    assert links(small, ADDRESS) == {}
