"""The protocol of question files.

standard  choice: one letter is extracted from the reply (`read_letter`), otherwise the text of one option
          (`read_option`). several: the letters of a reply that is a list of letters, otherwise the texts of options.
          number: the only number in the reply, or the one after "answer is", equal to the reference. text: exact match,
          F1 over tokens, CER, WER and sentence BLEU, all after Whisper's basic normaliser. A reply from which nothing
          can be extracted is `unparsed`, never guessed. Every question counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from triptych.benchmarks._questions.answers import number_of
from triptych.metrics.bleu import sentence_bleu
from triptych.metrics.choice import after_thinking, read_letter, read_option, read_options
from triptych.metrics.english_numbers import numbers_in_digits
from triptych.metrics.error_rate import character_errors, word_errors
from triptych.metrics.normalise import basic
from triptych.metrics.overlap import token_f1
from triptych.metrics.sets import set_scores
from triptych.protocols.outcomes import lost_status, scored, unscored
from triptych.protocols.protocol import Cell, Figure, Protocol, Unit
from triptych.records import Score, ScoreStatus

if TYPE_CHECKING:
    from triptych.protocols.protocol import Array

SETS = ("em", "ji", "precision", "recall")
TEXTS = ("em", "f1.token", "cer", "wer", "bleu")
_ONLY_LETTERS = re.compile(
    r"\W*(?:(?:the\s+)?(?:correct\s+)?(?:answers?|options?)\s*(?:are|is|:)*\s*)?"
    r"((?-i:[A-Z])(?:\s*(?:[,;、&+/]|\band\b|\s)\s*(?-i:[A-Z]))*)\W*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,])[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d\w]|[.,]\d)")
_VERDICT = re.compile(rf"\banswer\s*(?:is|:|=)\s*\**\s*({_NUMBER.pattern})", re.IGNORECASE)


def _score(unit: Unit) -> Sequence[Score]:
    task = unit.item.task.rpartition("/")[2]
    metrics = {"several": SETS, "text": TEXTS}.get(task, ("acc",))
    lost: ScoreStatus | None = lost_status(unit)
    if lost is None and unit.item.target is None:
        lost = "unavailable"
    if lost:
        return [_worst(unit, metric, lost) for metric in metrics]
    return _SCORERS[task](unit, after_thinking(unit.response.text if unit.response else ""))


def _worst(unit: Unit, metric: str, status: ScoreStatus) -> Score:
    """Return the Score of a Unit without a reply; in an error rate, all of the reference counts as deleted."""
    if metric not in ("cer", "wer"):
        return unscored(unit, metric, status)
    reference = basic(str(unit.item.target or "")).strip()
    length = len(reference) if metric == "cer" else len(reference.split())
    return unscored(unit, metric, status, length, length)


def _choice(unit: Unit, reply: str) -> Sequence[Score]:
    item = unit.item
    letter = read_letter(reply, item.labels)
    if letter is None and not any(part.is_media for option in item.options for part in option):
        place = read_option(reply, item.option_texts())
        letter = None if place is None else item.labels[place]
    if letter is None:
        return [unscored(unit, "acc", "unparsed")]
    return [scored(unit, "acc", letter == item.target, extraction=letter)]


def _several(unit: Unit, reply: str) -> Sequence[Score]:
    options = unit.item.option_texts()
    chosen = read_letters(reply, unit.item.labels) or read_options(reply, options)
    if chosen is None:
        return [unscored(unit, metric, "unparsed") for metric in SETS]
    right = frozenset(unit.item.labels[n] for n in unit.item.target_positions)
    letters = frozenset(unit.item.labels[n] for n in chosen)
    values = set_scores(letters, right)
    return [scored(unit, metric, values[metric], extraction=tuple(sorted(letters))) for metric in SETS]


def read_letters(reply: str, labels: Sequence[str]) -> tuple[int, ...] | None:
    """Return the places of the letters that a reply lists and says nothing else; None for any other reply.

    Example:
        >>> read_letters("A, C", "ABCD"), read_letters("Answer: B and D.", "ABCD"), read_letters("A dog", "ABCD")
        ((0, 2), (1, 3), None)
    """
    lines = [line for line in reply.strip().splitlines() if line.strip()]
    for said in (" ".join(lines), lines[-1] if lines else ""):
        if found := _ONLY_LETTERS.fullmatch(said.strip()):
            letters = re.findall(r"(?<![A-Za-z])[A-Z](?![A-Za-z])", found[1])
            if letters and all(letter in labels for letter in letters):
                return tuple(sorted({list(labels).index(letter) for letter in letters}))
    return None


def read_number(reply: str) -> Decimal | None:
    """Return the one number that a reply states; None if it states none, or several without naming its answer.

    Example:
        >>> read_number("There are 1,200 of them."), read_number("2 of 3"), read_number("Of 7, the answer is 4.")
        (Decimal('1200'), None, Decimal('4'))
        >>> read_number("three")
        Decimal('3')
    """
    if verdicts := {number_of(one) for one in _VERDICT.findall(reply)}:
        return verdicts.pop() if len(verdicts) == 1 else None
    found = {number_of(one) for one in _NUMBER.findall(reply)}
    if not found and not any(c.isdigit() for c in reply):
        found = {number_of(one) for one in _NUMBER.findall(numbers_in_digits(basic(reply)))}
    return found.pop() if len(found) == 1 else None


def _number(unit: Unit, reply: str) -> Sequence[Score]:
    said = read_number(reply)
    if said is None:
        return [unscored(unit, "acc", "unparsed")]
    return [scored(unit, "acc", said == number_of(str(unit.item.target)), extraction=str(said))]


def _text(unit: Unit, reply: str) -> Sequence[Score]:
    reference, hypothesis = basic(str(unit.item.target)).strip(), basic(reply).strip()
    return [
        scored(unit, "em", reference == hypothesis, extraction=hypothesis),
        scored(unit, "f1.token", token_f1(reference, hypothesis)),
        scored(unit, "cer", *character_errors(reference, hypothesis)),
        scored(unit, "wer", *word_errors(reference, hypothesis)),
        scored(unit, "bleu", sentence_bleu(reference.split(), hypothesis.split())),
    ]


_SCORERS = {"choice": _choice, "several": _several, "number": _number, "text": _text}


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield, for sums of shape (…, cells, 2), each Task's metrics x 100 over all its questions, then by category."""
    groups: dict[tuple[str, str, str], list[int]] = {}
    for number, cell in enumerate(cells):
        groups.setdefault((cell.task, cell.metric, ""), []).append(number)
        if category := cell.facet("category"):
            groups.setdefault((cell.task, cell.metric, category), []).append(number)
    for (task, metric, category), members in groups.items():
        total = sums[..., members, :].sum(axis=-2)
        slice_ = {"category": category} if category else {}
        yield Figure(task, metric, slice_, 100.0 * total[..., 0] / total[..., 1], tuple(members))


PROTOCOLS: dict[str, Protocol] = {
    "standard": Protocol("standard", "1", "what the reply says, never guessed", "all", _score, aggregate),
}
