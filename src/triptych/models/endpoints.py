"""Endpoints as a Run remembers them: told apart without anything that grants access to them.

A served name (`openai/default`) says nothing of the weights behind it: two checkpoints are often served one after the
other, or side by side, under one name. So a manifest keeps where its answers came from.

What is kept is the address without user, password, query and fragment, and a salted hash of the same. The hash is no
secret's keeper: a host, a port and a path can be guessed and tried. It is there because a path may hold a key (some
gateways have it so): such a step is `***` in the address, and the hash, of which a random key can't be guessed, still
tells two of them apart.
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

ROUNDS = 20_000  # of the hash: some milliseconds once a Run, and as much for each guess
_PORTS = {"http": 80, "https": 443}
_LONG = 20  # characters from which on a step of letters and digits may be a key


def endpoint_of(url: str) -> Endpoint | None:
    """What a manifest keeps of an endpoint; None for what is no web address (a model in this process)."""
    plain = normalised(url)
    if not plain:
        return None
    salt = secrets.token_hex(16)
    return Endpoint(address=shown(plain), salt=salt, hash=_digest(plain, salt))


def known_among(url: str, endpoints: Sequence[Endpoint]) -> bool:
    """Whether the address is one of these; True where there is nothing to tell apart."""
    plain = normalised(url)
    return not plain or not endpoints or any(_digest(plain, one.salt) == one.hash for one in endpoints)


def hash_of(url: str) -> str:
    """Sixteen hex digits that tell endpoints apart where nothing is handed on (a cache); empty for no web address."""
    plain = normalised(url)
    return hashlib.sha256(plain.encode()).hexdigest()[:16] if plain else ""


def normalised(url: str) -> str:
    """`https://host:8443/path`: lower-case scheme and host, no usual port, no slash at the end, no user, password,
    query or fragment. Empty for what is no web address."""
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


def shown(plain: str) -> str:
    """A normalised address for people: steps of the path that may be keys are `***`."""
    head, slash, path = plain.partition("://")[2].partition("/")
    steps = ["***" if _may_be_a_key(step) else step for step in path.split("/")]
    return scrub(f"{plain.partition('://')[0]}://{head}{slash}{'/'.join(steps)}")


def official_address(model: str) -> str:
    """The maker's own endpoint of a model, which no command has to name; empty where there is none."""
    known = known_adapters().get(model.partition("/")[0])
    module = import_module(known[0]) if known and known[0].startswith("triptych.") else None
    return normalised(getattr(module, "OFFICIAL", ""))


def _may_be_a_key(step: str) -> bool:
    mixed = re.search(r"\d", step) and re.search(r"[A-Za-z]", step)
    return bool(len(step) >= _LONG and mixed and re.fullmatch(r"[\w.~=+-]+", step))


def _digest(plain: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", plain.encode(), salt.encode(), ROUNDS).hex()[:32]
