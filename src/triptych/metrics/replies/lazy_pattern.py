"""Regular expressions that are compiled when they are first used.

The patterns that read a reply take 60 ms to compile, and a reply that is a letter needs few of them.
"""

from __future__ import annotations

import re
from typing import Any, cast


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what behaves like `re.compile(source, flags)`; an invalid pattern raises `re.error` when it is used.

    Example:
        >>> lazy_pattern("[ab]+").sub("-", "cabs")
        'c-s'
    """
    return cast("re.Pattern[str]", _LazyPattern(source, flags))


class _LazyPattern:
    """Its methods and attributes are those of the compiled pattern, and are set at their first use."""

    def __init__(self, source: str, flags: int) -> None:
        self._arguments = source, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._arguments), name)
        setattr(self, name, value)
        return value

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies are compiled patterns."""
        return re.compile, self._arguments
