"""A page: its address, the roles that may use it, and the function that answers a Visit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from triptych.portal.people.records import Person
from triptych.portal.people.sessions import Session, form_token
from triptych.portal.project import Portal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

Body = Literal["none", "form", "file"]
# `anyone` needs no session; `api` needs a token of the command line instead of one.
Who = Literal["anyone", "api", "admin", "recorder", "reviewer", "annotator", "participant"]
EVERY_ROLE: tuple[Who, ...] = ("admin", "recorder", "reviewer", "annotator", "participant")


@dataclass(frozen=True)
class Upload:
    """A file that was received: where it is until the answer is sent, its SHA-256 and its size in bytes."""

    path: Path
    sha256: str
    size: int


@dataclass(frozen=True)
class Visit:
    """One request, with everything that a page needs to answer it."""

    portal: Portal
    request: Request
    session: Session | None
    language: str
    form: Mapping[str, str] = field(default_factory=dict)
    upload: Upload | None = None

    @property
    def person(self) -> Person:
        """Who asks. Only pages that need a session may use it."""
        assert self.session is not None, "the page is open to anyone"
        return self.session.person

    @property
    def token(self) -> str:
        """The token for the page's forms; empty without a session."""
        return form_token(self.portal.secret, self.session) if self.session else ""

    def part(self, name: str) -> Any:
        """A part of the address."""
        return self.request.path_params[name]


@dataclass(frozen=True)
class Page:
    """A line of the table of routes.

    who         the roles that may use it
    consented   only for people who agreed to the current consent form and described themselves
    microphone  the page may use the microphone and plays what was recorded (blob:); never over plain HTTP off loopback
    body        what a request carries: nothing, a form, or a file of at most `max_bytes` bytes
    limit       requests of one person (or, without a session, address) in a time: `60/minute`
    """

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    answer: Callable[[Visit], Response]
    who: tuple[Who, ...]
    about: str
    consented: bool = False
    microphone: bool = False
    body: Body = "none"
    max_bytes: int = 64 * 1024
    limit: str = "600/minute"

    @property
    def changes(self) -> bool:
        """Whether a request changes something, and must therefore prove that it comes from a page of the session."""
        return self.method != "GET"
