"""Files that a page sends: they go to disk while they come."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.portal.site.page import Upload

if TYPE_CHECKING:
    from starlette.requests import Request

MAX_REST_BYTES = 32 << 20  # of a refused body; more than what people send, and than a chunk of `push --url`


async def read_file(request: Request, path: Path, max_bytes: int) -> Upload:
    """Write a body to a file. Raises HTTPException 413 if it is longer than `max_bytes` bytes, 400 if it ends too
    early."""
    from starlette.concurrency import run_in_threadpool
    from starlette.exceptions import HTTPException
    from starlette.requests import ClientDisconnect

    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > max_bytes:
        raise HTTPException(413)
    hasher, size = hashlib.sha256(), 0
    with path.open("wb") as file:
        try:
            async for chunk in request.stream():
                size += len(chunk)
                if size > max_bytes:
                    raise HTTPException(413)
                hasher.update(chunk)
                await run_in_threadpool(file.write, chunk)
        except ClientDisconnect:
            raise HTTPException(400) from None
    return Upload(path, hasher.hexdigest(), size)


async def read_rest(request: Request) -> None:
    """Read what is left of a body that was refused, up to `MAX_REST_BYTES`, and forget it.

    A connection that ends with unread bytes is reset, and the answer may be lost: a proxy then answers 502 instead.
    """
    from starlette.requests import ClientDisconnect

    left = MAX_REST_BYTES
    try:
        async for chunk in request.stream():
            left -= len(chunk)
            if left < 0:
                return
    except (ClientDisconnect, RuntimeError):  # nobody waits for the answer; the body was read to its end
        return
