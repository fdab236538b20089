"""Shares computed from counts in other columns of the row: `Correct | Total | Acc`."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from triptych.audit.anyone.names import is_change
from triptych.audit.anyone.view import View
from triptych.audit.tables.interval import Interval

_Function = Callable[[Sequence[Interval]], Interval]
_NEAREST = 8  # columns of whole numbers near a share that may be its counts
_HITS = re.compile(
    r"(?:^|[^a-z])(?:(?:num(?:ber)?|no|n|#)?[\s_.]*(?:of[\s_]+)?(?:correct|right|hits?|passed|solved|resolved|success\w*|wins?))"
    r"(?:[^a-z]|$)|正确数|正確數|答对|答對|正解数|정답",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"^\W*(?:(?:num(?:ber)?|no)?[\s_.]*(?:of[\s_]+)?(?:total|all|n|num|count|questions?|samples?|items?|examples?|instances?|tasks?|"
    r"problems?|trials?|attempts?|size))\W*$|样本数|樣本數|总数|總數|题数|題數|総数|問題数|문항",
    re.IGNORECASE,
)


def quotient_rules(view: View, target: str) -> Iterator[tuple[tuple[str, ...], str, _Function]]:
    """Yield the rules by which a place may be a share of counts: (places of the counts, in words, how it is computed).

    If columns are named as counts (`Correct`, `Total`), only these are tried; otherwise all pairs of whole numbers
    nearby. A named count without a total is divided by the number of questions that the table states, or that most
    lines imply.
    """
    figures = [line[target] for line in view.lines.values() if target in line]
    if is_change(target) or not any("." in f.text or f.percent for f in figures) or max(f.value for f in figures) > 105:
        return
    scale = 1.0 if all(f.value <= 1 and not f.percent for f in figures) else 100.0
    counts = _counts(view, target)
    hits = [p for p in counts if _HITS.search(_last_part(p))]
    totals = [p for p in counts if _TOTAL.search(_last_part(p)) and p not in hits]
    named = [(h, t) for h in hits for t in totals]
    for pair in named or permutations(counts, 2):
        if _may_be_part(view, *pair):
            yield pair, "{0} divided by {1}", lambda v: _share(_count_in(v[0]), _count_in(v[1]), scale)
        if not named:
            says = "{0} divided by the sum of {0} and {1}"
            yield pair, says, lambda v: _share(_count_in(v[0]), _count_in(v[0]) + _count_in(v[1]), scale)
    for cell in hits if not totals else ():
        for n in _numbers(view, target, cell, scale):
            yield (cell,), f"{{}} divided by {n:,} questions", _of_number(n, scale)


def _of_number(n: int, scale: float) -> _Function:
    return lambda v: _share(_count_in(v[0]), float(n), scale)


def _counts(view: View, target: str) -> list[str]:
    """Return the places near another whose figures are whole numbers, 0 or more."""
    places = list(view.places)
    at = places.index(target)
    near = sorted((p for p in places if p != target), key=lambda p: abs(places.index(p) - at))
    numbers = [p for p in near if all(_is_count(line[p].text) for line in view.lines.values() if p in line)]
    return [
        p for p in numbers if not any(line[p].percent or line[p].signed for line in view.lines.values() if p in line)
    ][:_NEAREST]


def _is_count(text: str) -> bool:
    return text.isdecimal()


def _may_be_part(view: View, part: str, total: str) -> bool:
    """Return whether a count is at most another one in nearly all lines."""
    pairs = [(line[part].value, line[total].value) for line in view.lines.values() if part in line and total in line]
    return sum(a <= b for a, b in pairs) >= 0.7 * len(pairs) > 0


def _numbers(view: View, target: str, hits: str, scale: float) -> list[int]:
    """Return the numbers of questions of which a count may be: as the table states it, and as most lines imply it."""
    implied = Counter(
        round(line[hits].value * scale / line[target].value)
        for line in view.lines.values()
        if hits in line and target in line and line[target].value
    )
    stated = [view.sheet.questions_of_table] if view.sheet.questions_of_table else []
    return list(dict.fromkeys([*stated, *(n for n, _ in implied.most_common(3) if n)]))


def _last_part(cell: str) -> str:
    return cell.rpartition("|")[2]


def _count_in(value: Interval) -> float:
    """Return the whole number that a count's interval was read from: counts aren't rounded."""
    return float(math.floor(value.middle + 1e-6))


def _share(part: float, total: float, scale: float) -> Interval:
    """Raises ZeroDivisionError for a share of nothing."""
    return Interval.exact(part * scale / total)
