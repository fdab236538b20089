"""Simplified characters, by zhconv if the extra `zh` is installed, otherwise by OpenCC; the signature names it."""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec

from triptych.errors import SpecError
from triptych.metrics.text.bounded_cache import remembered
from triptych.metrics.text.chinese import Converter, installed_converter, to_simplified, words

NO_CONVERTER = "needs zhconv or OpenCC to turn replies to simplified characters: pip install 'triptych[zh]'"
NO_SEGMENTER = "needs jieba to find words: pip install 'triptych[zh]'"


def converter() -> Converter | None:
    """Return the converter in use; None if neither is installed."""
    try:
        return installed_converter("zhconv")
    except SpecError:
        return None


@remembered(16384)
def simplified(text: str) -> str:
    """Return the text in simplified characters. Raises SpecError if neither zhconv nor OpenCC is installed."""
    return text if text.isascii() else to_simplified(text, installed_converter("zhconv"))


@remembered(4096)
def tokens(text: str) -> tuple[str, ...]:
    """Return the text's words, by jieba. Raises SpecError if it isn't installed."""
    return tuple(words(text))


def missing_packages(kind: str) -> str:
    """Return what is missing to score Tasks of a kind; empty if nothing is. Letters need no package."""
    if kind == "choice":
        return ""
    if converter() is None:
        return NO_CONVERTER
    return NO_SEGMENTER if kind == "translation" and not find_spec("jieba") else ""


def packages_used() -> tuple[str, ...]:
    """Return the packages used, with their versions: `zhconv-1.4.3`, `jieba-0.42.1`."""
    packages = [*filter(None, [converter()]), *(["jieba"] if find_spec("jieba") else [])]
    return tuple(f"{name}-{version(name)}" for name in packages)
