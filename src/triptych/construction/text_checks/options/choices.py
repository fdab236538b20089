"""Questions with options: the options and the correct ones are one value, checked by one function.

Makers, people who edit a question, and tables of questions all go through `choice_fault`. `edited` reads what a person
wrote about a question with options: new options, and which are correct, as letters or texts.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from triptych.construction.text_checks.options.denials import denied
from triptych.construction.text_checks.options.forms import form_fault
from triptych.construction.text_checks.options.ranges import right_in_wrong
from triptych.construction.text_checks.shortened import reads_shortened

JOINED = "；"  # between the texts of several correct options
_LETTERS = re.compile(r"[A-Za-z](?:[\s,，、;；和与]*[A-Za-z])*")
_SEPARATORS = " \t\n,，、;；"


class NoChoice(ValueError):
    """A person's edit of the options can't be used; the message says what is expected."""


@dataclass(frozen=True)
class Limits:
    """The least and most options, the least and most correct ones; `length_ratio` and `in_question` as in the stage
    `options`."""

    least: int = 2
    most: int = 26
    least_right: int = 1
    most_right: int = 25
    length_ratio: float = 0.0
    in_question: bool = True


@dataclass(frozen=True)
class Choice:
    """Options and the positions of the correct ones, from 0."""

    options: tuple[str, ...]
    answers: tuple[int, ...]

    @property
    def text(self) -> str:
        """The texts of the correct options."""
        return JOINED.join(self.options[answer] for answer in self.answers)


def places_of(answer: object, options: Sequence[str]) -> list[int]:
    """Return the positions of the options that `answer` names: letters (`B`, `A, C`), texts, or a list of either.

    Raises NoChoice if a part of it is not an option, or if a letter is also the text of another option.

    Example:
        >>> places_of("B", ["rain", "snow"]), places_of("snow", ["rain", "snow"]), places_of("AB", ["rain", "snow"])
        ([1], [1], [0, 1])
    """
    if isinstance(answer, list | tuple):
        return sorted({position for each in answer for position in places_of(each, options)})
    text = str(answer).strip()
    if (named := _texts(text, options)) is not None:
        lettered = [ord(text.upper()) - 65] if len(text) == 1 and text.isalpha() and text.isascii() else []
        if lettered and lettered[0] < len(options) and lettered != named:
            raise NoChoice(f"{text!r} is the letter of one option and the text of another: give the option's text")
        return named
    if _LETTERS.fullmatch(text):
        places = sorted({ord(c.upper()) - 65 for c in text if c.isascii() and c.isalpha()})
        if places[-1] < len(options):
            return places
    last = chr(64 + len(options)) if options else "none"
    raise NoChoice(f"{text[:60]!r} is not an option: give a letter up to {last}, or the text of an option")


def edited(
    options: Sequence[str], answers: Sequence[int], new_options: Sequence[str] | None, answer: object = None
) -> Choice:
    """Return a question's options after an edit of them, of the answer, or of both.

    Without a new answer, a correct option stays correct where its text is, and one whose text was changed stays correct
    at its position. Raises NoChoice for another number of options, an answer that is not an option, or if it isn't
    clear which of the new options is correct.

    Example:
        >>> edited(["a", "b", "c"], [0], None, "C").answers
        (2,)
        >>> edited(["a", "b", "c"], [0], ["c", "a", "b"]).answers
        (1,)
    """
    made = [str(option).strip() for option in (options if new_options is None else new_options)]
    if len(made) != len(options):
        raise NoChoice(f"{len(made)} options in place of {len(options)}: write one a line, as many as there were")
    has_answer = answer is not None and answer != ""
    places = places_of(answer, made) if has_answer else [_followed(options, number, made) for number in answers]
    if len(set(places)) < len(places):
        raise NoChoice("two correct options became one: say which options are correct")
    if (len(places) == 1) != (len(answers) == 1):
        raise NoChoice(f"{len(places)} correct options in place of {len(answers)}")
    return Choice(tuple(made), tuple(sorted(places)))


def _followed(options: Sequence[str], index: int, made: Sequence[str]) -> int:
    """Return where a correct option is in the new options."""
    plain = [comparable_text(option) for option in made]
    if (same_option := comparable_text(options[index])) in plain:
        return index if plain[index] == same_option else plain.index(same_option)
    if plain[index] in {comparable_text(option) for option in options}:
        raise NoChoice(f"{options[index]!r} is no longer an option: say which option is correct now")
    return index


def _texts(text: str, options: Sequence[str]) -> list[int] | None:
    """Return the places of options whose texts, one after the other, make up the text; None if they don't."""
    exact = [index for index, option in enumerate(options) if option.strip() == text]
    exact = exact or [
        index
        for index, option in enumerate(options)
        if comparable_text(option) == comparable_text(text) and comparable_text(text)
    ]
    if exact:
        return exact[:1]
    texts, rest = [], text
    by_length = sorted(range(len(options)), key=lambda position: -len(options[position].strip()))
    while rest.strip(_SEPARATORS):
        rest = rest.strip(_SEPARATORS)
        fits = next((p for p in by_length if options[p].strip() and rest.startswith(options[p].strip())), None)
        if fits is None:
            return None
        rest = rest[len(options[fits].strip()) :]
        if rest and rest[0] not in _SEPARATORS:
            return None
        texts.append(fits)
    return sorted(set(texts)) or None


@reads_shortened
def choice_fault(
    question: str, options: Sequence[str], answers: Sequence[int], wanted: Limits
) -> tuple[str, str] | None:
    """Return the first fault of a question with options as reason and note; None if there is none.

    The options' number, the correct ones, that all are distinct and exclusive, similar lengths and forms, that no two
    correct ones deny each other, and that the answer isn't in the question.
    """
    texts, right = list(options), list(answers)
    plain = [comparable_text(option) for option in texts]
    if not wanted.least <= len(texts) <= wanted.most:
        return "number-of-options", _number_of_options(texts, wanted)
    if not right or len(set(right)) < len(right) or not all(isinstance(p, int) and 0 <= p < len(texts) for p in right):
        return "no-right-option", f"places {right} of {len(texts)} options"
    if not wanted.least_right <= len(right) <= wanted.most_right or len(right) == len(texts) > 1:
        return "number-of-right-options", str(len(right))
    if not all(plain):
        return "empty-option", f"option {plain.index('') + 1}"
    if len(set(plain)) < len(plain):
        return "same-option-twice", next(o for o, p in zip(texts, plain, strict=True) if plain.count(p) > 1)
    if pair := _containing_pair(plain):
        return "options-not-exclusive", f"{texts[pair[0]]!r} is part of {texts[pair[1]]!r}"
    if pair_of_texts := denied([texts[index] for index in right]):
        return "right-options-contradict", f"{pair_of_texts[0]!r} and {pair_of_texts[1]!r} can't both be correct"
    if both := right_in_wrong(texts, right):
        return "options-not-exclusive", f"{both[1]!r} holds {both[0]!r}, so it is correct as well"
    if wanted.length_ratio and (fault := _length_fault(plain, right, wanted.length_ratio)):
        return "option-length", fault
    if fault := _ended_alone(texts, right):
        return "option-ends-differently", fault
    if fault := form_fault(texts, right):
        return "option-form", fault
    stem = comparable_text(question)
    named = {index for index, option_text in enumerate(plain) if option_text in stem}
    if wanted.in_question and named and named <= set(right):
        return "answer-in-question", texts[min(named)]
    return None


_JOINED = re.compile(r"[、；;/|\n]")


def _number_of_options(texts: Sequence[str], wanted: Limits) -> str:
    expected = str(wanted.least) if wanted.least == wanted.most else f"{wanted.least} to {wanted.most}"
    text = f"{len(texts)} options; expected {expected}"
    if len(texts) < wanted.least and (joined := next((each for each in texts if _JOINED.search(each)), "")):
        text += f". {joined[:40]!r} is one option: write several as a list, or separated by | in a table"
    return text


_MINUS = re.compile(r"(?<![\w\s)）])[-\u2212](?=\d)|^\s*[-\u2212](?=\d)")  # of a number below zero


def comparable_text(text: object) -> str:
    """Return only letters and digits, half-width, lower case: texts that are equal then are the same option.

    >>> comparable_text("Yes, it is.") == comparable_text("yes it is"), comparable_text("-5℃") == comparable_text("5℃")
    (True, False)
    """
    plain = unicodedata.normalize("NFKC", str(text)).casefold()
    return re.sub(r"[\W_]+", "", _MINUS.sub("负", plain) if "-" in plain or "\u2212" in plain else plain)


def _containing_pair(plain: Sequence[str]) -> tuple[int, int] | None:
    """Return the first pair of which one contains the other; numbers don't count, since 1 is not part of 12."""
    for a, b in itertools.permutations(range(len(plain)), 2):
        if len(plain[a]) > 1 and plain[a] in plain[b] and not plain[a].isdigit():
            return a, b
    return None


# An abbreviation ("U.S.", "Jr.") ends in a stop too: it counts after four words, a longer word, or three digits
_FULL_STOP = re.compile(r"(?:[。！？；!?;]|(?:[^\W\d_]{4,}|\d{3,}|(?:\S+\s+){3,}\S+)[”’」』\"')]*\.)[”’」』\"')]*\s*$")


def _ended_alone(options: Sequence[str], right: Sequence[int]) -> str:
    """Describe the fault that the correct options alone end in a mark of a sentence, or alone lack one."""
    ends = [bool(_FULL_STOP.search(option)) for option in options]
    marked = {index for index, ended in enumerate(ends) if ended}
    if len(options) - len(right) < 2 or marked not in (set(right), set(range(len(options))) - set(right)):
        return ""
    return f"end all options alike: the punctuation shows that {options[right[0]]!r} is correct"


def _length_fault(plain: Sequence[str], right: Sequence[int], max_share: float) -> str:
    """Describe a fault of the lengths; options of a few letters always pass."""
    wrong = [len(text) for index, text in enumerate(plain) if index not in right]
    if not wrong:
        return ""
    mean = sum(wrong) / len(wrong)
    for position in right:
        length = len(plain[position])
        if abs(length - mean) > 4 and (length > max_share * mean or mean > max_share * length):
            return f"a correct option has {length} letters, wrong ones {mean:.1f} on average"
    return ""
