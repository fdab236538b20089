"""Tests of `portal/people/oidc.py`: openID Connect."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from tests.portal.conftest import anonymous
from tests.portal.people.test_signing_in import go_through, roles
from tests.support.mock_issuer import Issuer
from triptych.errors import SpecError
from triptych.portal.people import oidc
from triptych.portal.project import Portal
from triptych.portal.store.tables import people
from triptych.portal.work.withdrawing import withdraw

pytest.importorskip("joserfc", reason="joserfc is not installed (triptych[portal])")


def test_somebody_of_an_allowed_domain_enters_and_is_known_the_next_time(
    signing: Portal, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(oidc.SECRET, "of the client")
    assert 'href="/sign-in"' in anonymous(signing).get("/").text
    client, back = go_through(signing, issuer)
    assert (back.status_code, back.headers["location"]) == (303, "/")
    assert client.get("/your-data").status_code == 200 and "triptych_sign_in" not in client.cookies
    assert issuer.asked["code_challenge_method"] == "S256" and issuer.told["client_secret"] == "of the client"
    assert issuer.asked["redirect_uri"] == issuer.told["redirect_uri"] == "http://127.0.0.1:8780/sign-in/back"
    go_through(signing, issuer)
    assert roles(signing) == [{"recorder"}]
    with signing.database.reading() as connection:
        row = connection.execute(select(people)).one()
    assert row.subject == f"{issuer.url} anna" and row.label == ""
    withdraw(signing.database, signing.blobs, row.id, None)
    assert client.get("/your-data").status_code == 401


@pytest.mark.parametrize("url", ["http://example.org", "file:///etc/passwd", "https://", ""])
def test_addresses_of_the_issuer_are_https(url: str) -> None:
    with pytest.raises(SpecError, match="https://"):
        oidc.check_address(url)
