"""The protocols of MCS-Bench.

official  As in the released scorer: see `official.py`. Refused, truncated and empty replies are scored like any other.
paper     As in appendix C.2. A multiple-choice reply that names several letters is left to people, and `unparsed` until
          one has decided; one that names none is wrong. ROUGE-1 and -2 are recalls, ROUGE-L has beta 1.2, ANLS is
          divided by the reference's length once more, and BERTScore replaces the cosine. Otherwise as official.
standard  Reasoning is not part of the answer. One letter is extracted, otherwise the reply is
          `unparsed`; an answer of digits or Latin letters doesn't count inside a longer word; both sides are converted
          to simplified; each punctuation mark of a reference is matched at most once; BERTScore replaces the cosine.

Every question counts in all three. Metrics that need a missing package or encoder are `unavailable`: they have no
value, and no worst case either.

Versions. standard 2: more marks of reasoning are left out, and the conclusion of a multiple-choice reply is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol as TypingProtocol

from triptych.benchmarks.mcs_bench import official, paper, standard
from triptych.benchmarks.mcs_bench.aggregation import aggregate
from triptych.benchmarks.mcs_bench.official import Values
from triptych.benchmarks.mcs_bench.simplified import missing_packages, packages_used
from triptych.metrics.choice import read_letter
from triptych.metrics.embedding import TextComparison
from triptych.protocols.outcomes import AMBIGUOUS, ANY_TEXT, REPLIES, lost_status, person_reading, scored, unscored
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import Extraction, ResponseStatus, Score, ScoreStatus

_OCR = ("cr", "ar", "ned", "f1.charset", "precision.charset", "recall.charset", "bleu")
_SAME = {"OCR": _OCR, "choice": ("acc",), "picture": ("acc",)}
_AS_RELEASED = {
    **_SAME,
    "punctuation": ("f1.punctuation", "precision.punctuation", "recall.punctuation"),
    "entities": ("f1.entity", "precision.entity", "recall.entity"),
}
# protocol -> kind of Task -> its metrics, the main one first
METRICS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "official": {
        **_AS_RELEASED,
        "translation": ("bleu", "rouge_1", "rouge_2", "rouge_l"),
        "open": ("open_qa", "cls_cosine", "anls"),
    },
    "paper": {
        **_AS_RELEASED,
        "translation": ("bleu", "rouge_1.recall", "rouge_2.recall", "rouge_l.paper"),
        "open": ("open_qa.paper", "bertscore", "anls.paper"),
    },
    "standard": {
        **_SAME,
        "punctuation": ("f1.marks", "precision.marks", "recall.marks"),
        "entities": ("f1.entities", "precision.entities", "recall.entities"),
        "translation": ("bleu", "rouge_1", "rouge_2", "rouge_l"),
        "open": ("open_qa.standard", "bertscore", "anls"),
    },
}
# A metric's worst value if it isn't 0, and the encoder (measure, language) that it needs
_WORST = {"ned": 1.0}
_COSINE, _BERTSCORE = ("cls_cosine", ""), ("bertscore", "zh")
_VERSIONS = {"standard": "4"}
_ENCODER = {
    "open_qa": _COSINE,
    "open_qa.paper": _BERTSCORE,
    "open_qa.standard": _BERTSCORE,
    "cls_cosine": _COSINE,
    "bertscore": _BERTSCORE,
}


@dataclass(frozen=True, slots=True)
class ReadReply:
    """A reply as a protocol reads it: values by metric (None: no encoder), or no values, and the reason."""

    values: Values
    extraction: Extraction = None
    unparsed: bool = False
    note: str = ""


class OpenRules(TypingProtocol):
    """A module's rules for open answers: the encoder's input, and the values computed from its output."""

    def open_texts(self, reference: str, reply: str) -> TextComparison: ...

    def open_answer(self, reference: str, reply: str, similar: float | None, /) -> Values: ...


_OPEN: Mapping[str, OpenRules] = {"official": official, "paper": paper, "standard": standard}


def _open(name: str, unit: Unit, reply: str) -> ReadReply:
    rules, target = _OPEN[name], str(unit.item.target)
    return ReadReply(rules.open_answer(target, reply, unit.compared.value(rules.open_texts(target, reply))))


def _official(unit: Unit, reply: str) -> ReadReply:
    item = unit.item
    return ReadReply(official.KINDS[item.facets["kind"]](str(item.target), reply))


def _paper(unit: Unit, reply: str) -> ReadReply:
    item = unit.item
    if item.facets["kind"] != "choice":
        return ReadReply(paper.KINDS[item.facets["kind"]](str(item.target), reply))
    assert unit.response is not None
    named = paper.letters_in(reply, item.labels)
    verdict = person_reading(unit.response)
    if len(named) > 1 and verdict is None:
        return ReadReply({}, named, unparsed=True, note=AMBIGUOUS)
    letter = verdict if len(named) > 1 else next(iter(named), "")
    return ReadReply({"acc": float(letter == item.target)}, letter or None)


def _standard(unit: Unit, reply: str) -> ReadReply:
    item = unit.item
    if item.facets["kind"] != "choice":
        return ReadReply(standard.KINDS[item.facets["kind"]](str(item.target), reply))
    letter = read_letter(reply, item.labels, item.option_words())
    return ReadReply({"acc": float(letter == item.target)}, letter, unparsed=letter is None)


def _scorer(
    name: str, read: Callable[[Unit, str], ReadReply], reads: Collection[ResponseStatus]
) -> Callable[[Unit], Sequence[Score]]:
    def score(unit: Unit) -> Sequence[Score]:
        kind = unit.item.facets["kind"]
        metrics = METRICS[name][kind]
        if status := lost_status(unit, reads):
            return [_score_without_reply(unit, metric, status) for metric in metrics]
        if why := "the answer is not known" if unit.item.target is None else missing_packages(kind):
            return [unscored(unit, metric, "unavailable", 0.0, 0.0, note=why) for metric in metrics]
        assert unit.response is not None
        reply = unit.response.text
        reading = _open(name, unit, reply) if kind == "open" else read(unit, reply)
        return [_score(unit, metric, reading) for metric in metrics]

    return score


def _score(unit: Unit, metric: str, reading: ReadReply) -> Score:
    if reading.unparsed:
        return unscored(unit, metric, "unparsed", extraction=reading.extraction, note=reading.note)
    value = reading.values[metric]
    if value is None:
        return unscored(unit, metric, "unavailable", 0.0, 0.0, note=unit.compared.lacking(*_ENCODER[metric]))
    return scored(unit, metric, value, extraction=reading.extraction)


def _score_without_reply(unit: Unit, metric: str, status: ScoreStatus) -> Score:
    """Return the Score of a Unit without a reply: the worst value, unless the metric is unavailable."""
    encoder = _ENCODER.get(metric)
    there = not (encoder and unit.compared.lacking(*encoder)) and not missing_packages(unit.item.facets["kind"])
    return (
        unscored(unit, metric, status, _WORST.get(metric, 0.0), 1.0)
        if there
        else unscored(unit, metric, status, 0.0, 0.0)
    )


def _comparing(name: str, reads: Collection[ResponseStatus]) -> Callable[[Unit], Sequence[TextComparison]]:
    def compares(unit: Unit) -> Sequence[TextComparison]:
        item, response = unit.item, unit.response
        if item.facets["kind"] != "open" or lost_status(unit, reads) or item.target is None or missing_packages("open"):
            return ()
        assert response is not None
        return (_OPEN[name].open_texts(str(item.target), response.text),)

    return compares


def _protocol(
    name: str, summary: str, read: Callable[[Unit, str], ReadReply], reads: Collection[ResponseStatus]
) -> Protocol:
    return Protocol(
        name,
        _VERSIONS.get(name, "1"),
        summary,
        "all",
        _scorer(name, read, reads),
        aggregate,
        packages_used(),
        compares=_comparing(name, reads),
    )


PROTOCOLS: dict[str, Protocol] = {
    "official": _protocol("official", "the released scorer, quirks included", _official, ANY_TEXT),
    "paper": _protocol("paper", "as appendix C.2 defines it; several letters go to people", _paper, ANY_TEXT),
    "standard": _protocol("standard", "one letter extracted, never guessed; real BERTScore", _standard, REPLIES),
}
