"""Chinese text: traditional to simplified characters, full-width to half-width, word segmentation.

Segmentation and zhconv need the optional packages of the extra `zh`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from triptych.errors import SpecError
from triptych.metrics.text.chinese_model import most_likely_path

Converter = Literal["opencc", "zhconv"]


def to_simplified(text: str, by: Converter = "opencc") -> str:
    """Return the text in simplified characters.

    Args:
        text: Any text; other characters are kept.
        by: `opencc` (its table `t2s`) or `zhconv` (`zh-cn`). They differ: zhconv also replaces words used in Taiwan and
            Hong Kong by those of mainland China.

    Raises:
        SpecError: The package is not installed.

    Example:
        >>> to_simplified("漢字")
        '汉字'
    """
    if by == "zhconv":
        return str(_import_package("zhconv").convert(text, "zh-cn"))
    return str(_opencc().convert(text))


def installed_converter(preferred: Converter = "zhconv") -> Converter:
    """Return the preferred converter if it is installed, otherwise the other one.

    The two give different results, so the signature of a score must name the converter. Raises SpecError if neither
    is installed.
    """
    other: Converter = "opencc" if preferred == "zhconv" else "zhconv"
    for name in (preferred, other):
        if find_spec(name):
            return name
    raise _missing(preferred)


def half_width(text: str) -> str:
    """Return the text with full-width digits and Latin letters replaced by ASCII; full-width punctuation is kept.

    Example:
        >>> half_width("Ａ９，")
        'A9，'
    """
    return text.translate(_HALF_WIDTH)


def words(text: str) -> list[str]:
    """Return the words of a text, segmented by jieba in its default mode.

    Joined, the words give the text again: spaces and punctuation are words, too. Raises SpecError if jieba is not
    installed.
    """
    return [str(word) for word in _jieba().lcut(text)]


def word_characters(text: str) -> str:
    r"""Return only the `\w` characters of a text: letters of any script, digits and underscores.

    Example:
        >>> word_characters("你好, world!")
        '你好world'
    """
    return re.sub(r"\W", "", text)


_WIDE = [*range(ord("０"), ord("９") + 1), *range(ord("Ａ"), ord("Ｚ") + 1), *range(ord("ａ"), ord("ｚ") + 1)]
_HALF_WIDTH = {code: code - ord("０") + ord("0") for code in _WIDE}


@lru_cache(maxsize=1)
def _opencc() -> Any:
    return _import_package("opencc").OpenCC("t2s")


@lru_cache(maxsize=1)
def _jieba() -> Any:
    jieba = _import_package("jieba")
    jieba.setLogLevel("WARNING")  # it reports loading its dictionary on standard error
    # Gives the same words as jieba's own search, which is quadratic: a reply that repeats itself would take minutes.
    import_module("jieba.finalseg").viterbi = most_likely_path  # type: ignore[attr-defined]
    return jieba


def _import_package(package: str) -> Any:
    if not find_spec(package):
        raise _missing(package)
    return import_module(package)


def _missing(package: str) -> SpecError:
    return SpecError(
        f"scoring Chinese text requires {package}, which is not installed", fix="pip install 'triptych[zh]'"
    )
