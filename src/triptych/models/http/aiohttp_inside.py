"""All that Triptych uses of aiohttp beyond its public interface, and the check that it is there.

The classes that watch connections (`in_step`, `in_step_session`) and write small bodies (`posting`) build on parts that
a later aiohttp may rename. `missing` looks for each of them; where one is missing, adapters use the public interface
alone, and each connection once, so that no answer can belong to another Request.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import aiohttp

if TYPE_CHECKING:
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.connector import Connection
    from aiohttp.http import HttpProcessingError
else:
    try:
        from aiohttp.client_proto import ResponseHandler
        from aiohttp.connector import Connection
        from aiohttp.http import HttpProcessingError
    except ImportError:  # they have moved: `missing` says so, and nothing of this is used
        ResponseHandler = Connection = object
        HttpProcessingError = ValueError

__all__ = ["Connection", "HttpProcessingError", "ResponseHandler", "connector_parts", "missing"]

METHODS: tuple[tuple[Any, str], ...] = (
    *(
        (ResponseHandler, name)
        for name in (
            "set_response_params",
            "feed_data",
            "data_received",
            "connection_lost",
            "force_close",
            "is_connected",
            "read",
            "close",
        )
    ),
    *((Connection, name) for name in ("protocol", "close", "release")),
    (aiohttp.TCPConnector, "connect"),
    (aiohttp.ClientResponse, "start"),
    (aiohttp.ClientResponse, "_body"),
)
PARAMETERS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (aiohttp.ClientRequest, ("method", "url", "headers", "skip_auto_headers", "loop", "session")),
    (aiohttp.BaseConnector.connect, ("req", "traces", "timeout")),
)
ATTRIBUTES = ("_loop", "_factory")  # of a connector


def missing() -> list[str]:
    """Return the parts of this aiohttp that are not where Triptych looks for them."""
    name_list = [f"{owner.__name__}.{name}" for owner, name in METHODS if not hasattr(owner, name)]
    for owner, names in PARAMETERS:
        taken = inspect.signature(owner).parameters
        name_list += [f"{owner.__qualname__}({name})" for name in names if name not in taken]
    return name_list


def connector_parts(connector: aiohttp.BaseConnector) -> bool:
    """Return whether a connector has the attributes that `in_step_session` uses."""
    return all(hasattr(connector, name) for name in ATTRIBUTES)
