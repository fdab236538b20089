"""Case: what a judge is asked about. It is separate from `asking`, so that a benchmark can name its cases without
loading what asks models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from triptych.judges.rubric import Order, Rubric
from triptych.records import Part


@dataclass(frozen=True, slots=True)
class Case:
    """One evaluation task: a subject (a Unit's id), the metric, the rubric, and the text of every slot.

    media   what was asked about, for judges that are sent media: media Parts, and texts that say which they are
    """

    subject: str
    metric: str
    rubric: Rubric
    slots: Mapping[str, str]
    orders: tuple[Order, ...] = ("straight",)
    media: tuple[Part, ...] = ()
