"""The rules of protocol standard, for one reply. Reasoning is not part of the answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from triptych.benchmarks.mcs_bench import official
from triptych.benchmarks.mcs_bench.official import Values, mean, named
from triptych.benchmarks.mcs_bench.simplified import simplified
from triptych.metrics.choice import after_thinking
from triptych.metrics.edit_distance import levenshtein_similarity
from triptych.metrics.embedding import TextComparison
from triptych.metrics.overlap import counted_punctuation_overlap, entity_overlap
from triptych.metrics.text.chinese import word_characters

_SEPARATOR = re.compile(r"[、，,；;\n]")
_ALONE = "0-9A-Za-z"


def ocr(reference: str, reply: str) -> Values:
    """Return the same as official, with the reference converted to simplified too."""
    return official.ocr_values(
        simplified(word_characters(reference)), simplified(word_characters(after_thinking(reply)))
    )


def picture(reference: str, reply: str) -> Values:
    """Return 1 if the reply contains the answer; digits and Latin letters must not continue on either side."""
    answer, reply_text = _simplify(reference).strip(), _simplify(after_thinking(reply))
    before = rf"(?<![{_ALONE}])(?<!\d\.)" if re.match(f"[{_ALONE}]", answer) else ""
    after = rf"(?![{_ALONE}]|\.\d)" if re.search(f"[{_ALONE}]$", answer) else ""
    return {"acc": float(re.search(before + re.escape(answer) + after, reply_text) is not None)}


def translation(reference: str, reply: str) -> Values:
    """Return the same as official."""
    return official.translation(simplified(reference), after_thinking(reply))


def punctuation(reference: str, reply: str) -> Values:
    """Return the same as official, except that each mark of the reference is matched at most once."""
    return named(counted_punctuation_overlap(simplified(reference), simplified(after_thinking(reply))), "marks")


def entities(reference: str, reply: str) -> Values:
    """Return the same as official, but other commas and line ends also separate, and empty entities don't count."""
    expected, got = _entities(reference), _entities(after_thinking(reply))
    return named(entity_overlap(expected, got), "entities")


def open_texts(reference: str, reply: str) -> TextComparison:
    """Return the encoder's input for an open answer."""
    return TextComparison("bertscore", simplified(after_thinking(reply)), simplified(reference), "zh")


def open_answer(reference: str, reply: str, meaning: float | None) -> Values:
    """Return BERTScore, ANLS, and their mean."""
    anls = levenshtein_similarity(simplified(reference), simplified(after_thinking(reply)))
    return {"open_qa.standard": mean(meaning, anls), "bertscore": meaning, "anls": anls}


def _entities(text: str) -> str:
    return "、".join(dict.fromkeys(filter(None, (name.strip(" \t。.") for name in _SEPARATOR.split(simplified(text))))))


def _simplify(text: str) -> str:
    return simplified(unicodedata.normalize("NFKC", text)).casefold()


KINDS: Mapping[str, Callable[[str, str], Values]] = {
    "OCR": ocr,
    "picture": picture,
    "translation": translation,
    "punctuation": punctuation,
    "entities": entities,
}
