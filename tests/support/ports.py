"""Ports for servers that are given a number, because they start later or come back on the same one.

A port that the system gives out (port 0) may be taken by any other connection as soon as it is closed. These lie below
those that the system gives out, and the two processes of the tests look in different ranges.
"""

from __future__ import annotations

import os
import random
import socket

LOWEST, RANGE = 20_000, 1_000  # Linux gives out 32,768 and more


def free_port() -> int:
    """A port of this computer on which nobody listens, and which the system gives to nobody."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    first = LOWEST + RANGE * (worker % 12)
    while True:
        port = first + random.SystemRandom().randrange(RANGE)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
