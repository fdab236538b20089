"""Chinese text: traditional to simplified, full-width to half-width, words. Needs the extra `zh` where it says so."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from triptych.errors import SpecError
from triptych.metrics.chinese_model import most_likely_path

Converter = Literal["opencc", "zhconv"]


def to_simplified(text: str, by: Converter = "opencc") -> str:
    """The text in simplified characters, by OpenCC's `t2s` or zhconv's `zh-cn` (which differ: zhconv also turns
    Taiwan's and Hong Kong's words into the mainland's). Raises SpecError where that package is missing.
    """
    if by == "zhconv":
        return str(_needed("zhconv").convert(text, "zh-cn"))
    return str(_opencc().convert(text))


def installed_converter(preferred: Converter = "zhconv") -> Converter:
    """The preferred converter where it is installed, else the other one; a score's signature must say which.

    Raises SpecError where neither is.
    """
    other: Converter = "opencc" if preferred == "zhconv" else "zhconv"
    for name in (preferred, other):
        if find_spec(name):
            return name
    raise _missing(preferred)


def half_width(text: str) -> str:
    """The text with full-width digits and Latin letters (Ａ, ９) as ASCII; full-width punctuation stays."""
    return text.translate(_HALF_WIDTH)


def words(text: str) -> list[str]:
    """The text's words, by jieba in its default mode: nothing is lost, blanks and marks are words too.

    Raises SpecError where jieba is missing.
    """
    return [str(word) for word in _jieba().lcut(text)]


def word_characters(text: str) -> str:
    r"""The text's `\w` characters alone: letters of any script, digits, underscores."""
    return re.sub(r"\W", "", text)


_WIDE = [*range(ord("０"), ord("９") + 1), *range(ord("Ａ"), ord("Ｚ") + 1), *range(ord("ａ"), ord("ｚ") + 1)]
_HALF_WIDTH = {code: code - ord("０") + ord("0") for code in _WIDE}


@lru_cache(maxsize=1)
def _opencc() -> Any:
    return _needed("opencc").OpenCC("t2s")


@lru_cache(maxsize=1)
def _jieba() -> Any:
    jieba = _needed("jieba")
    jieba.setLogLevel("WARNING")  # it tells of its dictionary on standard error
    # The same words, without jieba's quadratic search: a reply in a loop would take minutes.
    import_module("jieba.finalseg").viterbi = most_likely_path  # type: ignore[attr-defined]
    return jieba


def _needed(package: str) -> Any:
    if not find_spec(package):
        raise _missing(package)
    return import_module(package)


def _missing(package: str) -> SpecError:
    return SpecError(f"scoring this Chinese text needs {package}, which is missing", fix="pip install 'triptych[zh]'")
