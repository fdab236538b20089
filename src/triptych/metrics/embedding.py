"""Descriptions of the metrics that compare meanings with text encoders.

The encoders themselves are in `triptych.models.encoders` and are optional.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from triptych.metrics.metric import Metric


@dataclass(frozen=True, slots=True)
class TextComparison:
    """Two texts for an encoder to compare. Equal comparisons are computed once.

    Attributes:
        measure: `bertscore` (F1 with the model of the language), `bertscore.rescaled`, `cls_cosine` or `comet`.
        candidate: The text to score.
        reference: The text to compare it with.
        language: Language code as in bert-score (`en`, `zh`), if the measure needs one.
        source: The text that both translate; only for `comet`.
    """

    measure: str
    candidate: str
    reference: str
    language: str = ""
    source: str = ""


_SUM = ("sum", "units")
_AS_RELEASED = "Liu et al. (2025), appendix C.2, as released, where it is called BERTScore; mean over Units"
_MEAN = "Liu et al. (2025), section 3.2: mean of the two, then mean over Units"
METRICS = (
    Metric(
        "comet",
        "COMET (wmt22-comet-da)",
        "higher",
        "%",
        (-inf, inf),
        ("sum of lines' scores", "lines"),
        "Rei et al. (2022), Unbabel/wmt22-comet-da: mean over lines, times 100",
        short="COMET",
    ),
    Metric(
        "bertscore",
        "BERTScore, F1",
        "higher",
        "%",
        (-inf, 100.0),
        _SUM,
        "Zhang et al. (2020): F1, rescaled with the language's baseline if the protocol says so; mean over Units",
        short="BERTScore",
    ),
    Metric(
        "cls_cosine",
        "cosine of two [CLS] vectors",
        "higher",
        "%",
        (-100.0, 100.0),
        _SUM,
        _AS_RELEASED,
        short="[CLS] cosine",
    ),
    Metric("open_qa", "mean of [CLS] cosine and ANLS", "higher", "%", (-50.0, 100.0), _SUM, _MEAN, short="open QA"),
    Metric(
        "open_qa.paper",
        "mean of BERTScore and ANLS as printed",
        "higher",
        "%",
        (-inf, 100.0),
        _SUM,
        _MEAN,
        short="open QA",
    ),
    Metric(
        "open_qa.standard", "mean of BERTScore and ANLS", "higher", "%", (-inf, 100.0), _SUM, _MEAN, short="open QA"
    ),
)
