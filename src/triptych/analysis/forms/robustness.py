"""Robustness: how far one model's scores move with what should not matter: the prompt, the options' order, noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from triptych.analysis.comparing.differences import LEVEL
from triptych.analysis.comparing.joint import Joint, join
from triptych.analysis.comparing.scope import comparable
from triptych.analysis.comparing.sentences import p_words
from triptych.analysis.comparing.shared import Shared, share
from triptych.analysis.comparing.significance import holm
from triptych.analysis.forms.consistency import Measured
from triptych.analysis.forms.instances import forms_across
from triptych.analysis.observed import Observed, better_of, headlines, is_binary, unit_of
from triptych.benchmarks.spec import Variation
from triptych.metrics.statistics.limits import lowest_interval
from triptych.records import Estimate, FigureKey, Section, Table, figure_key, table_of
from triptych.records.estimates import Better

if TYPE_CHECKING:
    from triptych.scoring.figures.cells import Array

REPLICATES = 2000
VARIANT = Variation("variant", "variant")
EXPLANATION = (
    "One model answered the same questions in several variants. `worst` is its lowest score over them, `spread` the"
    " highest minus the lowest. Scores differ a little even if a variant changes nothing, due to sampling noise: "
    "`spread by chance` is the mean spread that equivalent variants would show with these questions, and p the "
    "probability of a spread as large; if p is 0.05 or more, the spread is not significant. Each variant is also "
    "compared with the first, question by question, with Holm's correction for multiple tests. `Right in all` is "
    "the share of questions that are answered correctly in every variant."
)


def robustness(runs: Sequence[Observed], *, replicates: int = REPLICATES, seed: int = 0) -> Section | None:
    """Runs of one model that differ in prompt or Condition, the first as the base; None for fewer than two."""
    if len(runs) < 2:
        return None
    kind = runs[0].protocol.headline
    usable, excluded = comparable(runs, kind)
    runs = usable if len(usable) > 1 else runs
    names = variant_names(runs)
    shared = share(runs, kind)
    warnings, runs = (*(f"left out: {label}: {why}" for label, why in excluded.items()), *shared.notes), shared.runs
    title = f"Robustness: {runs[0].run_name} in {len(runs)} variants"
    if not shared.units:
        nothing = Estimate(
            "spread",
            None,
            "points",
            runs=tuple(r.label for r in runs),
            coverage=0.0,
            signatures=tuple(r.signature for r in runs),
            reason="the variants share no question that counts",
        )
        return _section(runs, title, (), (nothing,), (), warnings)
    joint = join(shared.scores, runs[0].protocol, runs[0].benchmark.spec, kind, replicates=replicates, seed=seed)
    main = dict.fromkeys(map(figure_key, headlines(runs[0].benchmark, runs[0].aggregates)))
    estimates = [e for key in main if key in joint.values for e in _of_figure(runs, names, shared, joint, key)]
    units = [*_by_unit(runs, names, replicates, seed)]
    tables = [
        table_of(
            "robustness",
            title,
            (e for e in estimates if e.measure in _SHOWN),
            row=lambda e: e.slice["variant"],
            column=lambda e: e.label,
            protocol=runs[0].protocol.name,
        )
    ]
    return _section(
        runs, title, tuple(_sentences(runs, estimates, units)), (*estimates, *units), tuple(tables), warnings
    )


_SHOWN = ("variant", "variant.difference")


def variant_names(runs: Sequence[Observed]) -> list[str]:
    """Return names that distinguish variants: Condition, and prompt if prompts differ; otherwise the labels."""
    prompts = {run.manifest.prompt for run in runs if run.manifest}
    names = []
    for run in runs:
        prompt = run.manifest.prompt if run.manifest and len(prompts) > 1 else ""
        names.append(", ".join(filter(None, [run.condition, prompt and f"prompt {prompt}"])) or "as it is")
    return names if len(set(names)) == len(names) else [run.label for run in runs]


def _of_figure(
    runs: Sequence[Observed], names: Sequence[str], shared: Shared, joint: Joint, key: FigureKey
) -> Iterator[Estimate]:
    values = np.asarray(joint.values[key], dtype=np.float64)
    is_finite = bool(np.isfinite(values).all())
    unit, sign = unit_of(key[1]), -1.0 if better_of(key[1]) == "lower" else 1.0
    better: Better = "lower" if sign < 0 else "higher"
    figure = " / ".join([key[0], key[1], *(v for _, v in key[2])])
    n = sum(int(joint.tables[0].contributing_counts(joint.kind)[cell]) for cell in joint.cells_of.get(key, ()))
    coverage = shared.units / max(1, max(shared.unit_counts))

    def make(
        measure: str, label: str, value: float, unit_: str, cell_runs: Sequence[Observed], **more: object
    ) -> Estimate:
        return Estimate(
            measure,
            value if is_finite else None,
            unit_,
            n=n,
            coverage=coverage,
            task=key[0],
            metric=key[1],
            protocol=joint.protocol.name,
            runs=tuple(r.label for r in cell_runs),
            signatures=tuple(r.signature for r in cell_runs),
            label=label,
            digits=1 if unit else 2,
            reason="" if is_finite else "a variant has no value",
            **{"slice": dict(key[2]), **more},  # type: ignore[arg-type]
        )

    p_values = [joint.permutation(0, other).get(key) for other in range(1, len(runs))]
    adjusted = [None, *holm(p_values)]
    points = "points" if unit == "%" else unit
    for number, (run, name) in enumerate(zip(runs, names, strict=True)):
        slice_ = {**dict(key[2]), "variant": name}
        interval = joint.own_interval(key, number)
        yield make(
            "variant", figure, float(values[number]), unit, [run], slice=slice_, better=better, interval=interval
        )
        if number:
            yield make(
                "variant.difference",
                f"{figure} minus {names[0]}",
                float(values[number] - values[0]),
                points,
                [run, runs[0]],
                slice=slice_,
                interval=joint.interval(key, number, 0),
                p_value=p_values[number - 1],
                p_adjusted=adjusted[number],
                test="permutation by Instance",
            )
    lowest = int(np.argmin(sign * values)) if is_finite else 0
    worst = lowest_interval(sign * values, sign * joint.spread[key].T, df=joint.degrees_of_freedom(key))
    yield make(
        "worst",
        "worst variant",
        float(values[lowest]),
        unit,
        runs,
        better=better,
        note=names[lowest],
        interval=worst and ((worst[0], worst[1]) if sign > 0 else (-worst[1], -worst[0])),
    )
    spread, luck = float(values.max() - values.min()), _chance_spread(joint.spread[key] - values[:, None])
    sure = (1 + int((luck >= spread - 1e-9).sum())) / (1 + len(luck)) if joint.instances > 1 else None
    yield make(
        "spread",
        "spread over variants",
        spread,
        points,
        runs,
        better="lower",
        p_value=sure,
        test="bootstrap of equal variants",
    )
    yield make("spread.by_luck", "spread by chance", float(luck.mean()) if len(luck) else 0.0, points, runs)
    yield make("deviation", "standard deviation over variants", float(values.std(ddof=1)), points, runs, better="lower")


def _chance_spread(moved: Array) -> Array:
    """Return the spread of each replicate in which every variant has a value, from scores as (variants, replicates)."""
    spread = moved.max(axis=0) - moved.min(axis=0)
    return np.asarray(spread[~np.isnan(spread)])


def _by_unit(runs: Sequence[Observed], names: Sequence[str], replicates: int, seed: int) -> Iterator[Estimate]:
    """Yield the shares of questions over all variants, if answers are right or wrong."""
    forms = forms_across(runs, VARIANT, names)
    if forms.groups and is_binary(s for g in forms.groups for s in g.scores.values()):
        measured = Measured(runs[0], forms, min(replicates, 1000), seed)
        for e in (*measured.complete_instances(), *measured.agreement()):
            if e.measure in ("all_right", "all_right.by_luck", "none_right", "agreement", "agreement.beyond_luck"):
                yield e


def _sentences(runs: Sequence[Observed], estimates: Sequence[Estimate], units: Sequence[Estimate]) -> Iterator[str]:
    for spread in (e for e in estimates if e.measure == "spread" and e.value is not None):
        estimates_by_measure = {
            e.measure: e
            for e in estimates
            if (e.task, e.metric) == (spread.task, spread.metric)
            and {k: v for k, v in e.slice.items() if k != "variant"} == spread.slice
        }
        drawn, worst = estimates_by_measure["spread.by_luck"], estimates_by_measure["worst"]
        verdict = "more than chance" if (spread.p_value or 1.0) < LEVEL else "not more than chance"
        mean = f"{drawn.value:.{drawn.digits}f} on average"
        yield (
            f"{spread.task} {spread.metric}: {spread.value:.{spread.digits}f} {spread.unit or ''} between the best and "
            f"the worst of {len(runs)} variants, {verdict} ({', '.join(filter(None, [mean, p_words(spread)]))}); "
            f"the worst is {worst.note} with {worst.value:.{worst.digits}f} (n = {spread.n:,})."
        ).replace("  ", " ")
    for e in units:
        if e.measure == "all_right" and not e.slice and e.value is not None:
            yield f"{e.task}: {e.value:.1f}% of the questions are right in every variant (n = {e.n:,})."


def _section(
    runs: Sequence[Observed],
    title: str,
    sentences: tuple[str, ...],
    estimates: tuple[Estimate, ...],
    tables: tuple[Table, ...],
    warnings: tuple[str, ...],
) -> Section:
    return Section(
        "robustness",
        title,
        EXPLANATION,
        sentences,
        estimates,
        tables,
        notes=warnings,
        benchmark=runs[0].benchmark.name,
        protocol=runs[0].protocol.name,
    )
