"""Why a server could not be asked, in words: for the doctor, push and pull, and single sign-on."""

from __future__ import annotations

import errno
import socket
import ssl
from dataclasses import dataclass
from http.client import BadStatusLine, HTTPException, IncompleteRead, RemoteDisconnected
from urllib.error import URLError

FAILURES = (OSError, HTTPException, UnicodeError)  # of a request; names with empty labels are a UnicodeError
_EXPIRED, _NOT_YET, _OTHER_NAME, _OTHER_ADDRESS = 10, 9, 62, 64  # codes of OpenSSL's verification
_UNKNOWN_ISSUER = (18, 19, 20, 21)


@dataclass(frozen=True)
class Failure:
    """Why a request failed, as a sentence, and what to do."""

    why: str
    fix: str


def failure_of(error: BaseException, host: str, port: int | None = None) -> Failure:
    """Return why a request to a host failed.

    >>> failure_of(ConnectionRefusedError(111, "Connection refused"), "poems.example.org", 443).why
    'nothing accepts connections at poems.example.org, port 443'
    """
    if isinstance(error, URLError) and isinstance(error.reason, BaseException):
        return failure_of(error.reason, host, port)
    where = f"{host}, port {port}" if port else host
    if isinstance(error, socket.gaierror | UnicodeError):
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
            return Failure(f"the name {host} could not be looked up now", "check the network of this computer")
        return Failure(f"the name {host} has no address", "check its spelling, and its record in the DNS")
    if isinstance(error, ssl.SSLCertVerificationError):
        return _certificate(error, host)
    if isinstance(error, ssl.SSLError):
        fix = "check the port; an address that begins with http:// is asked without encryption"
        return Failure(f"{where} doesn't answer by HTTPS", fix)
    if isinstance(error, TimeoutError):
        return Failure(f"{where} doesn't answer in time", "check the firewall, and that proxy and portal run")
    if isinstance(error, ConnectionRefusedError):
        return Failure(f"nothing accepts connections at {where}", "check the port, and that proxy and portal run")
    if isinstance(error, ConnectionError | RemoteDisconnected | IncompleteRead):
        return Failure(f"{where} closed the connection before its answer was complete", "look into the proxy's log")
    if isinstance(error, BadStatusLine):
        return Failure(f"the answer of {where} is not HTTP", "check the port; HTTPS needs an https:// address")
    if isinstance(error, OSError) and error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
        return Failure(f"{where} can't be reached from this computer", "check the network and the firewall")
    words = (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
    return Failure(
        f"{where} could not be asked: {words}", "check the name, the firewall, and that proxy and portal run"
    )


def _certificate(error: ssl.SSLCertVerificationError, host: str) -> Failure:
    code = error.verify_code
    if code == _EXPIRED:
        return Failure(f"the certificate of {host} has expired", "renew it")
    if code == _NOT_YET:
        return Failure(f"the certificate of {host} is not valid yet", "check the clock of this computer")
    if code in (_OTHER_NAME, _OTHER_ADDRESS):
        return Failure(f"the certificate is not for the name {host}", "get a certificate for this name")
    if code in _UNKNOWN_ISSUER:
        fix = "serve the whole chain (fullchain.pem), or name your own authority in SSL_CERT_FILE"
        return Failure(f"the certificate of {host} is from an authority that this computer doesn't know", fix)
    return Failure(f"the certificate of {host} is not valid: {error.verify_message}", "replace it")
