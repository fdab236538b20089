"""Endpoints in a Run's manifest, identified without anything that grants access to them.

A served name (`openai/default`) does not identify the weights: two checkpoints are often served one after the other, or
next to each other, under one name. A manifest therefore records where its answers came from.

It contains the address without user, password, query and fragment, and a salted hash of it. The hash doesn't hide the
address, since host, port and path can be guessed. It is needed because a path may contain a key (with some gateways):
such a segment is shown as `***`, and the hash, from which a random key can't be guessed, still distinguishes two of
them.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from importlib import import_module
from urllib.parse import urlsplit

from triptych.models.registry import known_adapters
from triptych.records import Endpoint
from triptych.secrets import scrub

ROUNDS = 20_000  # of the hash: a few milliseconds per Run, and the same for each guess
_PORTS = {"http": 80, "https": 443}
_LONG = 20  # shortest segment of letters and digits that may be a key


def endpoint_of(url: str) -> Endpoint | None:
    """Return the endpoint for a manifest; None if this isn't a web address (a model in this process)."""
    plain = normalise_address(url)
    if not plain:
        return None
    salt = secrets.token_hex(16)
    return Endpoint(address=redacted_address(plain), salt=salt, hash=_digest(plain, salt))


def is_known_endpoint(url: str, endpoints: Sequence[Endpoint]) -> bool:
    """Return whether the address is one of these; True if there is nothing to compare."""
    plain = normalise_address(url)
    return not plain or not endpoints or any(_digest(plain, one.salt) == one.hash for one in endpoints)


def last_shared(endpoints: Sequence[Endpoint]) -> Sequence[Endpoint]:
    """Return the endpoints of a Run's latest session: the last one, and those that shared the Requests with it."""
    first = len(endpoints) - 1
    while first > 0 and endpoints[first].shared:
        first -= 1
    return endpoints[max(0, first) :]


def hash_of(url: str) -> str:
    """Return 16 hex digits that identify an endpoint within a cache; empty if this isn't a web address."""
    plain = normalise_address(url)
    return hashlib.sha256(plain.encode()).hexdigest()[:16] if plain else ""


def normalise_address(url: str) -> str:
    """Return the address as `https://host:8443/path`: lower-case scheme and host, without default port, final slash,
    user, password, query and fragment. Empty if this isn't a web address.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in _PORTS or not parts.hostname:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    where = f":{port}" if port is not None and port != _PORTS[parts.scheme] else ""
    return f"{parts.scheme}://{host}{where}{parts.path.rstrip('/')}"


def redacted_address(plain: str) -> str:
    """Return a normalised address for people: path segments that may be keys are `***`."""
    head, slash, path = plain.partition("://")[2].partition("/")
    steps = ["***" if _may_be_a_key(step) else step for step in path.split("/")]
    return scrub(f"{plain.partition('://')[0]}://{head}{slash}{'/'.join(steps)}")


def official_address(model: str) -> str:
    """Return the official endpoint of a model, which commands need not name; empty if there is none."""
    adapter_row = known_adapters().get(model.partition("/")[0])
    module = import_module(adapter_row[0]) if adapter_row and adapter_row[0].startswith("triptych.") else None
    return normalise_address(getattr(module, "OFFICIAL", ""))


def _may_be_a_key(step: str) -> bool:
    mixed = re.search(r"\d", step) and re.search(r"[A-Za-z]", step)
    return bool(len(step) >= _LONG and mixed and re.fullmatch(r"[\w.~=+-]+", step))


def _digest(plain: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", plain.encode(), salt.encode(), ROUNDS).hex()[:32]
