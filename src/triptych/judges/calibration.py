"""Calibration of a judge: replies rated by people are judged, and both are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean

from triptych.judges.asking import Judging, ask_panel, verdicts_of
from triptych.judges.cases import Case
from triptych.judges.panel import Panel
from triptych.judges.rubric import Order, Rubric
from triptych.judges.verdicts import Opinion, Verdicts, mark, second_mark
from triptych.metrics.agreement import PairedT, krippendorff_alpha, mean_bias, paired_t, pearson, spearman
from triptych.models.adapter import Adapter
from triptych.running.loop import RunOptions

Scale = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rating:
    """A reply with its ratings by people: one score per rater, None if missing."""

    id: str
    slots: Mapping[str, str]
    people: tuple[float | None, ...]
    system: str = ""

    @property
    def mean(self) -> float:
        """The mean of the people's scores."""
        return fmean(value for value in self.people if value is not None)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of judge and people on a set of replies, on the judge's scale. None: undefined.

    `n`: replies compared; `counts`: all replies by the status of their verdict. `bias`: the mean of judge minus people.
    """

    n: int
    counts: Mapping[str, int]
    pearson: float | None
    spearman: float | None
    alpha_ordinal: float | None
    alpha_interval: float | None
    bias: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Judges compared with people.

    Attributes:
        overall: Agreement over all replies.
        systems: Agreement by system.
        tests: Two systems -> the paired test of the judges' scores, and the number of replies that both have.
        opinions: (system, reply) -> the judges' combined verdict.
        judging: How the session of the judges ended.
    """

    overall: Agreement
    systems: Mapping[str, Agreement]
    tests: Mapping[tuple[str, str], tuple[PairedT | None, int]]
    opinions: Mapping[tuple[str, str], Opinion] = field(default_factory=dict)
    judging: Judging | None = None


def calibrate(
    ratings: Sequence[Rating],
    rubric: Rubric,
    panel: Panel,
    adapters: Sequence[Adapter],
    path: Path,
    options: RunOptions,
    human_scale: Scale | None = None,
) -> Calibration:
    """Judge every rated reply (in both orders if the rubric has positions), and compare with the people's ratings.

    `human_scale`: the people's scale, if it differs from the rubric's; their scores are mapped to it linearly. A reply
    without human scores is judged for the tests between systems, and not compared.
    """
    orders: tuple[Order, ...] = ("straight", "swapped") if rubric.positions else ("straight",)
    # the hash of the content distinguishes the replies of two systems to one question
    cases = {(r.system, r.id): Case(r.id, "calibration", rubric, r.slots, orders) for r in ratings}
    judging = ask_panel(list(cases.values()), panel, adapters, path, options)
    verdicts_by_case = {id(case): verdict for case, verdict in verdicts_of(cases.values(), panel, path)}
    opinions = {
        key: _opinion(Verdicts(verdicts_by_case[id(case)], panel.combine), rubric, orders)
        for key, case in cases.items()
    }
    names = list(dict.fromkeys(rating.system for rating in ratings))
    rated = [rating for rating in ratings if any(value is not None for value in rating.people)]

    def agreement(chosen: Sequence[Rating]) -> Agreement:
        return compare(chosen, opinions, rubric.scale, human_scale or rubric.scale)

    return Calibration(
        agreement(rated),
        {name: agreement([r for r in rated if r.system == name]) for name in names if len(names) > 1},
        {(a, b): _test(a, b, opinions) for a, b in combinations(names, 2)},
        opinions,
        judging,
    )


def _opinion(verdicts: Verdicts, rubric: Rubric, orders: Sequence[Order]) -> Opinion:
    """Return the value to compare; for a pair, the reply's mean score relative to the reference's, on the scale."""
    if not rubric.positions:
        return verdicts.opinion("calibration", orders)
    opinion = verdicts.opinion("calibration", orders, second_mark, against=mark)
    return replace(opinion, value=opinion.value * rubric.scale[1])


def compare(
    ratings: Sequence[Rating], opinions: Mapping[tuple[str, str], Opinion], scale: Scale, human_scale: Scale
) -> Agreement:
    """Return the agreement over replies with a verdict; the people's scores are mapped to the judge's scale.

    Alpha is computed over the judge and all raters as separate raters, the other measures against the raters' mean.
    """
    stretch = (scale[1] - scale[0]) / (human_scale[1] - human_scale[0])
    counts: dict[str, int] = {}
    judge: list[float] = []
    people: list[tuple[float | None, ...]] = []
    for rating in ratings:
        opinion = opinions[rating.system, rating.id]
        counts[opinion.status] = counts.get(opinion.status, 0) + 1
        if opinion.status == "scored":
            judge.append(opinion.value)
            people.append(tuple(p if p is None else scale[0] + (p - human_scale[0]) * stretch for p in rating.people))
    means = [fmean(p for p in person if p is not None) for person in people]
    units = [(value, *human) for value, human in zip(judge, people, strict=True)]
    return Agreement(
        len(judge),
        counts,
        pearson(judge, means),
        spearman(judge, means),
        krippendorff_alpha(units, "ordinal"),
        krippendorff_alpha(units, "interval"),
        mean_bias(judge, means),
    )


def _test(a: str, b: str, opinions: Mapping[tuple[str, str], Opinion]) -> tuple[PairedT | None, int]:
    """Return the paired test of a minus b over the replies of both with a verdict, and their number."""
    marks = {key: opinion.value for key, opinion in opinions.items() if opinion.status == "scored"}
    both = [id_ for system, id_ in marks if system == a and (b, id_) in marks]
    return paired_t([marks[a, id_] for id_ in both], [marks[b, id_] for id_ in both]), len(both)
