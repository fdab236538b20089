"""The one entry point: Runs in, Sections out; what applies to them is chosen here."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

from msgspec import structs

from triptych.analysis.comparing.comparison import Comparison, compare_runs
from triptych.analysis.comparing.sentences import MAX_RUNS_IN_PROSE
from triptych.analysis.comparing.shared import left_out_lines, share
from triptych.analysis.cost import cost_section
from triptych.analysis.forms.ablation import ablation, added_inside, chance, is_ablation
from triptych.analysis.forms.consistency import consistency
from triptych.analysis.forms.positions import position_bias
from triptych.analysis.forms.robustness import robustness
from triptych.analysis.groups import groups
from triptych.analysis.observed import Observed
from triptych.analysis.raters.agreement import Ratings, of_run
from triptych.records import Section
from triptych.scoring.figures.aggregate import aggregate_scores
from triptych.scoring.notes.differences import settings_apart
from triptych.store.folder import RunFolder
from triptych.store.processes import MAX_PROCESSES, carried_out

KINDS = ("significance", "consistency", "robustness", "ablation", "agreement", "cost", "groups")
LARGE = 20_000  # Scores of all Runs, from which several processes save more time than they cost
Part = Callable[[], list[Section]]


def analyse_observed(
    runs: Sequence[Observed], kinds: Sequence[str] = KINDS, *, seed: int = 0, ratings: Ratings | None = None
) -> list[Section]:
    """Run every analysis that applies to these Runs of one benchmark. No model is called.

    consistency: inside the Instances of each Run; robustness: position bias of each Run, and variants of one model;
    ablation: one model with and without a part of its input; significance: models under the same Condition;
    agreement: where judges or people have rated a Run; cost: of Runs that a model was asked in; groups: models of the
    catalogue with a property against the others. `ratings`: what people gave the replies, from a file.
    """
    return join_sections(side_by_side(analyses(runs, kinds, seed=seed, ratings=ratings), runs))


def side_by_side(parts: Sequence[Callable[[], list[Any]]], runs: Sequence[Observed]) -> list[list[Any]]:
    """Return the results of parts of an analysis of these Runs, in their order.

    Parts of large Runs are carried out in several processes, so those that take longest should come first.
    """
    if sum(len(run.scores) for run in runs) < LARGE:
        return carried_out(parts, 1)
    for run in runs:
        _ = run.items  # read now, so that the processes share them
    return carried_out(parts)


def analyses(
    runs: Sequence[Observed], kinds: Sequence[str] = KINDS, *, seed: int = 0, ratings: Ratings | None = None
) -> list[Part]:
    """Return the analyses of `analyse_observed` as functions that don't depend on each other, in the order of their
    Sections, which `joined` makes one list."""
    parts: list[Part] = []
    if "significance" in kinds:
        parts.append(lambda: list(_significance(runs, seed)))
    if "consistency" in kinds:
        parts += [partial(_consistency, part, seed, pooled_notes(runs)) for part in _divided(merge_runs(runs))]
    if "robustness" in kinds:
        parts.append(lambda: list(_robustness(runs, seed)))
    if "ablation" in kinds:
        parts.append(lambda: [s for family in families(runs) for s in _ablation(family)])
    if "agreement" in kinds:
        parts.append(lambda: [s for run in runs if (s := of_run(run, ratings))])
    if "cost" in kinds and (asked_runs := [run for run in runs if _is_asked(run)]):
        parts.append(lambda: [_cost(asked_runs)])
    if "groups" in kinds:
        parts.append(lambda: list(_groups(runs, seed)))
    return parts


def join_sections(groups_of_sections: Sequence[Sequence[Section]]) -> list[Section]:
    """Return the results of `analyses` as one list, in which each Section has an id of its own."""
    return list(_with_unique_ids([section for sections in groups_of_sections for section in sections]))


def _divided(runs: Sequence[Observed]) -> list[Sequence[Observed]]:
    """Return the Runs in as many parts as there are processes at most: what Runs of the same Items share is computed
    once for each part."""
    size = ceil(len(runs) / MAX_PROCESSES)
    return [runs[start : start + size] for start in range(0, len(runs), size)]


def _consistency(runs: Sequence[Observed], seed: int, notes: Mapping[str, Sequence[str]]) -> list[Section]:
    return [
        structs.replace(section, notes=(*section.notes, *notes.get(run.label, ())))
        for run in runs
        for section in consistency(run, seed=seed)
    ]


def _robustness(runs: Sequence[Observed], seed: int) -> Iterator[Section]:
    """Yield robustness over the variants of each model, and the position bias of each Run."""
    for family in families(runs):
        if section := _variants([run for run in family if not is_ablation(run)], seed):
            yield section
    for run in runs:
        if section := position_bias(run, seed=seed):
            yield section


def _groups(runs: Sequence[Observed], seed: int) -> Iterator[Section]:
    for condition in dict.fromkeys(run.condition for run in runs):
        if section := groups([run for run in runs if run.condition == condition], seed=seed):
            title = f"{section.title} ({condition})" if condition else section.title
            yield structs.replace(section, title=title)


def _is_asked(run: Observed) -> bool:
    """Return whether a model was asked in a Run: a baseline costs nothing, and a replay and results made elsewhere
    report no cost."""
    return run.path is not None and run.manifest is not None and not run.model.startswith(("baseline/", "replay/"))


def _cost(runs: Sequence[Observed]) -> Section:
    responses_by_run = (
        (run.label, run.all_items, RunFolder.open(run.path).all_responses()) for run in runs if run.path is not None
    )
    section = cost_section(responses_by_run)
    return structs.replace(section, benchmark=runs[0].benchmark.name)


def merge_runs(runs: Sequence[Observed]) -> list[Observed]:
    """Merge Runs of one model that asked different questions of the same data under the same Condition.

    So forms of an Instance that were asked in Runs of their own (fixed prompts and mixed, speech and text) are compared
    as in a single Run. Runs that share a Unit stay apart.
    """
    return [
        one
        for model_runs in _of_one_model(runs)
        for one in ([_merge_runs(model_runs)] if _disjoint(model_runs) else model_runs)
    ]


def pooled_notes(runs: Sequence[Observed]) -> dict[str, list[str]]:
    """Return label of a merged Run -> the settings in which its parts differ, as `compare` states them."""
    return {
        _label(model_runs): list(_differing_settings(model_runs))
        for model_runs in _of_one_model(runs)
        if _disjoint(model_runs)
    }


def _differing_settings(runs: Sequence[Observed]) -> Iterator[str]:
    for name, values in settings_apart([run.manifest for run in runs]).items():
        text = "; ".join(f"{run.label}: {value}" for run, value in zip(runs, values, strict=True))
        yield f"the setting {name} differs ({text}): this may cause the difference between forms, not only the forms"


def _of_one_model(runs: Sequence[Observed]) -> list[list[Observed]]:
    groups: dict[tuple[str, ...], list[Observed]] = defaultdict(list)
    for run in runs:
        m = run.manifest
        groups[(m.called, m.revision, m.data_sha256, m.condition) if m else (run.label,)].append(run)
    return list(groups.values())


def _label(runs: Sequence[Observed]) -> str:
    return " & ".join(run.label for run in runs)


def _disjoint(runs: Sequence[Observed]) -> bool:
    units = [{score.unit for score in run.scores} for run in runs]
    return len(runs) > 1 and sum(map(len, units)) == len(set[str]().union(*units))


def _merge_runs(runs: Sequence[Observed]) -> Observed:
    """Return the Runs as one: all Scores and Items, with the figures computed over them together."""
    first = runs[0]
    scores = tuple(score for run in runs for score in run.scores)
    items = tuple(item for run in runs for item in run.item_list)
    signature = " & ".join(dict.fromkeys(run.signature for run in runs))
    figures = tuple(aggregate_scores(scores, first.protocol, first.benchmark.spec, signature))
    return replace(first, label=_label(runs), scores=scores, aggregates=figures, item_list=items, path=None)


def _variants(runs: Sequence[Observed], seed: int) -> Section | None:
    """Return robustness over Runs that share questions, or forms of them; Runs of different questions are not
    variants."""
    return robustness(runs, seed=seed) if len(runs) > 1 and share(runs, "all").units else None


def _with_unique_ids(sections: Sequence[Section]) -> Iterator[Section]:
    """Make the ids of Sections, tables and listings unique: the second and later ones of a kind are numbered."""
    seen: Counter[str] = Counter()
    for section in sections:
        seen[section.id] += 1
        if (number := seen[section.id]) > 1:
            section = structs.replace(
                section,
                id=f"{section.id}.{number}",
                tables=tuple(structs.replace(table, id=f"{table.id}.{number}") for table in section.tables),
                listings=tuple(structs.replace(listing, id=f"{listing.id}.{number}") for listing in section.listings),
            )
        yield section


def families(runs: Sequence[Observed]) -> list[list[Observed]]:
    """Return the Runs of each model on the same data, unmodified ones first: these may be compared as variants."""
    groups: dict[tuple[str, str, str], list[Observed]] = defaultdict(list)
    for run in runs:
        m = run.manifest
        groups[(m.called, m.revision, m.data_sha256) if m else (run.label, "", "")].append(run)
    return [sorted(group, key=lambda r: bool(r.condition)) for group in groups.values()]


def _scope(comparison: Comparison) -> tuple[str, ...]:
    """Return what pairs are compared over, if they don't share the same questions."""
    return comparison.scope[:1] if comparison.pairwise else ()


def _significance(runs: Sequence[Observed], seed: int) -> Iterator[Section]:
    """Return comparisons of models, for each Condition that more than one model was run under."""
    groups: dict[str, list[Observed]] = defaultdict(list)
    for run in runs:
        groups[run.condition].append(run)
    for condition, group in groups.items():
        if len({r.run_name for r in group}) > 1:
            comparison = compare_runs(group, seed=seed, parts=len(group) <= MAX_RUNS_IN_PROSE)
            left_out = [] if comparison.pairwise else left_out_lines(comparison.lost)
            section = structs.replace(
                comparison.section,
                notes=(*comparison.section.notes, *_scope(comparison), *left_out, *comparison.warnings),
            )
            yield structs.replace(section, title=f"{section.title} ({condition})") if condition else section


def _ablation(runs: Sequence[Observed]) -> Iterator[Section]:
    base = next((run for run in runs if not is_ablation(run)), None)
    if base is None:
        return
    section = ablation(base, [run for run in runs if is_ablation(run)])
    inside = added_inside(base)
    if section is None and not inside:
        return
    guess = chance(base)
    more = (*inside, *([guess] if guess else []))
    if section is None:
        section = Section(
            "ablation",
            f"Effect of the input: {base.label}",
            _INSIDE,
            benchmark=base.benchmark.name,
            protocol=base.protocol.name,
        )
    texts = [
        f"{e.label}: {e.value:+.1f} points (n = {e.n:,}"
        + (f", 95% interval {e.interval[0]:+.1f} to {e.interval[1]:+.1f})" if e.interval else ")")
        for e in inside
        if e.value is not None
    ]
    texts += (
        [f"Guessing would score {guess.value:.1f}% on the single-choice questions."] if guess and guess.value else []
    )
    yield structs.replace(section, estimates=(*section.estimates, *more), sentences=(*section.sentences, *texts))


_INSIDE = "The same Instances with one and with two contexts: the effect of the second, as a mean difference in points."
