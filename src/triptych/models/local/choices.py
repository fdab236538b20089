"""Choosing by content: a small language model that can't name the correct letter can often say the correct words.

Options with letters in a prompt are shown without them, before the question; the model writes the one that fits, after
three worked examples; the letter is looked up. On 36 questions "which text has the same words as
this recording" (either side as text, speech or picture) Qwen2.5-Coder-0.5B chose 9 right by letter and all by content.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# "A:", "B.", "(C)", "D、" at the start of a line, with or without the option behind it
_LABEL = re.compile(r"^\(?([A-Z])\)?[:：.．、)]\s*(.*)$")
# Sentences that ask for a letter contradict the form of answer that is wanted here
_ABOUT_LETTERS = re.compile(r"(?<![^.?!。？！])[^.?!。？！]*\bA\b\s*[,，、/]\s*B\b[^.?!。？！]*[.?!。？！]?")

_QUOTED = re.compile(r'^\[[^"]*"(.*)"\]$')

# Answers below this likeness (0 to 100) to every option are not taken for any of them.
MIN_LIKENESS = 50.0


@dataclass(frozen=True, slots=True)
class Choice:
    """A prompt with lettered options, split into the text before them and (letter, option)."""

    head: str
    options: tuple[tuple[str, str], ...]

    @property
    def has_distinct_options(self) -> bool:
        """False if two options have the same text, so that no answer could identify one of them."""
        return len({words for _, words in self.options}) == len(self.options)

    @property
    def shown_options(self) -> dict[str, str]:
        """The options as the model sees them, by letter: brackets that all of them share are left out, since they
        distract a small model from what differs."""
        quoted = [_QUOTED.match(words) for _, words in self.options]
        inside = [match[1] if match else "" for match in quoted]
        if all(inside) and len(set(inside)) == len(inside):
            return {letter: words for (letter, _), words in zip(self.options, inside, strict=True)}
        return dict(self.options)


def find_choice(segments: Sequence[str]) -> Choice | None:
    """Split a prompt; None if it has no sequence of options A, B … with texts."""
    lines = [line.strip() for segment in segments for line in segment.splitlines() if line.strip()]
    options: list[tuple[str, str]] = []
    first = None
    for i, line in enumerate(lines):
        match = _LABEL.match(line)
        if match is None or match[1] != chr(ord("A") + len(options)):
            continue
        words = match[2] or (lines[i + 1] if i + 1 < len(lines) else "")
        if not words or (not match[2] and _LABEL.match(words)):
            return None
        first = i if first is None else first
        options.append((match[1], words))
    if first is None or len(options) < 2:
        return None
    return Choice(_head(lines[:first]), tuple(options))


def _head(lines: Sequence[str]) -> str:
    """Return the question, with a label and its content on one line, without sentences about letters."""
    remaining: list[str] = []
    for line in lines:
        plain = line if line.startswith("[") else _ABOUT_LETTERS.sub("", line).strip()
        if remaining and remaining[-1].endswith((":", "：")):
            remaining[-1] += f" {plain}"
        elif plain:
            remaining.append(plain)
    return "\n".join(remaining)


def completion_prompt(choice: Choice) -> str:
    """The prompt for plain completion: worked examples, then the options, the question, and `Answer:`."""
    return _EXAMPLES + _show(list(choice.shown_options.values()), choice.head)


def letter_of(answer: str, choice: Choice) -> str | None:
    """Return the letter of the option that the answer repeats (or begins to repeat); None if it is similar to none."""
    from rapidfuzz import fuzz

    bare_answer = _words_only(answer)
    if not bare_answer:
        return None
    likeness = [
        (fuzz.ratio(bare_answer, _words_only(words)[: max(len(bare_answer), 12)]), letter)
        for letter, words in choice.shown_options.items()
    ]
    best = max(likeness, key=lambda match: match[0])
    return best[1] if best[0] >= MIN_LIKENESS else None


def distinct_beginnings(choice: Choice) -> tuple[str, dict[str, str]]:
    """What all options begin with, and how each goes on up to where it differs from the others: {beginning: letter}."""
    texts = choice.shown_options
    same = next((i for i, c in enumerate(zip(*texts.values(), strict=False)) if len(set(c)) > 1), 0)
    shared = next(iter(texts.values()))[:same]
    shared = shared[: shared.rfind(" ") + 1]  # whole words, so that the model's own tokens fit
    rest = {letter: words[len(shared) :] for letter, words in texts.items()}
    return shared, {
        _beginning_of(words, [w for k, w in rest.items() if k != letter]): letter for letter, words in rest.items()
    }


def _beginning_of(words: str, others: Sequence[str]) -> str:
    """The shortest beginning of `words`, in whole words, with which none of the others begins; else all of it."""
    for end in (match.end() for match in re.finditer(r"(?<!\s)\s*\S+", words)):
        if not any(other.startswith(words[:end]) for other in others):
            return words[:end]
    return words + "\n"  # another option begins like this one and goes on


def _words_only(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def _show(options: Sequence[str], head: str) -> str:
    listed = "\n".join(f"- {words}" for words in options)
    return f"{listed}\nQuestion: {head}\nAnswer:"


def _example(options: Sequence[str], head: str, right: int) -> str:
    return f"{_show(options, head)} {options[right]}\n\n"


_EXAMPLES = (
    _example(
        (
            "The bridge was built of stone.",
            "Bees make honey in summer.",
            "Her uncle sells old clocks.",
            "We will meet at noon.",
        ),
        'Which sentence is heard in this recording?\nAudio: [speech: "Her uncle sells old clocks."]',
        2,
    )
    + _example(
        (
            "Two owls live in the barn.",
            "The shop opens late.",
            "Bring a warm coat.",
            "His answer was wrong.",
        ),
        "Which picture shows this text?\nText: Two owls live in the barn.",
        0,
    )
    + _example(
        (
            "The river is deep.",
            "It is your turn.",
            "Sheep eat grass.",
            "He is cooking in the kitchen.",
        ),
        'Which recording has the same meaning as this picture?\nImage: [image with text: "他在厨房做饭"]',
        3,
    )
)
