"""Extracting a choice from a reply: a letter, the text of one option, or of several.

Nothing is guessed: for a reply that names no option, or two if one is expected, the result is None and the Score is
`unparsed`. How a reply is read: `triptych.metrics.replies`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from triptych.metrics.replies.conclusion import all_concluded, concluded
from triptych.metrics.replies.markup import plain
from triptych.metrics.replies.options import marked, tokens
from triptych.metrics.replies.patterns import MENTIONED, THOUGHT
from triptych.metrics.replies.signs import signs
from triptych.metrics.replies.structured import json_answer
from triptych.metrics.reply_signs import declines
from triptych.metrics.thinking import split_thinking

LETTERS = ("A", "B", "C", "D")
MAX_ANSWER_LENGTH = (
    20_000  # characters at the end of an answer that are read; only a model that runs into a loop writes more
)
_SHORT = 100  # characters: such replies come again and again, and what is read in them is remembered
_BLANKS = re.compile(r"\s{41,}")
_THOUGHT = re.compile(r"\s*thought\n")  # how some models begin to think, without a mark where it ends


def read_letter(reply: str, labels: Sequence[str] = LETTERS, texts: Sequence[str | None] = ()) -> str | None:
    r"""Return the letter that a reply chooses, in upper case.

    The reply's conclusion counts: what is marked as the answer (a box, a tag, "Final answer: B"), otherwise its last
    decisive statement ("The answer is B", "选B", "Bが正解です"), otherwise a letter on its own. Reasoning is left out.
    A correction ("No, C.") replaces what was said before it. Denials, questions, conditions and what others say choose
    nothing. The article in "A dog" is not a letter, "ABCD" names no letter, and "A or B" names two.

    Args:
        reply: The model's reply.
        labels: The letters of the options.
        texts: The options' texts in the same order, None for media. With them, a reply that names an option by its
            words is read, too.

    Returns:
        One of `labels`; None if the reply chooses no letter, several, or contradicts itself.

    Example:
        >>> read_letter("The answer is (b)."), read_letter("A or B"), read_letter("A dog barks")
        ('B', None, None)
        >>> read_letter("The answer is A. No, C."), read_letter("It is a dog.", "AB", ["a cat", "a dog"])
        ('C', 'B')
    """
    read = _read_letter if len(reply) <= _SHORT else _read_letter.__wrapped__
    return read(reply, tuple(labels), tuple(texts))


@lru_cache(maxsize=4096)
def _read_letter(reply: str, labels: tuple[str, ...], texts: tuple[str | None, ...]) -> str | None:
    upper = [label.upper() for label in labels]
    own = [one if one and not _doubled(one, texts) else "" for one in texts]
    said = _answer_of(reply)
    read = signs(marked(plain(said, upper, own), own), upper)
    found = concluded(read, len(labels), least=_least(said))
    return None if found is None else upper[found]


def read_option(reply: str, options: Sequence[str]) -> int | None:
    """Return the index of the only option that the reply chooses by its text.

    Case, character width, whitespace and punctuation are ignored. An option that is part of a longer option counts only
    if it appears outside of it. Which of several is meant is read as in `read_letter`.

    Args:
        reply: The model's reply; reasoning is left out.
        options: Texts of the options.

    Returns:
        An index into `options`; None if the reply chooses no option or several, only denies or asks, or if another
        option has the same text.

    Example:
        >>> read_option("It is a black dog.", ["a dog", "a black dog"])
        1
        >>> read_option("A dog and a cat.", ["a dog", "a cat"]) is None
        True
    """
    said = _answer_of(reply)
    found = concluded(signs(marked(plain(said), options), ()), 0, least=_least(said))
    return None if found is None or _doubled(options[found], options) else found


def read_options(reply: str, options: Sequence[str]) -> tuple[int, ...] | None:
    """Return the indices of all options that the reply chooses by their texts, in ascending order.

    Texts are compared as in `read_option`. An option that is denied isn't chosen.

    Returns:
        Indices into `options`; None if the reply chooses none, chooses and denies the same one, or if one that it
        chooses has the same text as another.

    Example:
        >>> read_options("A cat; a dog", ["a dog", "a bird", "a cat"])
        (0, 2)
        >>> read_options("A cat (correct); a dog (wrong)", ["a dog", "a bird", "a cat"])
        (2,)
    """
    found = all_concluded(signs(marked(plain(_answer_of(reply)), options), ()))
    return None if found is None or any(_doubled(options[n], options) for n in found) else found


def after_thinking(reply: str) -> str:
    """Return a reply without the model's reasoning; an empty text if the reasoning never ends.

    Example:
        >>> after_thinking("<think>A or B?</think> B")
        'B'
    """
    return split_thinking(reply)[0]


def _answer_of(reply: str) -> str:
    """Return the part of a reply that is read: the answer in JSON, or the end of what was said after the reasoning."""
    said = after_thinking(reply)
    if (stated := json_answer(said)) is not None:
        return stated[-MAX_ANSWER_LENGTH:]
    if begun := _THOUGHT.match(said):
        said = said[begun.end() :].strip().rpartition("\n\n")[2]
    return _BLANKS.sub(_shortened, said)[-MAX_ANSWER_LENGTH:]


def _shortened(blanks: re.Match[str]) -> str:
    return "\n\n" if "\n" in blanks[0] else " "


def _least(said: str) -> int:
    """Return how firmly an option must be chosen: more than mentioned if the reply declines to answer."""
    return THOUGHT if declines(said) else MENTIONED


def _doubled(option: str, options: Sequence[str | None]) -> bool:
    """Return whether another option has the same words, so that nobody can say which one is meant."""
    return sum(tokens(option) == tokens(other or "") for other in options) > 1
