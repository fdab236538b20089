"""Short hashes that identify settings and texts in signatures."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec


def short_hash(value: Any) -> str:
    """Return eight hex digits that identify a value, independent of the order of its keys."""
    encoded = msgspec.json.encode(value, order="deterministic", enc_hook=str)
    return hashlib.sha256(encoded).hexdigest()[:8]
