"""The project folder: settings, the secret, and where the database and the media are.

DIR/portal.toml   settings, all optional: title, contact, db, media, hosts
    secret        signs invitations and forms; only its owner may read it
    portal.db     the database, unless `db` names another one
    media/        recordings and other media, unless `media` names a bucket
    incoming/     files that are being received
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from triptych.errors import SpecError
from triptych.portal.blobs.store import Blobs, open_place
from triptych.portal.store.engine import Database, sqlite_url
from triptych.portal.store.migrating import migrate
from triptych.portal.work.gold import Rule
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason, reason_at_key
from triptych.store.files.run_files import read_own

SETTINGS = "portal.toml"
SECRET = "secret"
DATABASE = "portal.db"
ENVIRONMENT = "TRIPTYCH_PORTAL_DB"  # a database URL with a password belongs here, not on the command line
_ALLOWED = "then: tell, pause, reject; role: recorder, reviewer, annotator, participant"
MAX_PROJECT_BYTES = 1 << 20


class Oidc(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[oidc]`: single sign-on. The client's secret is read from TRIPTYCH_PORTAL_OIDC_SECRET.

    issuer     its URL, exactly as its tokens state it
    client_id  of this portal at the issuer
    domains    e-mail domains whose people may enter, with the role `role`
    people     subject or e-mail address -> role, for people who are invited by name
    """

    issuer: str
    client_id: str
    domains: tuple[str, ...] = ()
    role: Literal["recorder", "reviewer", "annotator", "participant"] = "participant"
    people: dict[str, Literal["admin", "recorder", "reviewer", "annotator", "participant"]] = {}


class Finish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[finish.QUEUE]`: what people get at the end of their work in a queue.

    code  a completion code
    back  an address to go back to; {code}, and {NAME} for a parameter of the link by which the person came
    """

    code: str = ""
    back: str = ""


class Pay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[pay.QUEUE]`: the pay of an accepted result, the sum of what is given.

    weight      of a word
    per_word    amounts for a weighted word, for a minute of the sound or film that the task shows or that was recorded,
    per_minute  for an hour of work, and for a result
    per_hour
    per_result
    currency    of all of them
    """

    weight: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    per_word: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    per_minute: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    per_hour: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    per_result: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    currency: str = ""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`portal.toml`.

    title      the name of the project on every page
    contact    whom people may ask, and write to if they lose their link: an address or a name
    db         URL of the database [portal.db in the folder]
    media      a folder, relative to the project's, or s3://BUCKET/PREFIX
    hosts      host names that the server answers to
    proxies    addresses or networks of proxies, besides this computer, whose X-Forwarded headers are believed
    languages  of the pages; the first is shown to people whose browser asks for neither
    most       tasks that one person does in a queue at most, by the queue's name; a work that is begun is finished
    pay        pay of a queue, by the queue's name; a number is the weight of a word [1]
    finish     completion code and return address, by the queue's name
    gold       how often gold tasks come and what happens below a limit, by the queue's name
    oidc       single sign-on; without it people enter by links alone
    recognisers  models that transcribe each recording, with their settings: the error rate is part of its check
    """

    title: str = "Triptych"
    contact: str = ""
    db: str = ""
    media: str = "media"
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("en", "zh")
    recognisers: dict[str, dict[str, Any]] = {}
    oidc: Oidc | None = None
    most: dict[str, Annotated[int, msgspec.Meta(ge=1)]] = {}
    pay: dict[str, Annotated[float, msgspec.Meta(ge=0)] | Pay] = {}
    finish: dict[str, Finish] = {}
    gold: dict[str, Rule] = {}

    def pay_of(self, queue: str) -> Pay:
        """Return the pay of a queue."""
        pay = self.pay.get(queue, 1.0)
        return pay if isinstance(pay, Pay) else Pay(weight=pay)


def unknown_queues(settings: Settings, names: Iterable[str]) -> list[str]:
    """Return the queues that settings name and a portal doesn't have, such as `[gold.reviw]`.

    >>> unknown_queues(Settings(gold={"reviw": Rule()}, most={"record": 3}), ["record", "review"])
    ['[gold.reviw]']
    """
    tables: dict[str, Iterable[str]] = {
        "most": settings.most,
        "pay": settings.pay,
        "finish": settings.finish,
        "gold": settings.gold,
    }
    return [f"[{table}.{name}]" for table, named in tables.items() for name in named if name not in set(names)]


@dataclass(frozen=True)
class Portal:
    """A project folder, opened: everything that pages, checks and commands need."""

    path: Path
    settings: Settings
    secret: bytes
    database: Database
    blobs: Blobs

    def close(self) -> None:
        """Close the connections to the database."""
        self.database.close()


def open_portal(path: Path, db: str = "", *, create: bool = False, migrated: bool = True) -> Portal:
    """Open a project folder; its tables are brought to this version unless `migrated` is false.

    `db`: URL of the database, instead of that of the environment or the settings; `create`: make the folder if needed.
    Raises SpecError for a folder that doesn't exist, bad settings, or a secret that others can read.
    """
    if not path.is_dir():
        if not create:
            raise SpecError(
                "the project folder doesn't exist", where=path, fix=f"triptych portal serve --project {path}"
            )
        path.mkdir(parents=True)
    settings = read_settings(path / SETTINGS)
    url = db or os.environ.get(ENVIRONMENT, "") or settings.db or sqlite_url(path / DATABASE)
    blobs = Blobs(open_place(settings.media, path), path / "incoming")
    portal = Portal(path, settings, read_secret(path / SECRET), Database(url), blobs)
    if migrated:
        migrate(portal.database)
    return portal


def read_settings(path: Path) -> Settings:
    """Return the settings of a project; the defaults if there is no file. Raises SpecError."""
    document: dict[str, Any] = {}
    try:
        document = parse_toml(read_own(path, MAX_PROJECT_BYTES).decode())
        settings = msgspec.convert(document, Settings, strict=True)
    except FileNotFoundError:
        return Settings()
    except (OSError, msgspec.ValidationError, *NO_TOML) as error:
        got = reason(error)
        if isinstance(error, msgspec.ValidationError):
            got = reason_at_key(error, document, Settings)
        expected = _ALLOWED if "enum value" in got else None
        raise SpecError("the portal's settings can't be read", where=path, got=got, expected=expected) from None
    for each in settings.proxies:
        try:
            ipaddress.ip_network(each, strict=False)
        except ValueError:
            raise SpecError(
                "not an address or network", where=path, got=each, expected="10.0.0.7 or 10.0.0.0/8"
            ) from None
    for name, end in settings.finish.items():
        if end.back and not end.back.startswith(("https://", "http://")):
            raise SpecError(
                "not a return address", where=f"{path}: [finish.{name}]", got=end.back, expected="https://…"
            )
    if not settings.languages or set(settings.languages) - {"en", "zh"}:
        raise SpecError("unknown language", where=path, got=list(settings.languages), expected='"en", "zh"')
    return settings


def read_secret(path: Path) -> bytes:
    """Return the secret of a project, made on the first call. Raises SpecError if others can read it."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return _checked(path)
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(32))
        file.flush()
        os.fsync(file.fileno())
    return _checked(path)


def _checked(path: Path) -> bytes:
    try:
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise SpecError("others can read the portal's secret", where=path, fix=f"chmod 600 {path}")
        secret = read_own(path, 4096)
    except OSError as error:
        raise SpecError("the portal's secret can't be read", where=path, got=error.strerror) from None
    if len(secret) < 32:
        fix = "delete the file: open forms and unused invitations end"
        raise SpecError("the portal's secret is too short", where=path, fix=fix)
    return secret
