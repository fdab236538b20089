"""Whether somebody's native language, in their own words, is that of a task."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

_NAMED_IN = ("en", "zh", "de", "it", "fr", "es", "ja", "ko", "ru", "pt")


def speaks(native: str, body: Mapping[str, Any]) -> bool:
    """Return whether a native language, as a person stated it, is the language that a task shows (`language` or
    `language_name`); True for a task without one.

    >>> german = {"shows": {"language_name": "German"}}
    >>> speaks("deutsch", german), speaks("中文", german)
    (True, False)
    >>> speaks("Chinese", {"shows": {"language_name": "Mandarin Chinese (simplified)"}})
    True
    """
    shows = body.get("shows") or {}
    wanted = str(shows.get("language") or shows.get("language_name") or "")
    return not wanted or bool(code_of(native) and code_of(native) == code_of(wanted))


@cache
def code_of(name: str) -> str:
    """Return the code of a language by its code or its name, in any of ten languages or its own; empty if unknown.

    >>> code_of("Italiano"), code_of("zh-CN"), code_of("普通话"), code_of("Klingonisch?")
    ('it', 'zh', 'zh', '')
    """
    plain = name.strip().casefold()
    names = _names()
    if plain in names:
        return names[plain]
    words = plain.replace("(", " ").replace("-", " ").replace("_", " ").split()
    return next((names[word.strip("),.;")] for word in words if word.strip("),.;") in names), "")


@cache
def _names() -> Mapping[str, str]:
    from babel import Locale

    found: dict[str, str] = {}
    for spoken in _NAMED_IN:
        for code, name in Locale(spoken).languages.items():
            if "_" not in code:
                found.setdefault(str(name).casefold(), str(code))
    found |= {code: code for code in found.values()}
    return found | {"mandarin": "zh", "普通话": "zh", "汉语": "zh", "国语": "zh", "putonghua": "zh"}
