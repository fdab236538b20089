"""The response cache that Runs share: answers to deterministic Requests, by the Request's key."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec

from triptych.errors import DataError
from triptych.records import Response
from triptych.records.unreadable import UNREADABLE

# Failures and refusals are not cached: another attempt may succeed, and a filter may change.
CACHED_STATUSES = frozenset({"answered", "truncated"})


class ResponseCache:
    """An SQLite file of answers, which several processes can share.

    `adapter`: the endpoint of the answers, if a Request's key doesn't identify the model behind its name; only answers
    from that endpoint are returned.
    """

    def __init__(self, path: Path, adapter: str = "") -> None:
        self.path: Path = path
        self._key_suffix = adapter and f"@{adapter}"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=OFF")  # an answer lost in a crash is simply asked for again
            self._base.execute("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, response BLOB) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            fix = "choose another file, or delete this one"
            raise DataError("the response cache can't be opened", where=path, got=str(error), fix=fix) from None

    def get(self, key: str) -> Response | None:
        """Return the stored Response for a key; None if there is none, or if it can't be read."""
        try:
            row = self._base.execute("SELECT response FROM answers WHERE key = ?", (key + self._key_suffix,)).fetchone()
            return msgspec.json.decode(row[0], type=Response) if row else None
        except (sqlite3.Error, *UNREADABLE):
            return None

    def put(self, response: Response) -> None:
        """Store a Response under its key, unless it failed, was refused, or came from the cache."""
        if response.status not in CACHED_STATUSES or response.cached or not response.key:
            return
        line = msgspec.json.encode(response)
        try:
            self._base.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (response.key + self._key_suffix, line))
        except sqlite3.Error as error:
            fix = "resume with another --cache, or without one"
            raise DataError("the response cache can't be written", where=self.path, got=str(error), fix=fix) from None

    def close(self) -> None:
        """Close the file."""
        self._base.close()
