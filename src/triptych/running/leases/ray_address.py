"""The address of a Ray cluster: where it comes from, whether anything answers there, and the token that it needs.

Ray itself tries a dead address for minutes, and the file in which it keeps the address of the current cluster outlives
the cluster.
"""

from __future__ import annotations

import os
import re
import socket
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from triptych.errors import SpecError
from triptych.store.user_cache import home_folder

PATIENCE_S = 5.0  # for a connection
_HOST_AND_PORT = re.compile(r"(?:ray://)?\[?([^\[\]/]+?)\]?:(\d+)/?")
TOKENS = "https://docs.ray.io/en/latest/ray-security/token-auth.html"


@dataclass(frozen=True)
class RayAddress:
    """An address, and where it comes from; an empty address means that a cluster is started on this computer."""

    address: str
    source: str

    @property
    def description(self) -> str:
        """The address with its source, for messages."""
        return f"{self.address} (from {self.source})"


def address_file(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the file in which `ray start` keeps the address of the current cluster."""
    temporary = environ.get("RAY_TMPDIR") or environ.get("TMPDIR") or ("/tmp" if os.name == "posix" else "")
    return Path(temporary or tempfile.gettempdir()) / "ray" / "ray_current_cluster"


def address_of(text: str, environ: Mapping[str, str] = os.environ) -> RayAddress:
    """Return the address that Ray would use: the given one, that of RAY_ADDRESS, or that of the current cluster's
    file."""
    if text and text != "auto":
        return RayAddress(text, "--ray-address")
    if address := environ.get("RAY_ADDRESS", ""):
        return RayAddress("" if address == "local" else address, "RAY_ADDRESS")
    file = address_file(environ)
    try:
        return RayAddress(file.read_text(encoding="utf-8").strip(), str(file))
    except (OSError, UnicodeDecodeError):
        return RayAddress(text, "--ray-address" if text else "")


def check_answers(address: RayAddress, patience_s: float = PATIENCE_S) -> None:
    """Raise SpecError if nothing answers at the address in time. An address without a port isn't checked."""
    address_match = _HOST_AND_PORT.fullmatch(address.address)
    if address_match is None:
        return
    try:
        socket.create_connection((address_match[1], int(address_match[2])), timeout=patience_s).close()
    except (OSError, OverflowError) as error:
        raise SpecError(
            "nothing answers at the address of the Ray cluster",
            got=f"{address.description}: {error}",
            fix=_fix(address),
        ) from None


def _fix(address: RayAddress) -> str:
    """Return what to do about a dead address."""
    begin = "start a cluster with `ray start --head`"
    if address.source == "RAY_ADDRESS":
        return f"{begin}, correct RAY_ADDRESS or unset it, or use this computer alone: --ray-address local"
    if address.source == "--ray-address":
        return f"{begin}, correct --ray-address, or use this computer alone: --ray-address local"
    ended = "the cluster has ended and left this file: delete it, or name another cluster with --ray-address HOST:PORT"
    return f"{ended}; {begin}, or use this computer alone: --ray-address local"


def has_token(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether a token of Ray is where Ray looks for it."""
    named = environ.get("RAY_AUTH_TOKEN") or environ.get("RAY_AUTH_TOKEN_PATH")
    return bool(named) or Path(environ.get("HOME") or home_folder(), ".ray", "auth_token").is_file()


def slow_connection_notice(address: RayAddress, environ: Mapping[str, str] = os.environ) -> str:
    """Return a notice for a connection that takes long: Ray tries for half a minute if a token is missing or wrong."""
    if address.address in ("", "local"):
        return "Ray is still starting on this computer"
    return f"Ray does not answer yet at {address.description}. If this lasts: {_token_fix(environ)}"


def no_connection(address: RayAddress, error: Exception, environ: Mapping[str, str] = os.environ) -> SpecError:
    """Return the error for a cluster that answers, but refuses the connection."""
    where = address.description if address.address else "a cluster on this computer"
    first_line = str(error).strip().partition("\n")[0][:300]
    return SpecError(
        "no connection to the Ray cluster",
        got=f"{where}: {type(error).__name__}: {first_line}",
        fix=_token_fix(environ),
    )


def _token_fix(environ: Mapping[str, str]) -> str:
    """Return what to do about a cluster that answers, but doesn't accept a connection."""
    used = environ.get("RAY_AUTH_MODE", "").lower() == "token"
    if not used and has_token(environ):
        notice = "this computer has a token of Ray, which Ray doesn't use for a cluster that is named"
        return f"{notice}: set RAY_AUTH_MODE=token; {TOKENS}"
    notice = "this one uses a token, which may be another one than the cluster's" if used else "this one has none"
    return (
        f"see whether the cluster and this computer have the same version of Ray and the same token ({notice}): "
        f"`ray get-auth-token` on both, and RAY_AUTH_MODE=token; {TOKENS}"
    )
