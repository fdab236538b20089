"""Single sign-on against an issuer of our own, with every fault that a token can have."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from tests.portal.conftest import anonymous
from tests.support.mock_issuer import Issuer
from triptych.errors import SpecError
from triptych.portal.people.records import all_people
from triptych.portal.project import Oidc, Portal, read_settings

pytest.importorskip("joserfc", reason="joserfc is not installed (triptych[portal])")


def go_through(portal: Portal, issuer: Issuer, client: TestClient | None = None) -> tuple[TestClient, Any]:
    client = client or anonymous(portal)
    there = client.get("/sign-in")
    assert there.status_code == 303
    return client, client.get("/sign-in/back", params=issuer.authorize(there.headers["location"]))


def roles(portal: Portal) -> list[set[str]]:
    with portal.database.reading() as connection:
        return [set(person.roles) for person in all_people(connection)]


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        ({"email": "Boss@Elsewhere.org"}, {"admin"}),
        ({"sub": "subject-7", "email": None, "email_verified": None}, {"reviewer"}),
        ({"email": "boss@elsewhere.org", "email_verified": False}, None),
        ({"sub": "boss@elsewhere.org", "email": None, "email_verified": None}, None),
        ({"email_verified": None}, None),
        ({"email_verified": "true"}, None),
        ({"email": "x@example.org.evil.net"}, None),
        ({"email": "example.org"}, None),
        ({"email": "@example.org"}, None),
        ({"email": None}, None),
    ],
)
def test_who_may_enter(signing: Portal, issuer: Issuer, claims: dict[str, Any], role: set[str] | None) -> None:
    issuer.claims = claims
    _, back = go_through(signing, issuer)
    assert back.status_code == (303 if role else 403)
    assert roles(signing) == ([role] if role else [])


@pytest.mark.parametrize(
    ("claims", "sign"),
    [
        ({"nonce": "another"}, "RS256"),
        ({"nonce": None}, "RS256"),
        ({"iss": "https://evil.example"}, "RS256"),
        ({"iss": None}, "RS256"),
        ({"aud": "another"}, "RS256"),
        ({"aud": None}, "RS256"),
        ({"aud": ["portal", "another"]}, "RS256"),
        ({"aud": ["portal", "x"], "azp": "x"}, "RS256"),
        ({"azp": "another"}, "RS256"),
        ({"exp": int(time.time()) - 3600}, "RS256"),
        ({"exp": None}, "RS256"),
        ({"iat": int(time.time()) + 3600}, "RS256"),
        ({"sub": None}, "RS256"),
        ({"sub": 7}, "RS256"),
        ({}, "none"),
        ({}, "HS256"),
        ({}, "other"),
    ],
)
def test_a_token_with_a_fault_opens_nothing(signing: Portal, issuer: Issuer, claims: dict[str, Any], sign: str) -> None:
    issuer.claims, issuer.sign = claims, sign
    client, back = go_through(signing, issuer)
    assert back.status_code == 400 and roles(signing) == []
    assert client.get("/your-data").status_code == 401


def test_a_sign_in_that_was_not_begun_in_this_browser_opens_nothing(signing: Portal, issuer: Issuer) -> None:
    client = anonymous(signing)
    given = issuer.authorize(client.get("/sign-in").headers["location"])
    assert anonymous(signing).get("/sign-in/back", params=given).status_code == 400
    assert client.get("/sign-in/back", params={**given, "state": "another"}).status_code == 400
    assert client.get("/sign-in/back", params={"state": given["state"]}).status_code == 400
    assert client.get("/sign-in/back", params={"error": "access_denied"}).status_code == 400
    other = anonymous(signing)
    other.get("/sign-in")  # its own state, nonce and verifier
    assert other.get("/sign-in/back", params=given).status_code == 400
    assert roles(signing) == []
    assert client.get("/sign-in/back", params=given).status_code == 303


def test_an_issuer_with_another_name_or_none_is_not_asked_for_tokens(signing: Portal, issuer: Issuer) -> None:
    issuer.name = "https://evil.example"
    assert anonymous(signing).get("/sign-in").status_code == 502
    settings = msgspec.structs.replace(signing.settings, oidc=Oidc("http://127.0.0.1:9", "portal"))
    assert anonymous(replace(signing, settings=settings)).get("/sign-in").status_code == 502


def test_without_settings_there_is_no_sign_in(small: Portal, tmp_path: Path) -> None:
    client = anonymous(small)
    assert "sign-in" not in client.get("/").text
    assert client.get("/sign-in").status_code == client.get("/sign-in/back").status_code == 404
    file = tmp_path / "portal.toml"
    file.write_text('[oidc]\nissuer = "https://id.example"\nclient_id = "p"\nsecret = "x"\n')
    with pytest.raises(SpecError, match="settings"):
        read_settings(file)
