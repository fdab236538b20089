"""The people of the demo, who have agreed to its consent form and described themselves."""

from __future__ import annotations

from sqlalchemy import Connection, select

from triptych.portal.demo.content import content
from triptych.portal.people import consent
from triptych.portal.people.records import add_person, describe
from triptych.portal.people.sessions import grant, invite
from triptych.portal.project import Portal
from triptych.portal.store.tables import ROLES, people

YOU = "You"  # the people whose links are printed


def make_people(portal: Portal) -> dict[str, list[str]]:
    """Publish the consent form and add the people; return the ids of the made-up ones by role."""
    people_by_role: dict[str, list[str]] = {role: [] for role in ROLES}
    with portal.database.writing() as connection:
        version = consent.publish(connection, content()["consent"], None)
        for entry in content()["people"]:
            person = _add(
                connection,
                version,
                entry["label"],
                entry["roles"],
                entry["gender"],
                entry["age"],
                entry["native"],
                entry["major"],
            )
            for role in entry["roles"]:
                people_by_role[role].append(person)
        for role in ROLES:
            _add(connection, version, f"{YOU}, {role}", [role], "woman", "26-30", "", "")
        _add(connection, version, f"{YOU}, all roles", ROLES, "man", "26-30", "", "")
    return people_by_role


def links(portal: Portal, address: str) -> dict[str, str]:
    """Return a new link for each of your accounts in the demo: its name -> the address."""
    with portal.database.writing() as connection:
        query = select(people.c.id, people.c.label).where(people.c.label.startswith(f"{YOU}, "))
        people_by_link = {label.removeprefix(f"{YOU}, "): person for person, label in connection.execute(query)}
        return {
            name: f"{address}/enter/{invite(connection, portal.secret, _role(name), person=people_by_link[name])}"
            for name in (*ROLES, "all roles")
            if name in people_by_link
        }


def _role(name: str) -> str:
    return name if name in ROLES else "admin"


def _add(
    connection: Connection,
    version: int,
    label: str,
    roles: list[str] | tuple[str, ...],
    gender: str,
    age: str,
    native: str,
    major: str,
) -> str:
    person = add_person(connection, label=label)
    for role in roles:
        grant(connection, person, role, by=None)
    form = consent.text_of(connection, version, "en")
    assert form is not None
    consent.agree(connection, person, version, form[0], form[2])
    describe(connection, person, gender=gender, age_band=age, native_language=native, major=major)
    return person
