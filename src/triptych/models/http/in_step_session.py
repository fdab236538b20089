"""aiohttp's connections and answers, watched by `models/http/in_step.py`."""

from __future__ import annotations

from functools import partial
from typing import Any

import aiohttp

from triptych.models.http.aiohttp_inside import Connection, connector_parts, missing
from triptych.models.http.bounded import read_whole
from triptych.models.http.in_step import ASKING, InStep, WatchedConnection


def session_parts(steps: InStep, **options: Any) -> dict[str, Any]:
    """Return the connector and the class of answers of a session, as arguments of it; `options` goes to the connector.

    With an aiohttp whose inside is another one, connections are used once, and not watched.
    """
    if not missing() and connector_parts(connector := Connector(steps, **options)):
        return {"connector": connector, "response_class": Answer}
    options.pop("keepalive_timeout", None)  # refused with force_close
    return {"connector": aiohttp.TCPConnector(force_close=True, **options)}


class Connector(aiohttp.TCPConnector):
    """Provides connections that are in step."""

    def __init__(self, steps: InStep, **options: Any) -> None:
        super().__init__(**options)
        self._steps = steps
        if connector_parts(self):
            self._factory = partial(WatchedConnection, loop=self._loop, steps=steps)  # type: ignore[assignment]

    async def connect(self, *options: Any, **named: Any) -> Connection:
        """Return a connection from the pool, or a new one."""
        while True:
            connection = await super().connect(*options, **named)
            line = connection.protocol
            if not isinstance(line, WatchedConnection):
                return connection
            if line.unasked:
                connection.close()
                if not line.requested:
                    raise aiohttp.ServerDisconnectedError("the server sent data before a Request")
            elif not line.requested or self._steps.is_usable(line):
                return connection
            else:
                self._steps.set_aside(connection, line)


class Answer(aiohttp.ClientResponse):
    """An answer that knows its connection."""

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        """Wait for its header."""
        asking = ASKING.get()
        if asking is not None and isinstance(connection.protocol, WatchedConnection):
            asking.line = connection.protocol
        return await super().start(connection)

    async def read(self) -> bytes:
        """Return the whole body. Raises ProviderError if it is larger than any answer."""
        if self._body is None:
            self._body = await read_whole(self.content)
        return self._body
