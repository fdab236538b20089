"""What decoding JSON and TOML of unknown origin can raise: every reader of such a file catches all of it."""

from __future__ import annotations

import msgspec

# Broken JSON, other types than told, bytes that are no UTF-8, lists in lists without end.
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
# Broken TOML, bytes that are no UTF-8, numbers of thousands of digits, lists in lists without end.
NO_TOML = (ValueError, RecursionError)
