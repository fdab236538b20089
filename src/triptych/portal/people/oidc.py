"""OpenID Connect: the code flow with PKCE, state and nonce, and the checks of the token that comes back."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import json
import os
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from triptych.errors import DataError, SpecError
from triptych.portal.connecting import FAILURES, failure_of
from triptych.portal.project import Oidc

SECRET = "TRIPTYCH_PORTAL_OIDC_SECRET"
# Signatures with the issuer's private key. Not `none`, and not HS256, with which a client could sign.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
MAX_ANSWER_BYTES = 1 << 20  # bytes of an answer
TIMEOUT_S = 15
LEEWAY_S = 30  # between the clocks
_DISCOVERY = "/.well-known/openid-configuration"


class Begun(msgspec.Struct, frozen=True):
    """A sign-in that has begun, kept in a signed cookie of the browser until it comes back."""

    state: str
    nonce: str
    verifier: str


class Refused(DataError):
    """A sign-in that is not valid."""


def begin() -> Begun:
    """Return a new sign-in; all its values are drawn at random."""
    return Begun(secrets.token_urlsafe(32), secrets.token_urlsafe(32), secrets.token_urlsafe(48))


def address_of(settings: Oidc, begun: Begun, back: str) -> str:
    """Return the issuer's page on which the person signs in. `back`: where the browser returns to."""
    discovered = _discovered(settings)
    digest = hashlib.sha256(begun.verifier.encode()).digest()
    parameters = {
        "response_type": "code",
        "client_id": settings.client_id,
        "redirect_uri": back,
        "scope": "openid email",
        "state": begun.state,
        "nonce": begun.nonce,
        "code_challenge_method": "S256",
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
    }
    where = _endpoint(discovered, "authorization_endpoint")
    return f"{where}{'&' if '?' in where else '?'}{urlencode(parameters)}"


def finish(settings: Oidc, begun: Begun, back: str, state: str, code: str) -> dict[str, Any]:
    """Return the claims of the person who signed in.

    Raises Refused if the state is another one, the issuer gives no token, or the token is not a valid one for this
    portal and this sign-in.
    """
    if not code or not hmac.compare_digest(state.encode("utf-8", "replace"), begun.state.encode()):
        raise Refused("the sign-in was not begun here")
    discovered = _discovered(settings)
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "client_id": settings.client_id,
        "code_verifier": begun.verifier,
    }
    if secret := os.environ.get(SECRET, ""):
        form["client_secret"] = secret
    answer = _fetched_json(_endpoint(discovered, "token_endpoint"), urlencode(form).encode())
    token = answer.get("id_token")
    if not isinstance(token, str):
        raise Refused("the issuer gave no identity token")
    return claims_of(token, _fetched_json(_endpoint(discovered, "jwks_uri")), settings, begun.nonce)


def claims_of(token: str, keys: Mapping[str, Any], settings: Oidc, nonce: str) -> dict[str, Any]:
    """Return the claims of an identity token after all checks: signature, algorithm, issuer, audience, time, nonce.

    Raises Refused.
    """
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    try:
        claims: dict[str, Any] = dict(jwt.decode(token, KeySet.import_key_set(dict(keys)), ALGORITHMS).claims)  # type: ignore[arg-type]
        wanted = jwt.JWTClaimsRegistry(
            leeway=LEEWAY_S,
            iss={"essential": True, "value": settings.issuer},
            sub={"essential": True},
            aud={"essential": True, "value": settings.client_id},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        wanted.validate(claims)
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise Refused("the identity token is not valid", got=str(error)[:200]) from None
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if claims.get("azp", settings.client_id) != settings.client_id or (several and "azp" not in claims):
        raise Refused("the identity token is for another application", got=claims.get("azp"))
    if not isinstance(claims["sub"], str):
        raise Refused("the identity token has no subject", expected="a `sub` claim that is a text")
    return claims


def role_of(settings: Oidc, claims: Mapping[str, Any]) -> str:
    """Return the role of somebody who signs in for the first time; empty if they may not enter.

    Those who are named (by subject, or by an address that the issuer has verified) have the role given there; others
    have the common role if their verified address is of an allowed domain. A name with an `@` is an address, never a
    subject: some issuers let people choose what their subject is.
    """
    email = str(claims.get("email", "")).lower() if claims.get("email_verified") is True else ""
    people = {name.lower(): role for name, role in settings.people.items() if "@" in name}
    subject = "" if "@" in claims["sub"] else settings.people.get(claims["sub"], "")
    if named := subject or (people.get(email, "") if email else ""):
        return named
    name, _, domain = email.rpartition("@")
    return settings.role if name and domain in {each.lower() for each in settings.domains} else ""


def _discovered(settings: Oidc) -> dict[str, Any]:
    discovered = _fetched_json(settings.issuer.rstrip("/") + _DISCOVERY)
    if discovered.get("issuer") != settings.issuer:
        raise Refused("the issuer calls itself by another name", expected=settings.issuer, got=discovered.get("issuer"))
    return discovered


def _endpoint(discovered: Mapping[str, Any], name: str) -> str:
    where = str(discovered.get(name, ""))
    check_address(where)
    return where


def check_address(url: str) -> None:
    """Raise SpecError unless an address begins with https://, or is on this computer."""
    parts = urlsplit(url)
    try:
        is_loopback = ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        is_loopback = parts.hostname == "localhost"
    if not parts.hostname or (parts.scheme != "https" and not (parts.scheme == "http" and is_loopback)):
        raise SpecError("an address of the issuer must begin with https://", got=url[:200])


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any) -> None:
        """Follow nothing: code and secret go to the address that the issuer names."""


def _fetched_json(url: str, body: bytes | None = None) -> dict[str, Any]:
    check_address(url)
    request = Request(url, body, {"Accept": "application/json"})
    try:
        with build_opener(_NoRedirect).open(request, timeout=TIMEOUT_S) as answer:
            data = answer.read(MAX_ANSWER_BYTES)
    except FAILURES as error:
        why = failure_of(error, urlsplit(url).hostname or "").why
        raise Refused(f"the issuer can't be asked: {why}", where=url) from None
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise Refused("the issuer's answer is not JSON", where=url) from None
    if not isinstance(document, dict):
        raise Refused("the issuer's answer can't be used", where=url)
    return document
