"""The rules of appendix C.2 where they differ from the released scorer, for one reply."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from triptych.benchmarks.mcs_bench import official
from triptych.benchmarks.mcs_bench.official import Values, mean
from triptych.benchmarks.mcs_bench.simplified import simplified, tokens
from triptych.metrics.bleu import sentence_bleu
from triptych.metrics.edit_distance import levenshtein_similarity_of_the_paper
from triptych.metrics.embedding import TextComparison
from triptych.metrics.rouge import PAPER_BETA, rouge_l, rouge_n
from triptych.metrics.text.chinese import half_width

_LATIN = re.compile(r"[A-Za-z]+")


def letters_in(reply: str, labels: Collection[str]) -> tuple[str, ...]:
    """Return the option letters in a reply, in order: those of Latin words with no other letters ("B", "ABCD")."""
    letter_words = (word for word in _LATIN.findall(half_width(reply)) if set(word) <= set(labels))
    return tuple(sorted({letter for word in letter_words for letter in word}))


def translation(reference: str, reply: str) -> Values:
    """Return BLEU (equation 5) and ROUGE (equations 11 to 15)."""
    got = simplified(reply)
    expected, hypothesis = reference.replace(" ", ""), got.replace(" ", "")
    return {
        "bleu": sentence_bleu(tokens(reference), tokens(got), 4),
        "rouge_1.recall": rouge_n(expected, hypothesis, 1).recall,
        "rouge_2.recall": rouge_n(expected, hypothesis, 2).recall,
        "rouge_l.paper": rouge_l(expected, hypothesis).f(PAPER_BETA),
    }


def open_texts(reference: str, reply: str) -> TextComparison:
    """Return the encoder's input for an open answer."""
    return TextComparison("bertscore", simplified(reply), reference, "zh")


def open_answer(reference: str, reply: str, meaning: float | None) -> Values:
    """Return BERTScore, ANLS (equation 7), and their mean."""
    anls = levenshtein_similarity_of_the_paper(reference, simplified(reply))
    return {"open_qa.paper": mean(meaning, anls), "bertscore": meaning, "anls.paper": anls}


KINDS: Mapping[str, Callable[[str, str], Values]] = {
    **official.KINDS,
    "translation": translation,
}
