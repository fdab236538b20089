"""Extracting a choice from a reply: a letter, the text of one option, or of several.

Nothing is guessed: for a reply that names no option, or two if one is expected, the result is None and the Score is
`unparsed`. How a reply is read: `triptych.metrics.replies`.
"""

from __future__ import annotations

from collections.abc import Sequence

from triptych.metrics.replies.thinking import split_thinking

LETTERS = ("A", "B", "C", "D")


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
    from triptych.metrics.replies.reading import letter

    return letter(reply, labels, texts)


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
    from triptych.metrics.replies.reading import option

    return option(reply, options)


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
    from triptych.metrics.replies.reading import options_chosen

    return options_chosen(reply, options)


def after_thinking(reply: str) -> str:
    """Return a reply without the model's reasoning; an empty text if the reasoning never ends.

    Example:
        >>> after_thinking("<think>A or B?</think> B")
        'B'
    """
    return split_thinking(reply)[0]
