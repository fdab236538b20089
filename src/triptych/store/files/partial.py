"""Downloading a file over HTTPS, resuming an earlier transfer."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from pathlib import Path

BLOCK = 1 << 20


def fetch_rest(
    url: str,
    to: Path,
    size: int,
    *,
    timeout_s: float,
    token: str = "",
    report: Callable[[int], None] = lambda percent: None,
) -> None:
    """Append the missing part of a file of `size` bytes to `to`; if the server ignores the range, start again.

    At most `size` bytes are written. `token` is sent to the host of `url` only, not to redirect targets. `report` is
    called at each tenth. Raises OSError or http.client.HTTPException if the transfer fails; received data are kept.
    """
    have = size_of(to)
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    if token:
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=timeout_s) as reply:
        resumed = reply.status == 206
        with to.open("ab" if resumed else "wb") as stream:
            done, next_notice = (have if resumed else 0), 0
            while done < size and (block := reply.read(min(BLOCK, size - done))):
                stream.write(block)
                done += len(block)
                if (tenth := done * 10 // size) > next_notice:
                    next_notice = tenth
                    report(tenth * 10)


def size_of(path: Path) -> int:
    """Return the size of a file, 0 if it doesn't exist."""
    return path.stat().st_size if path.is_file() else 0
