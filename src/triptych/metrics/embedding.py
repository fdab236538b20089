"""Similarity of meaning, by text encoders: what the metrics mean. The encoders are elsewhere, and may be absent."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from triptych.metrics.metric import Metric


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts to be compared by an encoder, and how; equal ones are computed once.

    `measure`: `bertscore` (F1, from the language's model), `bertscore.rescaled`, `cls_cosine`, or `comet`, which needs
    the `source` that both texts translate. `language`: a code as bert-score's (`en`, `zh`), where the measure asks.
    """

    measure: str
    candidate: str
    reference: str
    language: str = ""
    source: str = ""


_SUM = ("sum", "units")
_AS_RELEASED = "Liu et al. (2025), appendix C.2, as released (there called BERTScore): a mean over Units"
_MEAN = "Liu et al. (2025), section 3.2: the mean of the two, a mean over Units"
METRICS = (
    Metric(
        "comet", "COMET (wmt22-comet-da)", "higher", "%", (-inf, inf), ("sum of lines' scores", "lines"),
        "Rei et al. (2022), Unbabel/wmt22-comet-da: a mean over lines, times 100",
        short="COMET"),
    Metric(
        "bertscore", "BERTScore, F1", "higher", "%", (-inf, 100.0), _SUM,
        "Zhang et al. (2020): F1, rescaled with a language's baseline where the protocol says so; a mean over Units",
        short="BERTScore"),
    Metric("cls_cosine", "cosine of two [CLS] vectors", "higher", "%", (-100.0, 100.0), _SUM, _AS_RELEASED,
        short="[CLS] cosine"),
    Metric("open_qa", "mean of [CLS] cosine and ANLS", "higher", "%", (-50.0, 100.0), _SUM, _MEAN, short="open QA"),
    Metric("open_qa.paper", "mean of BERTScore and ANLS as printed", "higher", "%", (-inf, 100.0), _SUM, _MEAN,
        short="open QA"),
    Metric("open_qa.standard", "mean of BERTScore and ANLS", "higher", "%", (-inf, 100.0), _SUM, _MEAN,
        short="open QA"),
)  # fmt: skip
