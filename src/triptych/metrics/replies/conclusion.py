"""The labels that a reply's statements conclude with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from triptych.metrics.replies.lazy_pattern import lazy_pattern
from triptych.metrics.replies.patterns import FINAL, MARKED, MENTIONED, STATED
from triptych.metrics.replies.signs import Signs
from triptych.metrics.replies.statements import Statement, statements

_LONG = 40  # signs before a last line of one label, from which on it is the end of a train of thought
_GROUP = lazy_pattern(r"L°?(?:[,/、|&l\-]{1,2}v?[Oe]{0,2}L°?){1,26}+(?=[.!?)\n¶;]|$)")
_DANGLES = lazy_pattern(r"[b|&k],?[\n¶]*$")  # "The answer is A, but": truncated before the conclusion
_GOES_ON = lazy_pattern(r"[,、][\n¶]*$")  # truncated while an option is discussed
_LONE = ("line", "head", "sentence", "end", "mention")


def concluded(read: Signs, number: int, *, min_rank: int = MENTIONED) -> int | None:
    """Return the one label that a reply concludes with; None for none, several, or a contradiction.

    `number`: number of labels; a statement that names all of them ("A, B, C or D") repeats the question. `min_rank`:
    how firm the conclusion must be.

    Example:
        >>> from triptych.metrics.replies.signs import signs
        >>> concluded(signs("The answer is B.", "ABCD"), 4)
        1
    """
    settled = _remaining_assertions(_stated_choices(read), read, number)
    if max((one.rank for one in settled), default=-1) < min_rank or _DANGLES.search(read.text):
        return None
    counted = _agreeing_statements(settled)
    if _GOES_ON.search(read.text) and all(one.rank == MENTIONED for one in counted):
        return None
    single = {one.labels for one in counted if len(one.labels) == 1}
    if len(single) != 1:
        return None
    (chosen,) = single
    last = max(one.at for one in counted if one.labels == chosen)
    if any(len(one.labels) > 1 and (one.at > last or not chosen <= one.labels) for one in counted):
        return None
    return next(iter(chosen))


def all_concluded(read: Signs) -> tuple[int, ...] | None:
    """Return all labels that a reply concludes with; None for none, or if it asserts and denies the same one.

    Example:
        >>> from triptych.metrics.replies.signs import signs
        >>> all_concluded(signs("The answer is B.", "ABCD"))
        (1,)
    """
    stated = _stated_choices(read)
    stands = _remaining_assertions(stated, read, 0)
    first = max((one.at for one in stands if one.rank >= MARKED), default=0)
    chosen = _labels(one for one in stands if one.at >= first)
    asserted = _labels(one for one in stated if one.at >= first and not one.denied)
    denied = _labels(one for one in stated if one.at >= first and one.denied)
    return tuple(sorted(chosen)) if chosen and not asserted & denied else None


def _labels(statements: Iterable[Statement]) -> frozenset[int]:
    return frozenset[int]().union(*(one.labels for one in statements))


def _stated_choices(read: Signs) -> list[Statement]:
    """Return the statements in order, without those of a lone label that is denied or part of a group ("A or B")."""
    stated = list(statements(read))
    inside = {at for one in stated if len(one.labels) > 1 for at in range(one.at, one.end)}
    groups = [range(*group.span()) for group in _GROUP.finditer(read.text)]
    inside |= {at for group in groups if len({read.labels[n] for n in group if n in read.labels}) > 1 for at in group}
    denied = {at for one in stated if one.denied for at in range(one.at, one.end)}

    def counts(one: Statement) -> bool:
        alone = len(one.labels) > 1 or one.at not in inside
        return one.form not in _LONE or (alone and (one.denied or one.at not in denied))

    return sorted(filter(counts, stated), key=lambda one: (one.at, -one.rank))


def _agreeing_statements(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements that must agree: from the first of the firmest on; with plain statements, all of these."""
    top = max(one.rank for one in statements)
    at = next(one.at for one in statements if one.rank == top)
    top_statements = [one for one in statements if one.rank > MENTIONED or top == MENTIONED]
    if top >= MARKED:
        return [one for one in top_statements if one.at >= at]
    if top == STATED:
        return [
            one for one in top_statements if one.rank == top or one.too or one.at > at or one.form in ("line", "head")
        ]
    return top_statements


def _remaining_assertions(statements: Sequence[Statement], read: Signs, number: int) -> list[Statement]:
    """Return the assertions that remain after all corrections and denials."""
    text, breaks, passed = read.text, _breaks(read.text), 0
    stands: list[Statement] = []
    pending = shaken = False
    for one in statements:
        while passed < len(breaks) and breaks[passed] < one.at:
            pending, shaken = True, shaken or text[breaks[passed]] in "kK"
            passed += 1
        if one.denied:
            stands = [other for other in stands if other.rank >= MARKED or not other.labels & one.labels]
            continue
        if 1 < number == len(one.labels):
            continue
        if pending and not one.too and (one.rank > MENTIONED or shaken):
            if all(other.labels != one.labels for other in stands):
                stands = [other for other in stands if other.rank >= FINAL > one.rank]
            pending = shaken = False
        if stands and _ends_long(one, text):
            one = replace(one, rank=MARKED)
            stands = [other for other in stands if other.rank >= FINAL]
        stands = _with_statement(stands, one)
    left = breaks[passed:]
    taken_back = any(text[at] in "kK" for at in left) and "y" not in text[left[0] :]
    return [] if taken_back else stands


def _with_statement(stands: list[Statement], one: Statement) -> list[Statement]:
    """Return the statements with one more; of equal ones only the first and the last stay, since a reply may loop."""
    equal = [n for n, other in enumerate(stands) if _kind(other) == _kind(one)]
    return [*(other for n, other in enumerate(stands) if n not in equal[1:]), one]


def _kind(one: Statement) -> object:
    return one.labels, one.rank, one.form, one.too


def _breaks(text: str) -> list[int]:
    """Return the positions of corrections, and of contrasts that begin a clause."""
    return [
        at for at, sign in enumerate(text) if sign in "kK" or (sign == "b" and (at == 0 or text[at - 1] in ".!?;,\n¶"))
    ]


def _ends_long(one: Statement, text: str) -> bool:
    return one.form == "line" and one.at > _LONG and not text[one.end :].strip("°O=.)!:;,\n¶")
