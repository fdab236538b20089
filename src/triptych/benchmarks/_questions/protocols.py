"""The protocol of question files.

standard  choice: one option, named by its letter or its text (`read_letter`). several: the letters of a reply that is
          a list of letters, otherwise the texts of options. number: the only number in the reply, or the one after
          "answer is", equal to the reference. rating: the same, on the scale; its distance from the reference. span:
          the only span of time in the reply. text: exact match and F1 as in SQuAD; CER, WER and sentence BLEU after
          Whisper's basic normaliser; of several references each metric takes the best. judged, criteria: a judge's
          PASS or FAIL. A reply from which nothing can be extracted is `unparsed`, never guessed. Every question counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from triptych.benchmarks._questions.answers import number_of, scale_of
from triptych.benchmarks._questions.options import narrow
from triptych.benchmarks._questions.scorers import RULES, Rule
from triptych.metrics.bleu import sentence_bleu
from triptych.metrics.choice import after_thinking, read_letter, read_options
from triptych.metrics.error_rate import character_errors, word_errors
from triptych.metrics.rating import max_distance
from triptych.metrics.replies.circled import listed
from triptych.metrics.replies.string_match import string_match
from triptych.metrics.sets import set_scores
from triptych.metrics.squad import squad_f1, squad_match
from triptych.metrics.text.english_numbers import numbers_in_digits
from triptych.metrics.text.normalise import basic
from triptych.metrics.time_spans import read_span, span_iou
from triptych.protocols.judged import Wanted, usual_slots
from triptych.protocols.outcomes import ANY_TEXT, lost_status, scored, unscored
from triptych.protocols.protocol import Cell, Figure, Protocol, Unit
from triptych.records import Score, ScoreStatus

if TYPE_CHECKING:
    from triptych.protocols.protocol import Array

SETS = ("em", "ji", "precision", "recall")
TEXTS = ("em.squad", "f1.squad", "cer", "wer", "bleu")
RATINGS = ("acc", "mae.rating")
SPANS = ("iou50.time", "iou.time")
JUDGED = ("judge_pass",)
_OF_TASK = {"several": SETS, "text": TEXTS, "rating": RATINGS, "span": SPANS, "judged": JUDGED, "criteria": JUDGED}
_ONLY_LETTERS = re.compile(
    r"\W*(?:(?:the\s+)?(?:correct\s+)?(?:answers?|options?)\s*(?:are|is|:)*\s*)?"
    r"((?-i:[A-Z])(?:\s*(?:[,;、&+/和与及]|\band\b|\s)\s*(?-i:[A-Z]))*)\W*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,])[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d\w]|[.,]\d)")
_VERDICT = re.compile(rf"\banswer\s*(?:is|:|=)\s*\**\s*({_NUMBER.pattern})", re.IGNORECASE)


def _score(unit: Unit) -> Sequence[Score]:
    task = unit.item.task.rpartition("/")[2]
    metrics = _OF_TASK.get(task, ("acc",))
    status: ScoreStatus | None = lost_status(unit)
    if status is None and unit.item.target is None and task != "criteria":
        status = "unavailable"
    if status:
        return [_worst_score(unit, metric, status) for metric in metrics]
    return _SCORERS[task](unit, after_thinking(unit.response.text if unit.response else ""))


def _worst_score(unit: Unit, metric: str, status: ScoreStatus) -> Score:
    """Return the Score of a Unit without a reply; in an error rate, all of the reference counts as deleted."""
    if metric == "mae.rating":
        return unscored(unit, metric, status, _worst_distance(unit), 1.0)
    if metric not in ("cer", "wer"):
        return unscored(unit, metric, status)
    reference = basic(str(unit.item.target or "")).strip()
    length = len(reference) if metric == "cer" else len(reference.split())
    return unscored(unit, metric, status, length, length)


def _choice(unit: Unit, reply: str) -> Sequence[Score]:
    item = unit.item
    letter = read_letter(reply, item.labels, item.option_words())
    if letter is None:
        return [unscored(unit, "acc", "unparsed")]
    return [scored(unit, "acc", letter == item.target, extraction=letter)]


def _set_choice_scores(unit: Unit, reply: str) -> Sequence[Score]:
    options = unit.item.option_texts()
    chosen = read_letters(reply, unit.item.labels, options) or read_options(reply, options)
    if chosen is None:
        return [unscored(unit, metric, "unparsed") for metric in SETS]
    right = frozenset(unit.item.labels[n] for n in unit.item.target_positions)
    letters = frozenset(unit.item.labels[n] for n in chosen)
    values = set_scores(letters, right)
    return [scored(unit, metric, values[metric], extraction=tuple(sorted(letters))) for metric in SETS]


def read_letters(reply: str, labels: Sequence[str], texts: Sequence[str] = ()) -> tuple[int, ...] | None:
    """Return the places of the letters that a reply lists and says nothing else; None for any other reply.

    Example:
        >>> read_letters("A, C", "ABCD"), read_letters("Answer: B and D.", "ABCD"), read_letters("A dog", "ABCD")
        ((0, 2), (1, 3), None)
        >>> read_letters("Ａ，Ｃ", "ABCD"), read_letters("①③", "ABCD")
        ((0, 2), (0, 2))
    """
    lines = [line for line in narrow(listed(reply, labels, texts)).strip().splitlines() if line.strip()]
    for candidate in (" ".join(lines), lines[-1] if lines else ""):
        if letters_match := _ONLY_LETTERS.fullmatch(candidate.strip()):
            letters = re.findall(r"(?<![A-Za-z])[A-Z](?![A-Za-z])", letters_match[1])
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
    numbers = {number_of(one) for one in _NUMBER.findall(reply)}
    if not numbers and not any(c.isdigit() for c in reply):
        numbers = {number_of(one) for one in _NUMBER.findall(numbers_in_digits(basic(reply)))}
    return numbers.pop() if len(numbers) == 1 else None


def _number(unit: Unit, reply: str) -> Sequence[Score]:
    number = read_number(reply)
    if number is None:
        return [unscored(unit, "acc", "unparsed")]
    return [scored(unit, "acc", number == number_of(str(unit.item.target)), extraction=str(number))]


def _text(unit: Unit, reply: str) -> Sequence[Score]:
    """Return the Scores of free text. Of several references, each metric takes the one that is best for it."""
    stored_references = unit.item.hidden.get("references")
    raw = msgspec.json.decode(stored_references, type=list[str]) if stored_references else [str(unit.item.target)]
    references, hypothesis = [basic(one).strip() for one in raw], basic(reply).strip()
    return [
        scored(unit, "em.squad", any(squad_match(one, reply) for one in raw), extraction=hypothesis),
        scored(unit, "f1.squad", max(squad_f1(one, reply) for one in raw)),
        scored(unit, "cer", *min((character_errors(one, hypothesis) for one in references), key=_rate)),
        scored(unit, "wer", *min((word_errors(one, hypothesis) for one in references), key=_rate)),
        scored(unit, "bleu", max(sentence_bleu(one.split(), hypothesis.split()) for one in references)),
    ]


def _rate(errors: tuple[float, float]) -> float:
    return errors[0] / errors[1] if errors[1] else float(errors[0] > 0)


def _scale(unit: Unit) -> tuple[float, float]:
    """Return the scale of a rating, which its Item keeps."""
    return scale_of(unit.item.hidden.get("scale", "")) or (0.0, 0.0)


def _worst_distance(unit: Unit) -> float:
    target = number_of(str(unit.item.target or ""))
    return max_distance(float(target), *_scale(unit)) if target is not None else 0.0


def _rating(unit: Unit, reply: str) -> Sequence[Score]:
    rating, (low, high) = read_number(reply), _scale(unit)
    if rating is None or not low <= rating <= high:
        return [_worst_score(unit, metric, "unparsed") for metric in RATINGS]
    target = number_of(str(unit.item.target))
    assert target is not None
    distance = float(abs(rating - target))
    return [
        scored(unit, "mae.rating", distance, extraction=str(rating)),
        scored(unit, "acc", rating == target, extraction=str(rating)),
    ]


def _span(unit: Unit, reply: str) -> Sequence[Score]:
    span, right = read_span(reply), read_span(str(unit.item.target))
    if span is None or right is None:
        return [unscored(unit, metric, "unparsed") for metric in SPANS]
    overlap = span_iou(right, span)
    shown = f"{span[0]:g}-{span[1]:g}"
    return [
        scored(unit, "iou.time", overlap, extraction=shown),
        scored(unit, "iou50.time", overlap >= 0.5, extraction=shown),
    ]


def judged(unit: Unit, metric: str, _protocol: str) -> Wanted | None:
    """Return question, reference, reply and, if the question has its own, the criteria; None if there is no reply."""
    criteria = unit.item.hidden.get("criteria", "")
    if lost_status(unit, ANY_TEXT) or (unit.item.target is None and not criteria):
        return None
    return Wanted({**usual_slots(unit), **({"criteria": criteria} if criteria else {})})


def _judged(unit: Unit, _reply: str) -> Sequence[Score]:
    opinion = unit.verdicts.opinion("judge_pass")
    if opinion.status != "scored" or opinion.value is None:
        return [unscored(unit, "judge_pass", opinion.status, extraction=opinion.texts or None, note=opinion.note)]
    return [scored(unit, "judge_pass", opinion.value, extraction=opinion.texts, note=opinion.note)]


_SCORERS = {
    "choice": _choice,
    "several": _set_choice_scores,
    "number": _number,
    "text": _text,
    "rating": _rating,
    "span": _span,
    "judged": _judged,
    "criteria": _judged,
}
_PLAIN = ("mae.rating",)  # metrics that are not shares


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield, for sums of shape (…, cells, 2), each Task's metrics over all its questions, then by category."""
    groups: dict[tuple[str, str, str], list[int]] = {}
    for number, cell in enumerate(cells):
        groups.setdefault((cell.task, cell.metric, ""), []).append(number)
        if category := cell.facet("category"):
            groups.setdefault((cell.task, cell.metric, category), []).append(number)
    for (task, metric, category), members in groups.items():
        total = sums[..., members, :].sum(axis=-2)
        slice_ = {"category": category} if category else {}
        if metric == "spread.draws":
            value = 100.0 * total[..., 0] ** 0.5 / total[..., 1]
        else:
            value = (1.0 if metric in _PLAIN else 100.0) * total[..., 0] / total[..., 1]
        yield Figure(task, metric, slice_, value, tuple(members))


def official_protocol(rule: str, otherwise: str, source: str) -> Protocol:
    """Return the protocol of a set of the catalogue: a letter by the authors' rule; all else as under `standard`.

    `otherwise`: what their scorer does if it finds none. A letter that it draws is not drawn here: the Score is the
    expectation, and `spread.draws` the standard deviation that the draws alone would give the figure.
    """

    def score(unit: Unit) -> Sequence[Score]:
        if unit.item.task.rpartition("/")[2] != "choice":
            return _score(unit)
        spread = otherwise == "random"
        status = lost_status(unit, ANY_TEXT) or (None if unit.item.target else "unavailable")
        if status:
            return [unscored(unit, metric, status) for metric in ("acc", *(("spread.draws",) if spread else ()))]
        return list(_by_rule(unit, RULES[rule], otherwise))

    return Protocol("official", "1", f"the rule of {source}; {_OTHERWISE[otherwise]}", "all", score, aggregate)


_OTHERWISE = {
    "wrong": "without a letter wrong",
    "first": "without a letter the first option",
    "left_out": "without a letter not counted",
    "random": "where it draws a random letter: the expectation and its spread, nothing is drawn",
}


def _by_rule(unit: Unit, rule: Rule, otherwise: str) -> Iterator[Score]:
    item, reply = unit.item, unit.response.text if unit.response else ""
    letter = rule(reply, item.labels, item.option_texts())
    if letter is not None and rule is RULES["words"] and item.target is not None:  # options can have the same words
        right = item.option_texts()[item.target_positions[0]]
        letter = str(item.target) if string_match(right, reply, item.option_texts()) else letter
    chance = 1.0 / len(item.labels) if letter is None and otherwise == "random" else 0.0
    if letter is None and otherwise == "first":
        letter = item.labels[0]
    if chance:
        note = f"the authors' scorer draws one of {len(item.labels)} letters: the expectation"
        yield scored(unit, "acc", chance, note=note)
    elif letter is None:
        yield unscored(unit, "acc", "unparsed", 0.0, 0.0 if otherwise == "left_out" else 1.0)
    else:
        yield scored(unit, "acc", letter == item.target, extraction=letter)
    if otherwise == "random":
        yield scored(unit, "spread.draws", chance * (1.0 - chance))


PROTOCOLS: dict[str, Protocol] = {
    "standard": Protocol("standard", "5", "what the reply says, never guessed", "all", _score, aggregate),
}
