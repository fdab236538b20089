"""Ablation: the effect of a part of the input on a model's score: with it, without it, and the paired difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from triptych.analysis.comparing.differences import LEVEL
from triptych.analysis.comparing.joint import Joint, join
from triptych.analysis.comparing.sentences import explain_interval, p_words
from triptych.analysis.comparing.shared import Shared, share
from triptych.analysis.forms.instances import forms_of
from triptych.analysis.forms.spread import contrast_differences
from triptych.analysis.observed import Observed, better_of, headlines, unit_of
from triptych.benchmarks.spec import Variation
from triptych.metrics.metric import known_metrics
from triptych.records import Estimate, FigureKey, Section, figure_key, table_of
from triptych.scoring.notes.cost import COSTS

# Conditions that take something away, and those that add something, by the name before any argument.
REMOVE = frozenset({"blind", "no_context", "without", "noise", "silence", "image_noise", "grey", "mute"})
ADD = frozenset({"ocr", "transcript", "description"})
REPLICATES = 2000
EXPLANATION = (
    "The same questions were asked with and without a part of the input. The score without any media (`blind`) "
    "shows what the questions give away by themselves: guessing, world knowledge, hints in the options. The "
    "difference is the effect of that part, from the same questions in both Runs; if p is 0.05 or more, there is no"
    " significant evidence that the model used it at all."
)


def is_ablation(run: Observed) -> bool:
    """Whether the Run's Condition takes a part of the input away, or adds one."""
    names = run.manifest.conditions if run.manifest else ()
    return any(name.partition(":")[0] in REMOVE | ADD for name in names)


def ablation(base: Observed, changed: Sequence[Observed], *, replicates: int = REPLICATES) -> Section | None:
    """The base Run against Runs of the same model that were shown less, or more; None where there is none."""
    if not changed:
        return None
    differences = [e for run in changed for e in ablation_estimates(base, run, replicates)]
    table = table_of(
        "ablation",
        f"With and without: {base.label}",
        differences,
        row=_row,
        column=lambda e: e.label,
        protocol=base.protocol.name,
    )
    sentences = [s for run in changed for s in _sentences(base, run, differences)]
    notes = [
        f"{run.label}: {note}"
        for run in changed
        for note in share([base, run], base.protocol.headline).notes
        if not note.startswith("the Condition")
    ]
    if not any(e.measure == "score" for e in differences):
        notes.append("no figure could be computed over shared questions")
    title = f"Effect of the input: {base.label}"
    return Section(
        "ablation",
        title,
        EXPLANATION,
        tuple(sentences),
        tuple(differences),
        (table,),
        notes=tuple(notes),
        benchmark=base.benchmark.name,
        protocol=base.protocol.name,
    )


def ablation_estimates(base: Observed, changed: Observed, replicates: int) -> Iterator[Estimate]:
    """Both scores and the difference for each figure by at most one slice."""
    kind = base.protocol.headline
    shared = share([base, changed], kind)
    if not shared.units:
        yield Estimate(
            "contribution",
            None,
            "points",
            runs=(base.label, changed.label),
            coverage=0.0,
            signatures=(base.signature, changed.signature),
            label=changed.condition,
            reason="the two Runs share no question that counts",
        )
        return
    joint = join(shared.scores, base.protocol, base.benchmark.spec, kind, replicates=replicates)
    p_values = joint.permutation(0, 1)
    main = set(map(figure_key, headlines(base.benchmark, base.aggregates)))
    for key in joint.values:
        small = key[0] == base.benchmark.name and len(key[2]) <= 1 and key[1] not in COSTS and _is_main(key, main)
        if key in main or small:
            yield from _figure_estimates(base, changed, shared, joint, key, p_values.get(key))


def _is_main(key: FigureKey, main: set[FigureKey]) -> bool:
    return any(key[1] == metric for _, metric, _ in main)


def _figure_estimates(
    base: Observed, changed: Observed, shared: Shared, joint: Joint, key: FigureKey, p: float | None
) -> Iterator[Estimate]:
    values = [float(value) for value in joint.values[key]]
    defined = all(value == value for value in values)
    n = sum(int(joint.tables[0].contributing_counts(joint.kind)[cell]) for cell in joint.cells_of.get(key, ()))
    same = Estimate(
        "",
        None,
        n=n,
        coverage=shared.units / max(1, max(shared.unit_counts)),
        task=key[0],
        metric=key[1],
        slice=dict(key[2]),
        protocol=base.protocol.name,
        better="lower" if better_of(key[1]) == "lower" else "higher",
        reason="" if defined else "a Run has no value of this figure over the shared questions",
    )
    unit, digits = unit_of(key[1]), 1 if unit_of(key[1]) else 2
    for name, run, value in (("score", base, values[0]), ("score", changed, values[1])):
        yield structs.replace(
            same,
            measure=name,
            value=value if defined else None,
            unit=unit,
            runs=(run.label,),
            digits=digits,
            signatures=(run.signature,),
            label=run.condition or "as it is",
        )
    yield structs.replace(
        same,
        measure="contribution",
        value=values[0] - values[1] if defined else None,
        unit="points" if unit == "%" else unit,
        interval=joint.interval(key, 0, 1) if defined else None,
        p_value=p if defined else None,
        test="permutation by Instance",
        runs=(base.label, changed.label),
        signatures=(base.signature, changed.signature),
        label=f"minus {changed.condition}",
        digits=digits,
    )


def _row(e: Estimate) -> str:
    return " / ".join(e.slice.values()) or f"{e.task} {e.metric}"


def _sentences(base: Observed, run: Observed, estimates: Sequence[Estimate]) -> Iterator[str]:
    heads = set(map(figure_key, headlines(base.benchmark, base.aggregates)))
    run_estimates = [e for e in estimates if run.label in e.runs and figure_key(e) in heads]
    scores = {figure_key(e): e for e in run_estimates if e.measure == "score"}
    for e in run_estimates:
        if e.measure != "contribution" or e.value is None:
            continue
        without = scores[figure_key(e)].value or 0.0
        low_high = f"95% interval {e.interval[0]:.{e.digits}f} to {e.interval[1]:.{e.digits}f}" if e.interval else ""
        text = ", ".join(filter(None, [low_high, p_words(e), f"n = {e.n:,}"]))
        sure = e.p_value is None or e.p_value < LEVEL
        tail = "" if sure else f"; this is not significant evidence of an effect{explain_interval(e)}"
        name = _row(e)
        yield (
            f"{name}: {base.run_name} scores {without + e.value:.{e.digits}f}, and {without:.{e.digits}f} under "
            f"{run.condition}: a difference of {e.value:.{e.digits}f} ({text}){tail}."
        )


def added_inside(run: Observed, *, replicates: int = REPLICATES) -> list[Estimate]:
    """Return the effect of a change of form, if a benchmark names forms besides those of an Instance (both contexts at
    once)."""
    estimates: list[Estimate] = []

    def added_forms(variation: Variation) -> set[str]:
        """The forms outside its values that were asked."""
        names = (variation.facet, variation.content)
        return {facets.get(name, "") for facets in run.facets for name in names} - set(variation.values)

    for variation in run.benchmark.spec.variations:
        beyond = [
            c
            for c in variation.contrasts
            if variation.values and any(value not in variation.values for pair in c.pairs for value in pair)
        ]
        if any(value in added_forms(variation) for c in beyond for pair in c.pairs for value in pair):
            wide = structs.replace(variation, values=(), contrasts=tuple(beyond))
            estimates += contrast_differences(run, forms_of(run, wide), replicates, 0)
    return estimates


def chance(run: Observed) -> Estimate | None:
    """What guessing would score: the mean of 1 / options over the questions with a single choice; None for none."""
    sizes = [
        len(item.options) or len(item.labels) for item in run.items.values() if item.answer in ("letter", "option")
    ]
    sizes = [size for size in sizes if size]
    if not sizes or "acc" not in known_metrics():
        return None
    return Estimate(
        "chance",
        100 * sum(1 / size for size in sizes) / len(sizes),
        "%",
        n=len(sizes),
        coverage=1.0,
        task=run.benchmark.name,
        runs=(run.label,),
        signatures=(run.signature,),
        label="guessing",
        protocol=run.protocol.name,
    )
