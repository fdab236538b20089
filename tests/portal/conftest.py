"""Portals for tests: on SQLite and on PostgreSQL, with people of every role, and their browsers without a network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the portal's packages are not installed (pip install 'triptych[portal]')")
pytest.importorskip("starlette", reason="the portal's packages are not installed (pip install 'triptych[portal]')")
pytest.importorskip("obstore", reason="the portal's packages are not installed (pip install 'triptych[portal]')")

from datetime import UTC, datetime, timedelta

import pytest
from starlette.testclient import TestClient

from tests.support.browser import browser, browser_page, watch
from tests.support.postgres import copied, emptied, postgres_url
from triptych.portal.app import make_app
from triptych.portal.people import consent
from triptych.portal.people.records import add_person, describe
from triptych.portal.people.sessions import Session, form_token, grant, open_session, session_of
from triptych.portal.project import DATABASE, Portal, open_portal
from triptych.portal.site.gate import SESSION
from triptych.portal.store import engine

__all__ = ["browser", "browser_page", "postgres_url", "watch"]

ADDRESS = "http://127.0.0.1:8780"
TEXTS = {"en": "Your voice is recorded.", "zh": "我们将录制您的声音。"}
# SQLite in tests doesn't wait for the disk: a killed process loses nothing by that (see tests/conftest.py).
DURABLE = engine.PRAGMAS
engine.PRAGMAS = tuple(line.replace("synchronous=FULL", "synchronous=OFF") for line in DURABLE)
BOTH = [pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.slow)]


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with this version's tables, made once: all migrations would be carried out for each test."""
    folder = tmp_path_factory.mktemp("migrated")
    open_portal(folder, create=True).close()
    return folder / DATABASE


@pytest.fixture(scope="session")
def migrated_postgres(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PostgreSQL database with this version's tables, made once."""
    open_portal(tmp_path_factory.mktemp("migrated"), emptied(postgres_url), create=True).close()
    return postgres_url


@pytest.fixture
def make_portal(tmp_path: Path, request: pytest.FixtureRequest, migrated: Path) -> Iterator[Callable[..., Portal]]:
    """Opens portals, of either database, with nothing in them."""
    opened = []

    def make(kind: str = "sqlite", name: str = "project") -> Portal:
        url = copied(request.getfixturevalue("migrated_postgres")) if kind == "postgresql" else ""
        if kind == "sqlite" and not (tmp_path / name).exists():
            (tmp_path / name).mkdir()
            shutil.copy(migrated, tmp_path / name / DATABASE)
        opened.append(open_portal(tmp_path / name, url, create=True))
        return opened[-1]

    yield make
    for portal in opened:
        portal.close()


@pytest.fixture(params=BOTH)
def portal(request: pytest.FixtureRequest, make_portal: Callable[..., Portal]) -> Portal:
    """An empty portal, once with each database."""
    return make_portal(request.param)


@pytest.fixture
def small(make_portal: Callable[..., Portal]) -> Portal:
    """An empty portal on SQLite, for tests that the database can't change."""
    return make_portal()


@dataclass
class Visitor:
    """A person with a browser. `token`: of the forms of their session."""

    client: TestClient
    id: str
    token: str
    session: Session


@pytest.fixture
def enter(small: Portal) -> Callable[..., Visitor]:
    """Brings people with roles into `small`."""
    return lambda *roles, **more: visitor(small, *roles, **more)


def visitor(portal: Portal, *roles: str, agreed: bool = True, gender: str = "woman", address: str = ADDRESS) -> Visitor:
    """A new person with these roles, who agreed to the consent form and described themselves."""
    with portal.database.writing() as connection:
        person = add_person(connection, label="Somebody")
        for role in roles:
            grant(connection, person, role, by=None)
        if agreed:
            version = consent.current(connection) or consent.publish(connection, TEXTS, None)
            found = consent.text_of(connection, version, "en")
            assert found
            consent.agree(connection, person, version, found[0], found[2])
            describe(connection, person, gender=gender, age_band="18-25", native_language="zh", major="")
        cookie = open_session(connection, person)
        session = session_of(connection, cookie)
    assert session
    client = TestClient(make_app(portal), base_url=address, follow_redirects=False, raise_server_exceptions=True)
    client.cookies.set(SESSION, cookie)
    client.headers["accept"] = "text/html"
    return Visitor(client, person, form_token(portal.secret, session), session)


def anonymous(portal: Portal, address: str = ADDRESS) -> TestClient:
    """A browser of somebody without a session."""
    client = TestClient(make_app(portal), base_url=address, follow_redirects=False)
    client.headers["accept"] = "text/html"
    return client


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of localhost, and its key, that last a month."""
    x509 = pytest.importorskip("cryptography.x509", reason="cryptography is not installed")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("certificate")
    (folder / "fullchain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "privkey.pem").write_bytes(secret)
    return folder / "fullchain.pem", folder / "privkey.pem"
