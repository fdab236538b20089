"""Statements of a reply: which labels it asserts and denies, where, and how firmly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from triptych.metrics.replies.lazy_pattern import lazy_pattern
from triptych.metrics.replies.patterns import FINAL, FORMS, MARKED, STATED, Form
from triptych.metrics.replies.signs import Signs
from triptych.metrics.replies.verdicts import verdicts


@dataclass(frozen=True, slots=True)
class Statement:
    """Labels that are asserted, or denied, together. `too`: in addition to what was said before."""

    at: int
    end: int
    labels: frozenset[int]
    rank: int
    denied: bool = False
    too: bool = False
    form: str = ""


_FAR = 40  # signs before a statement in which its clause, or sentence, is looked for
_CLAUSE, _SENTENCE = ".?!;,:\n¶bzSKk@", ".?!;\n¶bSKk@"
_CLAUSE_ENDS = lazy_pattern(r"[.?!;,\n¶bzr]|$")
_LINE_ENDS = lazy_pattern(r"[\n¶]|$")
_UNDONE = lazy_pattern(r"O?(?:[:=]|[).](?=W))?[evO=T]{0,3}(?:[WD]|X(?![evO=]*L))")  # "answer A is wrong"
_WRONG, _NEGATED = lazy_pattern(r"W[evOc]{0,2}$"), lazy_pattern(r"[=v]{0,2}[XD](?!e?L)")  # 正解ではない, doğru değil
_WRONG_TOO = lazy_pattern(r"W[,;.]?&?n=?e?$")  # "A is wrong, and so is B"
_ASIDE = lazy_pattern(r"\([^()]*\)")
_SUPPOSED = lazy_pattern(r"i|h[,:]")  # a condition; "At first glance, …"
_SEQUEL = lazy_pattern(r"h[^L]*L°?,$")  # "Initially A, then B"
_HEADS = lazy_pattern(r"(?<![^\n¶])[\-#eO]*(L)(?:°[.):,\-]?|[.):,\-])(?=[^\n¶$])")
_INLINE = lazy_pattern(r"(L)(?:°|[.):])(?=[wcdevG])")
_OF_AN_ITEM = ("is right", "is wrong", "fits", "line", "item")  # forms that may be about an item of a list of options
_ITS_OWN = ("line", "head", "pair", "item")  # forms that begin their line


def statements(read: Signs) -> Iterator[Statement]:
    """Yield the statements in no order. An option's words count wherever they are, its label only if it is chosen.

    Example:
        >>> from triptych.metrics.replies.signs import signs
        >>> any(one.labels == {1} for one in statements(signs("The answer is B.", "ABCD")))
        True
    """
    listed, judged = _listed(read), list(verdicts(read))
    inside = {at for begin, end, _ in judged for at in range(begin, end)}
    for begin, end, denied in judged:
        yield Statement(begin, end, frozenset((read.labels[begin],)), STATED, denied, form="item")
    for form in FORMS:
        if form.needs not in read.text:
            continue
        for match in form.pattern.finditer(read.text):
            if inside and match.start("labels") in inside:
                continue
            if form.name != "mention" or match.start() in read.words:
                yield from _statements_in(match, form, read, listed)


def _listed(read: Signs) -> frozenset[int]:
    """Return the positions of labels that head the items of a list of options."""
    heads = [match.start(1) for match in _HEADS.finditer(read.text)]
    return frozenset(heads if len({read.labels[at] for at in heads}) > 1 else ())


def _statements_in(match: re.Match[str], form: Form, read: Signs, listed: frozenset[int]) -> Iterator[Statement]:
    text, (begin, end) = read.text, match.span("labels")
    labels = _labels(match, form, read)
    if not labels or (begin in listed and form.name not in _OF_AN_ITEM):
        return
    if form.name == "head" and _lists_options(begin, read):
        return
    before = "" if form.name in _ITS_OWN else text[_clause_begin(text, match.start(), _CLAUSE) : begin]
    if "not" in form.pattern.groupindex:
        other = match.start("not")
        yield Statement(other, end, frozenset((read.labels[other],)), STATED, denied=True)
        before = ""
    after = text[end : _CLAUSE_ENDS.search(text, end).start() + 1][:16]  # type: ignore[union-attr]
    if form.name in ("so", "sentence") and _SEQUEL.search(
        text[_clause_begin(text, match.start(), _SENTENCE) : match.start()]
    ):
        return
    if _is_open(before, _ASIDE.sub("", text[_clause_begin(text, match.start(), _SENTENCE) : begin]), after):
        return
    denied = (
        form.denied
        or "X" in before
        or ("W" in text[max(0, begin - 5) : begin] and bool(_WRONG_TOO.search(text, max(0, begin - 5), begin)))
        or bool(_UNDONE.match(after))
        or _is_undone(match, form)
    )
    too = "n" in before or "n" in match[0]
    yield Statement(begin, end, labels, _rank(match, form), denied, too, form.name)


def _labels(match: re.Match[str], form: Form, read: Signs) -> frozenset[int]:
    """Return the labels of a statement; none for a lower-case letter that can be a word."""
    text, (begin, end) = read.text, match.span("labels")
    lower = form.name in ("lower", "lower head", "line")
    labels = frozenset(read.labels[at] for at in range(begin, end) if at in read.labels and (lower or text[at] == "L"))
    if form.name == "line" and text[begin] == "l" and re.search("[Tv=z]", text[match.start() : begin]):
        return frozenset()
    if form.name == "lower" and 0 in labels and ":" not in match[0] and not read.small:
        return frozenset()  # "The answer is a" may go on
    return labels


def _is_open(before: str, sentence: str, after: str) -> bool:
    """Return whether a statement is a question, a condition, or what others say."""
    return after.endswith("?") or "q" in after or "i" in after or "h" in before or bool(_SUPPOSED.search(sentence))


def _is_undone(match: re.Match[str], form: Form) -> bool:
    """Return whether it is the wrong answer that a label is called, or a negation follows the predicate."""
    text = match.string
    if text[match.start()] in "NFG" and _WRONG.search(text, max(0, match.start() - 3), match.start()):
        return True
    return form.name in ("is right", "fits") and bool(_NEGATED.match(text, match.end()))


def _clause_begin(text: str, at: int, breaks: str) -> int:
    """Return where the clause, or the sentence, of a position begins, as far as it is near."""
    window = text[max(0, at - _FAR) : at]
    return max(0, at - _FAR) + max(map(window.rfind, breaks)) + 1


def _lists_options(begin: int, read: Signs) -> bool:
    """Return whether a line names several options with their texts ("A. cat B. dog")."""
    end = _LINE_ENDS.search(read.text, begin).start()  # type: ignore[union-attr]
    return len({read.labels[one.start(1)] for one in _INLINE.finditer(read.text, begin, end)}) > 1


def _rank(match: re.Match[str], form: Form) -> int:
    """Return how firm a statement is: one about the final answer, or at the beginning of a line, is firmer."""
    statement, text, at = match[0], match.string, match.start()
    if form.name == "heading" or (form.name == "answer" and ":" in statement[:4] and _begins_line(text, at)):
        return FINAL if "F" in statement else MARKED
    final = "F" in statement if form.name == "answer" else form.name == "is right" and statement.endswith("F")
    return max(form.rank, MARKED) if final else form.rank


def _begins_line(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in "\n¶#@" or text[max(0, at - 2) : at] in ("\ne", "¶e", "\nG", "¶G")
