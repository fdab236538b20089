"""An issuer of OpenID Connect on this computer: discovery, keys, and tokens with any fault that a test wants."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


class Issuer:
    """An issuer. `claims`: changes to the next token's (None: left out); `sign`: how it is signed.

    `authorize` does what a person at the issuer's page would do, and returns code and state.
    """

    def __init__(self) -> None:
        from joserfc.jwk import RSAKey

        self.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self.other = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self.url, self.claims, self.sign = "", {}, "RS256"
        self.name: str | None = None  # the name in the discovery document, if it is another one
        self.asked: dict[str, str] = {}
        self.told: dict[str, str] = {}

    def authorize(self, address: str) -> dict[str, str]:
        """The person signs in."""
        self.asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        return {"code": "the-code", "state": self.asked["state"]}

    def document(self) -> dict[str, str]:
        """What discovery tells."""
        paths = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
        return {"issuer": self.name or self.url} | {name: self.url + path for name, path in paths.items()}

    def token(self, form: dict[str, str]) -> dict[str, Any]:
        """The answer of the token endpoint: PKCE is checked as a real one does."""
        self.told = form
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != self.asked["code_challenge"]:
            return {"error": "invalid_grant"}
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": self.asked["client_id"],
            "sub": "anna",
            "iat": now,
            "exp": now + 300,
            "nonce": self.asked["nonce"],
            "email": "anna@example.org",
            "email_verified": True,
        }
        claims = {name: value for name, value in {**claims, **self.claims}.items() if value is not None}
        return {"id_token": self.signed(claims)}

    def signed(self, claims: dict[str, Any]) -> str:
        """A token, signed well or badly."""
        from joserfc import jwt
        from joserfc.jwk import OctKey

        if self.sign == "none":
            parts = [{"alg": "none"}, claims]
            return ".".join(base64.urlsafe_b64encode(json.dumps(p).encode()).rstrip(b"=").decode() for p in parts) + "."
        if self.sign == "HS256":  # with the public key as the secret: a well-known attack
            secret = OctKey.import_key(self.key.as_pem(private=False))
            return jwt.encode({"alg": "HS256", "kid": "one"}, claims, secret)
        key = self.other if self.sign == "other" else self.key
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)


@contextmanager
def issuing() -> Iterator[Issuer]:
    """An issuer that answers until the block ends."""
    issuer = Issuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            keys = {"keys": [issuer.key.as_dict(private=False)]}
            self._say(keys if self.path == "/keys" else issuer.document())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            self._say(issuer.token({name: values[0] for name, values in parse_qs(body).items()}))

        def _say(self, document: Any) -> None:
            data = json.dumps(document).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *given: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
