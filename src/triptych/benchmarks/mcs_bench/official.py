r"""The rules of the released scorer for one reply, including its quirks. Every value is per Unit.

OCR           The reply is cleaned (only `\w` characters), then converted to simplified; the reference is only cleaned.
              CR, AR, NED, F1 over sets of characters, and character BLEU are all computed on these.
choice        Correct if the answer occurs anywhere in the cleaned, simplified reply; "ABCD" is always correct.
translation   BLEU on jieba words, ROUGE on characters; U+0020 is left out for ROUGE, other whitespace is a character.
punctuation   A mark of the reply is correct if its pair occurs anywhere in the reference's list.
entities      The texts between `、`; spaces at the ends of the reply are removed, those of the reference aren't.
open          ANLS on the simplified reply; the cosine of [CLS] vectors; open_qa is the mean of the two.

If the scorer would fail (NED and recall of an empty reference), the value is 0. The scorer takes means over the values.
Source: calculate_metrics.py of SCUT-DLVCLab/MCS-Bench (2025), described in our own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from triptych.benchmarks.mcs_bench.simplified import simplified, tokens
from triptych.metrics.bleu import sentence_bleu
from triptych.metrics.edit_distance import levenshtein_similarity, normalised_edit_distance
from triptych.metrics.embedding import TextComparison
from triptych.metrics.error_rate import ocr_rates
from triptych.metrics.overlap import Overlap, character_set_overlap, entity_overlap, punctuation_overlap
from triptych.metrics.rouge import rouge_l, rouge_n
from triptych.metrics.text.bounded_cache import remembered
from triptych.metrics.text.chinese import word_characters

# Metric id -> value; None if an encoder is missing
Values = dict[str, float | None]


def ocr(reference: str, reply: str) -> Values:
    """Return CR, AR, NED, F1 and its parts, and BLEU. `reply` is the model's text, unchanged."""
    return ocr_values(word_characters(reference), simplified(word_characters(reply)))


@remembered(8192)  # the protocols differ little here and share most values
def ocr_values(expected: str, got: str) -> Values:
    """Return the same for two texts that are already cleaned."""
    correct, accurate = ocr_rates(expected, got)
    return {
        "cr": correct,
        "ar": accurate,
        "ned": normalised_edit_distance(expected, got),
        **named(character_set_overlap(expected, got), "charset"),
        "bleu": sentence_bleu(expected, got, 1),
    }


def contains(reference: str, reply: str) -> Values:
    """Return Acc of choices and of questions about a picture."""
    return {"acc": float(reference in simplified(word_characters(reply)))}


def letter(reference: str, reply: str) -> Values:
    """Return Acc of choices; letters need no conversion."""
    return {"acc": float(reference in word_characters(reply))}


def translation(reference: str, reply: str) -> Values:
    """Return BLEU and ROUGE."""
    got = simplified(reply)
    # spaces are removed before the conversion, which depends on neighbours: 著 著 is unchanged, 著著 becomes 着着
    expected, hypothesis = reference.replace(" ", ""), simplified(reply.replace(" ", ""))
    return {
        "bleu": sentence_bleu(tokens(reference), tokens(got), 4),
        "rouge_1": rouge_n(expected, hypothesis, 1).f(),
        "rouge_2": rouge_n(expected, hypothesis, 2).f(),
        "rouge_l": rouge_l(expected, hypothesis).f(),
    }


def punctuation(reference: str, reply: str) -> Values:
    """Return F1, precision and recall of punctuation marks in their positions."""
    return named(punctuation_overlap(reference, simplified(reply)), "punctuation")


def entities(reference: str, reply: str) -> Values:
    """Return F1, precision and recall over sets of entities."""
    return named(entity_overlap(reference, simplified(reply).strip()), "entity")


def open_texts(reference: str, reply: str) -> TextComparison:
    """Return the encoder's input for an open answer."""
    return TextComparison("cls_cosine", simplified(reply), reference)


def open_answer(reference: str, reply: str, cosine: float | None) -> Values:
    """Return the cosine, ANLS, and their mean."""
    anls = levenshtein_similarity(reference, simplified(reply))
    return {"open_qa": mean(cosine, anls), "cls_cosine": cosine, "anls": anls}


def named(overlap: Overlap, kind: str) -> Values:
    """Return an overlap by metric ids."""
    return {f"f1.{kind}": overlap.f1, f"precision.{kind}": overlap.precision, f"recall.{kind}": overlap.recall}


def mean(*values: float | None) -> float | None:
    """Return the mean; None if a value is missing."""
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if len(defined) == len(values) else None


KINDS: Mapping[str, Callable[[str, str], Values]] = {
    "OCR": ocr,
    "choice": letter,
    "picture": contains,
    "translation": translation,
    "punctuation": punctuation,
    "entities": entities,
}
