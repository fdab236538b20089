"""What `check-plugin` tries of a protocol: Units of the mini set are scored with their answer, with replies that say
nothing or something wrong, and without an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from triptych.errors import TriptychError
from triptych.metrics.metric import known_metrics, metric_name
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import SCORE_STATUSES, Item, Response, ResponseStatus, Score, text
from triptych.records.plug_ins import line_of, shown
from triptych.scoring.apply import score_units

WITHOUT_ANSWER: tuple[ResponseStatus | None, ...] = ("failed", "skipped", "refused", "truncated", None)
OTHER_SCRIPT = " 鲤鱼 🙂"
REPLIES = ("", "…", "I can't tell.", "Z", "A or B")  # that a model may give, and that no protocol may fail for


def unit_faults(unit: Unit, protocol: Protocol, listed: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with a protocol's Scores of a Unit: metrics that its Task doesn't list, other Scores the
    second time, and a Unit with another reply, or without an answer, that has fewer Scores or counts as answered."""
    about = f"protocol {protocol.name!r}"
    before = msgspec.json.encode(unit.items)
    scores = score_units([unit], protocol)
    names = tuple(score.metric for score in scores)
    yield from _of_scores(scores, unit, about, listed)
    if score_units([unit], protocol) != scores:
        yield f"{about} gives other Scores for the same Unit the second time"
    for reply in REPLIES:
        what = f"the reply {reply!r}" if reply else "an empty reply"
        answered = _with_response(unit, "answered", reply)
        yield from _other_reply_faults(answered, protocol, names, what, listed)
    yield from _not_ascii(unit, protocol)
    for status in WITHOUT_ANSWER:
        what = f"a Unit whose Response is {status}" if status else "a Unit without a Response"
        yield from _other_reply_faults(_with_response(unit, status), protocol, names, what, listed, status or "missing")
    if msgspec.json.encode(unit.items) != before:
        yield f"{about}: score changes the Unit's Item (such as its facets); Items are shared by all protocols"


def unread_faults(units: Sequence[Unit], protocol: Protocol) -> Iterator[str]:
    """Yield that a protocol scores replies that say nothing or something wrong as it scores the reference answers."""
    compared = False
    for unit in units:
        right = _scored(unit, protocol)
        compared = compared or any(map(_is_good, right))
        for reply in REPLIES:
            other = _scored(_with_response(unit, "answered", reply), protocol)
            if [(one.numerator, one.denominator) for one in other] != [
                (one.numerator, one.denominator) for one in right
            ]:
                return
    if compared:
        replies = ", ".join(map(repr, REPLIES))
        yield f"protocol {protocol.name!r} gives {replies} the Scores of the reference answers, whatever the reply says"


def _scored(unit: Unit, protocol: Protocol) -> list[Score]:
    """Return a Unit's Scores that have a value; none if the protocol can't score it."""
    try:
        return [score for score in score_units([unit], protocol) if score.status == "scored"]
    except TriptychError:
        return []


def _numbers(scores: Sequence[Score]) -> list[tuple[float, float]]:
    return [(score.numerator, score.denominator) for score in scores]


def _is_good(score: Score) -> bool:
    metric = known_metrics().get(score.metric)
    return score.numerator > 0 or (metric is not None and metric[0].better == "lower")


def _other_reply_faults(
    unit: Unit, protocol: Protocol, names: Sequence[str], what: str, listed: Sequence[str], unanswered: str = ""
) -> Iterator[str]:
    """Yield what is wrong with the Scores of a Unit with another reply, or without one (`unanswered`: its status)."""
    about = f"protocol {protocol.name!r}"
    try:
        scores = score_units([unit], protocol)
    except TriptychError as error:
        line = line_of(error)
        yield f"{about} can't score {what}: {error.problem}; got: {error.got}" + (f" ({line})" if line else "")
        return
    if tuple(score.metric for score in scores) != names:
        yield f"{about} gives {what} other metrics than one that is answered; it would drop out of the denominator"
    elif unanswered in ("failed", "skipped", "missing") and any(score.status == "scored" for score in scores):
        yield f"{about} scores {what} as if it were answered; see `lost_status`"
    yield from _of_scores(scores, unit, about, listed)


def _not_ascii(unit: Unit, protocol: Protocol) -> Iterator[str]:
    """Yield that a protocol, or a metric that it calls, fails for options and reference answers in other scripts."""
    items = tuple(_with_other_script(item) for item in unit.items)
    try:
        score_units([Unit(items, unit.responses, unit.repeat)], protocol)
    except TriptychError as error:
        if isinstance(error.__cause__, UnicodeError):
            kind, line = type(error.__cause__).__name__, line_of(error)
            yield f"protocol {protocol.name!r} fails for text that is not ASCII: {kind}" + (
                f" ({line})" if line else ""
            )


def _with_other_script(item: Item) -> Item:
    options = tuple((*option, text(OTHER_SCRIPT)) for option in item.options)
    target = item.target
    if item.answer == "text" and isinstance(target, str):
        target += OTHER_SCRIPT
    return msgspec.structs.replace(item, options=options, target=target)


def _of_scores(scores: Sequence[Score], unit: Unit, about: str, listed: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with single Scores."""
    names_listed = {metric_name(name) for name in listed}  # a protocol may have another rule of a listed metric
    for score in scores:
        if metric_name(score.metric) not in names_listed:
            task = unit.item.task
            yield f"{about} gives Scores of {score.metric!r}, which the Task {task} doesn't list in its metrics"
        if score.status not in SCORE_STATUSES:
            yield f"{about} gives a Score the status {score.status!r}; expected one of: {', '.join(SCORE_STATUSES)}"
        texts = score.extraction if isinstance(score.extraction, tuple) else (score.extraction,)
        if not all(isinstance(one, str | None) for one in texts):
            yield f"{about} gives a Score an extraction that is {shown(score.extraction)}; expected a text or a tuple"


def _with_response(unit: Unit, status: ResponseStatus | None, reply: str = "") -> Unit:
    replies = tuple(
        None if status is None else Response(item.id, "", unit.repeat, status, reply) for item in unit.items
    )
    return Unit(unit.items, replies, unit.repeat)
