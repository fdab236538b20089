"""Fixtures that several files of tests of `portal/people` share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest

from tests.support.mock_issuer import Issuer, issuing
from triptych.portal.project import Oidc, Portal

pytest.importorskip("joserfc", reason="joserfc is not installed (triptych[portal])")


@pytest.fixture(scope="module")
def server() -> Iterator[Issuer]:
    with issuing() as found:
        yield found


@pytest.fixture
def issuer(server: Issuer) -> Issuer:
    server.claims, server.sign, server.name = {}, "RS256", None
    return server


@pytest.fixture
def signing(small: Portal, issuer: Issuer) -> Portal:
    """A portal that lets people of example.org in as recorders, and two others by name."""
    named = {"boss@elsewhere.org": "admin", "subject-7": "reviewer"}
    given = Oidc(issuer.url, "portal", ("example.org",), "recorder", named)  # type: ignore[arg-type]
    return replace(small, settings=msgspec.structs.replace(small.settings, oidc=given))
