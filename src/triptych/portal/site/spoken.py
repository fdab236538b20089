"""Whether somebody's native language, in their own words, is that of a task."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

_NAMED_IN = ("en", "zh", "de", "it", "fr", "es", "ja", "ko", "ru", "pt")
_LISTED = re.compile(r"[,;/+&、，；和与及]")
_WORDS = re.compile(r"[\s()（）_-]+")


def speaks(native: str, body: Mapping[str, Any]) -> bool:
    """Return whether a native language, as a person stated it, is the language that a task shows (`language` or
    `language_name`); True for a task without one.

    >>> german = {"shows": {"language_name": "German"}}
    >>> speaks("deutsch", german), speaks("中文", german)
    (True, False)
    >>> speaks("Chinese", {"shows": {"language_name": "Mandarin Chinese (simplified)"}})
    True
    >>> speaks("English and German", german), speaks("中文和德语", german)
    (True, True)
    """
    shows = body.get("shows") or {}
    wanted = str(shows.get("language") or shows.get("language_name") or "")
    return not wanted or not codes_of(native).isdisjoint(codes_of(wanted))


@cache
def codes_of(name: str) -> frozenset[str]:
    """Return the codes of languages by their codes or their names, in any of ten languages or their own; none if they
    are unknown.

    >>> sorted(codes_of("Italiano")), sorted(codes_of("zh-CN")), sorted(codes_of("普通话")), codes_of("Klingonisch?")
    (['it'], ['zh'], ['zh'], frozenset())
    >>> sorted(codes_of("Français et anglais")), sorted(codes_of("es-AR / de"))
    (['en', 'fr'], ['de', 'es'])
    """
    plain = name.strip().casefold()
    names = _names()
    if plain in names:
        return frozenset({names[plain]})
    codes: set[str] = set()
    for part in map(str.strip, _LISTED.split(plain)):
        words = [part] if part in names else [word.strip(".") for word in _WORDS.split(part)]
        spoken = [word for word in words if word in names]
        # short ones may be codes of a country or other words: es-AR, Français et anglais
        codes |= {names[word] for word in [w for w in spoken if not _is_code(w)] or spoken[:1]}
    return frozenset(codes)


def _is_code(word: str) -> bool:
    return word.isascii() and len(word) <= 3


@cache
def _names() -> Mapping[str, str]:
    from babel import Locale

    names: dict[str, str] = {}
    for spoken in _NAMED_IN:
        for code, name in Locale(spoken).languages.items():
            if "_" not in code:
                names.setdefault(str(name).casefold(), str(code))
    names |= {code: code for code in names.values()}
    return names | {"mandarin": "zh", "普通话": "zh", "汉语": "zh", "国语": "zh", "putonghua": "zh"}
