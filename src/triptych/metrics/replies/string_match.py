r"""The string match of MMAU: a reply has all words of the answer and none that only wrong options have."""

from __future__ import annotations

import re
from collections.abc import Iterable

from triptych.metrics.text.bounded_cache import remembered

_WORD = re.compile(r"\b\w+\b")


def words(text: str) -> frozenset[str]:
    r"""Return the set of runs of `\w` in a text, in lower case; in Chinese, a word is the text between punctuation.

    Example:
        >>> sorted(words("A dog, a Cat"))
        ['a', 'cat', 'dog']
    """
    return frozenset(_WORD.findall(text.lower()))


def string_match(answer: str, reply: str, options: Iterable[str]) -> bool:
    """Return whether a reply has every word of the answer and no word that only wrong options have.

    Words are compared as sets, so order and repetition don't matter.

    Args:
        answer: Text of the correct option. If it has no words, only the second condition applies.
        reply: The model's reply. If it has no words, the result is False.
        options: Texts of all options.

    References:
        MMAU (Sakshi et al., 2024), the released evaluation.

    Example:
        >>> string_match("a dog", "It is a dog.", ["a dog", "a cat"])
        True
        >>> string_match("a dog", "a dog or a cat", ["a dog", "a cat"])
        False
    """
    return _match(answer, reply, tuple(options))


@remembered(16_384)  # protocols that share this rule score the same Units in turn
def _match(answer: str, reply: str, options: tuple[str, ...]) -> bool:
    reply_words, right = words(reply), words(answer)
    if not reply_words or not right <= reply_words:
        return False
    wrong = words("\n".join(options)) - right  # no word spans a line end, so this is the union
    return not reply_words & wrong
