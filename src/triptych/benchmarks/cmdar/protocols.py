"""The protocols of CMDAR, and how Scores are aggregated to the tables' figures.

official  As in the released scorer. main: MMAU's string match. multi: the reply is split at `；`, `;` and line ends,
          and a piece counts if, without punctuation at its end, it equals an option. A row without a reply
          (`model_output`) is not in the denominator, as in the scorer, so the headline figure is over the answered
          questions. Refused and truncated replies are scored like any other; an empty reply contains no correct option.
          open: the ratio of the judge's two scores, reply / reference x 10, with the reference first. If a results file
          has the judge's reply (`score`), it is used and no judge is asked; without either, the Score is `unavailable`.
paper     The same for main and multi, which the paper describes in the same way (section 3.3); every question counts.
          open: several evaluations with swapped positions, so a single stored reply is not enough: a judge is asked.
          The score is the mean score of the reply / the mean score of the reference x 10 (see `Verdicts.opinion`).
standard  main: the text of one option is extracted from the reply; none or several is `unparsed`. multi: every option
          whose text appears in the reply and isn't denied; none is `unparsed`. open as in `paper`. Every question
          counts.

Versions. official 2: rows without a reply are not in the denominator, the punctuation removed from a piece is that of
the scorer, and a stored reply of the judge is cut into numbers as in the scorer. paper 2, standard 2: open is a ratio
of mean scores; version 1 was the mean of single ratios, in which a preference for a position didn't cancel. standard 3:
the conclusion of a reply is read; refusals, questions and denials choose nothing. standard 4: denials in more
languages, labels in brackets before an explanation. standard 5: lists with a verdict for each option, shares and
counts; a list of all options chooses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from triptych.benchmarks.cmdar.outputs import STORED_JUDGE
from triptych.judges.rubric import Order
from triptych.judges.verdicts import mark, second_mark
from triptych.metrics.choice import read_option, read_options
from triptych.metrics.replies.string_match import string_match
from triptych.metrics.sets import set_scores
from triptych.protocols.judged import Wanted, usual_slots
from triptych.protocols.outcomes import ANY_TEXT, REPLIES, lost_status, scored, unscored
from triptych.protocols.protocol import Cell, Figure, Protocol, Unit
from triptych.records import ResponseStatus, Score, ScoreStatus

if TYPE_CHECKING:
    from triptych.protocols.protocol import Array

BOTH_ORDERS: tuple[Order, ...] = ("straight", "swapped")
SETS = ("em", "ji", "precision", "recall")
_SEPARATORS = re.compile(r"[；;\n]")
_END_MARKS = ",.;!?，。；！？"


def official_pieces(reply: str, options: Collection[str]) -> frozenset[str]:
    """Return the options that are pieces of the reply, apart from spaces around them and punctuation at their ends."""
    pieces = {piece.strip().rstrip(_END_MARKS) for piece in _SEPARATORS.split(reply)}
    return frozenset(pieces & set(options))


def judge_ratio(verdict: str) -> float | None:
    """Return "9 5" -> 5 / 9 x 10: score of the reply / score of the reference; None if the released scorer fails.

    The scorer takes the first two and the last two characters as the numbers, regardless of the text between them and
    of the scale. The result may exceed 10, since a reply may be judged better than the reference.
    """
    try:
        reference, reply = int(verdict[:2]), int(verdict[-2:])
    except ValueError:
        return None
    return reply / reference * 10 if reference else None


def _official(unit: Unit) -> Sequence[Score]:
    return _matched(unit) or _open(unit, ANY_TEXT, ("straight",), stored=True)


def _paper(unit: Unit) -> Sequence[Score]:
    return _matched(unit) or _open(unit, ANY_TEXT, BOTH_ORDERS, stored=False)


def _matched(unit: Unit) -> Sequence[Score]:
    """Return the Scores of main and multi by the released scorer's rules; empty for open questions."""
    item, options = unit.item, unit.item.option_texts()
    if item.answer == "text":
        return ()
    if status := _unscored_status(unit, ANY_TEXT):
        return _unscored_metrics(unit, status)
    assert unit.response is not None
    if item.answer == "options":
        return _set_scores(unit, official_pieces(unit.response.text, options), frozenset(unit.item.targets))
    key = str(item.target)
    return [scored(unit, "acc", string_match(key, unit.response.text, options), extraction=unit.response.text)]


def _standard(unit: Unit) -> Sequence[Score]:
    item, options = unit.item, unit.item.option_texts()
    if item.answer == "text":
        return _open(unit, REPLIES, BOTH_ORDERS, stored=False)
    if status := _unscored_status(unit, REPLIES):
        return _unscored_metrics(unit, status)
    assert unit.response is not None
    if item.answer == "options":
        chosen = read_options(unit.response.text, options)
        return _unscored_metrics(unit, "unparsed") if chosen is None else _set_scores(unit, *_stripped(unit, chosen))
    one = read_option(unit.response.text, options)
    if one is None:
        return _unscored_metrics(unit, "unparsed")
    return [scored(unit, "acc", options[one].strip() == str(item.target).strip(), extraction=options[one])]


def _unscored_status(unit: Unit, reads: Collection[ResponseStatus]) -> ScoreStatus | None:
    """Return the status if the Unit can't be scored: no reply to read, or no target to compare it with."""
    return lost_status(unit, reads) or ("unavailable" if unit.item.target is None else None)


def _unscored_metrics(unit: Unit, status: ScoreStatus) -> Sequence[Score]:
    metrics = SETS if unit.item.answer == "options" else ("acc",)
    return [unscored(unit, metric, status) for metric in metrics]


def _stripped(unit: Unit, chosen: Collection[int]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the chosen options and the answers, without spaces at their ends."""
    options = unit.item.option_texts()
    return frozenset(options[n].strip() for n in chosen), frozenset(answer.strip() for answer in unit.item.targets)


def _set_scores(unit: Unit, predicted: frozenset[str], right: frozenset[str]) -> Sequence[Score]:
    values = set_scores(predicted, right)
    return [scored(unit, metric, values[metric], extraction=tuple(sorted(predicted))) for metric in SETS]


def judged(unit: Unit, metric: str, protocol: str) -> Wanted | None:
    """Return the question, the reference and the reply; `official` with the reference first, others in both orders."""
    official = protocol == "official"
    if _unscored_status(unit, REPLIES if protocol == "standard" else ANY_TEXT) or (official and _stored(unit)):
        return None
    return Wanted(usual_slots(unit), ("straight",) if official else BOTH_ORDERS)


def _open(unit: Unit, reads: Collection[ResponseStatus], orders: tuple[Order, ...], *, stored: bool) -> Sequence[Score]:
    """Return the judge's score. If no judge scored it, there is no worst case: it is counted, but not in the mean."""
    if stored and (verdict := _stored(unit)):
        return [_stored_score(unit, verdict)]
    if status := _unscored_status(unit, reads):
        return [unscored(unit, "judge_score", status, 0.0, 0.0)]
    opinion = unit.verdicts.opinion("judge_score", orders, second_mark, against=mark)
    if opinion.status != "scored":
        return [
            unscored(unit, "judge_score", opinion.status, 0.0, 0.0, extraction=opinion.texts or None, note=opinion.note)
        ]
    return [scored(unit, "judge_score", opinion.value * 10, extraction=opinion.texts, note=opinion.note)]


def _stored_score(unit: Unit, verdict: str) -> Score:
    """Return the Score by the judge's reply in a results file; the scorer uses no other field of the row."""
    value = judge_ratio(verdict)
    if value is None:
        return unscored(unit, "judge_score", "judge_failed", 0.0, 0.0, extraction=verdict)
    return scored(unit, "judge_score", value, extraction=verdict, note="by the judge's reply in the file")


def _stored(unit: Unit) -> str:
    """Return the judge's reply in a results file; empty if there is none."""
    steps = unit.response.intermediates if unit.response else ()
    return next((step.text for step in steps if step.engine == STORED_JUDGE), "")


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield, for sums of shape (…, cells, 2), each Task's metric over all its questions, then by category.

    In percent, except for `judge_score`, which keeps its scale. Source: the paper's averages weight every question
    equally (main Avg = correct / 1,500; open Avg weighted by the categories' sizes; multi pooled).
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for number, cell in enumerate(cells):
        groups.setdefault((cell.task, cell.metric), []).append(number)
    for (task, metric), members in groups.items():
        yield _pooled(task, metric, {}, members, sums)
        for category in dict.fromkeys(cells[n].facet("category") for n in members):
            if category:
                matching_members = [n for n in members if cells[n].facet("category") == category]
                yield _pooled(task, metric, {"category": category}, matching_members, sums)


def _pooled(task: str, metric: str, slice_: dict[str, str], members: list[int], sums: Array) -> Figure:
    total = sums[..., members, :].sum(axis=-2)
    scale = 1.0 if metric == "judge_score" else 100.0
    return Figure(task, metric, slice_, scale * total[..., 0] / total[..., 1], tuple(members))


PROTOCOLS: dict[str, Protocol] = {
    "official": Protocol("official", "2", "the released scorer, quirks included", "answered", _official, aggregate),
    "paper": Protocol("paper", "2", "as section 3.3 defines it", "all", _paper, aggregate),
    "standard": Protocol("standard", "5", "options in the reply, never guessed", "all", _standard, aggregate),
}
