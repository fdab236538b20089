"""Kinds of error that are visible in the reply itself: rules only, no model is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from triptych.metrics.replies.failing import declines, describes, repeats_itself
from triptych.metrics.text.language import guess_language
from triptych.records import Item, Response

# In the order in which one stands for a reply that shows several: what explains the rest comes first.
AUTOMATIC = {
    "no_answer": "no reply: the call failed, or the model can't take the input",
    "empty": "only whitespace, or only reasoning",
    "refusal": "the model declines",
    "repetition": "the reply repeats itself in a loop",
    "truncated": "truncated at the token limit",
    "wrong_language": "not in the language that was asked for",
    "other_task": "another task: a transcript instead of an answer or translation, a description, the question again",
    "over_generation": "several times as long as the reference",
    "under_generation": "a fraction as long as the reference",
    "format": "no answer could be extracted, or it is correct but not in the form asked for",
}
OVER, UNDER = 3.0, 1 / 3
MIN_REFERENCE_LENGTH = 20  # characters: for a shorter reference the reply's length says little
COMPARED = 2000  # number of characters compared
ALIKE, CLEARLY = 0.7, 0.15
_SHORT = 100  # characters
_NO_ANSWER = frozenset({"failed", "skipped", "missing"})
# Hidden texts that a reply must not just repeat: the source of a translation, what a recording or picture says.
_SOURCES = ("source", "transcript", "true_text")


@dataclass(frozen=True, slots=True)
class Reply:
    """A Unit's reply with what it is compared with: its Items, the reply text, and the scorer's result.

    `status`: of the first Response without an answer, otherwise `answered`. `unparsed`: the scorer found no answer in
    it; `right_elsewhere`: another protocol of the benchmark finds the right one.
    """

    item: Item
    text: str
    status: str
    unparsed: bool = False
    right_elsewhere: bool = False


def reply_of(
    items: tuple[Item, ...],
    responses: tuple[Response | None, ...],
    *,
    unparsed: bool = False,
    right_elsewhere: bool = False,
) -> Reply:
    """The replies of a Unit as one, in order."""
    statuses = ["missing" if r is None else r.status for r in responses]
    status = next((s for s in statuses if s != "answered"), "answered")
    return Reply(items[0], text_of(responses), status, unparsed, right_elsewhere)


def text_of(responses: tuple[Response | None, ...]) -> str:
    """The texts of a Unit's replies, in order."""
    return "\n".join([r.text for r in responses if r is not None]).strip()


def signs(reply: Reply) -> list[str]:
    """Every automatic kind that the reply shows, the first of which stands for it; empty for none."""
    return list(_signs(reply))


def _signs(reply: Reply) -> Iterator[str]:
    if reply.status in _NO_ANSWER:
        yield "no_answer"
        return
    text, item = reply.text, reply.item
    if reply.status == "refused" or (_shows(declines, text) and not declines(_target(item))):
        yield "refusal"
    elif not text:
        yield "empty"
    if _shows(repeats_itself, text) and not repeats_itself(_target(item)):
        yield "repetition"
    if reply.status == "truncated":
        yield "truncated"
    if text and item.answer == "text":
        yield from _of_free_text(text, item)
    if text and (reply.unparsed or reply.right_elsewhere):
        yield "format"


def _shows(sign: Callable[[str], bool], text: str) -> bool:
    """Whether a text shows a sign; short replies occur again and again, so what they show is remembered."""
    return _remembered(sign, text) if len(text) <= _SHORT else sign(text)


@lru_cache(maxsize=4096)
def _remembered(sign: Callable[[str], bool], text: str) -> bool:
    return sign(text)


def _of_free_text(text: str, item: Item) -> Iterator[str]:
    """What only a reply in free words can show."""
    target = _target(item)
    spoken, wanted = guess_language(text), expected_language(item)
    if spoken and wanted and spoken != wanted:
        yield "wrong_language"
    if _does_another_task(text, target, item):
        yield "other_task"
    if len(target) >= MIN_REFERENCE_LENGTH:
        ratio = len(text) / len(target)
        if ratio > OVER:
            yield "over_generation"
        if ratio < UNDER:
            yield "under_generation"


def expected_language(item: Item) -> str | None:
    """Return the language of the answer: that of the Item's facet, otherwise that of the reference; None if it is
    unknown."""
    return item.facets.get("language") or guess_language(_target(item))


def _does_another_task(text: str, target: str, item: Item) -> bool:
    """Return whether the reply transcribes its input, repeats the question, or describes the medium although its words
    were asked for."""
    own_likeness = likeness(text, target) if target else 0.0
    question = "\n".join(part.text for part in item.parts if not part.is_media and part.role != "content")
    others = [item.hidden.get(name, "") for name in _SOURCES]
    content_text = "\n".join(part.text for part in item.parts if part.role == "content")
    for other in filter(None, (*others, content_text, question)):
        if likeness(text, other) >= max(ALIKE, own_likeness + CLEARLY):
            return True
    return bool(target) and own_likeness < ALIKE and describes(text) and not describes(target) and _wants_words(item)


def _wants_words(item: Item) -> bool:
    """Return whether the reference is the text in the medium, so that a description is another task."""
    kinds = {item.facets.get(name, "").casefold() for name in ("kind", "task", "subtask")}
    return bool(kinds & {"asr", "ocr", "trans", "translation", "punctuation"}) or item.task.endswith(("/asr", "/s2tt"))


def likeness(one: str, other: str) -> float:
    """1 - edit distance / longer length, ignoring whitespace and case, over the first 2,000 characters; 0 where either
    is empty."""
    a, b = ("".join(text.split()).casefold()[:COMPARED] for text in (one, other))
    return Levenshtein.normalized_similarity(a, b) if a and b else 0.0


def _target(item: Item) -> str:
    return item.target if isinstance(item.target, str) else ""
