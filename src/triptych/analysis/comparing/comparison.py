"""Runs against each other over the questions that they share: what is compared, and the result with its tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec

from triptych.analysis.comparing.differences import (
    PairDifference,
    Rank,
    adjust_p_values,
    all_ranks,
    differences_of,
    headline_keys,
    is_significant,
)
from triptych.analysis.comparing.grounds import grounds
from triptych.analysis.comparing.joint import REPLICATES
from triptych.analysis.comparing.pairwise import matrices
from triptych.analysis.comparing.scope import comparable, count_answered, scope_words
from triptych.analysis.comparing.sentences import (
    MAX_RUNS_IN_PROSE,
    OVERLAP,
    order_sentences,
    sentence,
    sharing_nothing,
    why_nothing,
)
from triptych.analysis.comparing.shared import Shared, share
from triptych.analysis.observed import Observed
from triptych.records import Estimate, Listing, Section, figure_key


class ComparedRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Run of a comparison. `units`: all that it was asked; `answered`: those with a reply; `unfinished`: for an
    interrupted Run, how many questions are in the data; `usd`: its cost, None if a price is unknown."""

    label: str
    model: str
    signature: str
    units: int
    condition: str = ""
    place: str = ""
    usd: float | None = None
    answered: int | None = None
    unfinished: str = ""


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `compare` finds: the paired differences of Runs over the questions that they share.

    Attributes:
        benchmark: Name of the benchmark.
        protocol: Name of the protocol.
        runs: The Runs, with their scores over the shared Units.
        shared: Number of Units that all Runs were asked and that count.
        instances: Number of Instances behind the shared Units.
        sentences: Findings in words, the most important first.
        section: All differences with intervals and p-values.
        lost: Why questions asked of all Runs don't count, with their numbers.
        warnings: What else differs than the model.
        ranks: The rank of each Run by figure; a range, since Runs that don't differ significantly have no order.
        scope: In sentences: how many questions count, which Run narrows them, and what counts as wrong.
        excluded: Label of a Run -> why it can't be compared at all.
        pairwise: (fewest, most) Units that a pair shares, if pairs share different questions: each pair is then
            compared over its own.
        baseline: Label of the Run with which the others were compared; empty if all pairs were compared.
    """

    benchmark: str
    protocol: str
    runs: tuple[ComparedRun, ...]
    shared: int
    instances: int
    sentences: tuple[str, ...]
    section: Section
    lost: dict[str, int] = {}
    warnings: tuple[str, ...] = ()
    ranks: tuple[Rank, ...] = ()
    scope: tuple[str, ...] = ()
    excluded: dict[str, str] = {}
    pairwise: tuple[int, int] | None = None
    baseline: str = ""

    @property
    def worse(self) -> tuple[Estimate, ...]:
        """The headline differences in which a Run is significantly worse than the baseline; empty without one."""
        matching_headlines = [
            e for e in self.headlines if self.baseline and e.runs[1] == self.baseline and is_significant(e)
        ]
        return tuple(e for e in matching_headlines if ((e.value or 0.0) > 0) == (e.better == "lower") and e.value)

    @property
    def headlines(self) -> tuple[Estimate, ...]:
        """The differences on headline figures, which are those with tests over Instances."""
        tested = {(figure_key(e), e.runs) for e in self.section.estimates if e.measure == "paired_t"}
        matching_estimates = [e for e in self.section.estimates if e.measure == "difference"]
        return tuple(e for e in matching_estimates if (figure_key(e), e.runs) in tested)

    def _repr_markdown_(self) -> str:
        """Return the notebook view: the findings in words, and the caveats."""
        texts = [f"- {one}" for one in self.sentences]
        texts += [f"> left out: {label}: {why}" for label, why in self.excluded.items()]
        texts += [f"> scope: {words}" for words in self.scope] + [f"> beware: {warning}" for warning in self.warnings]
        return "\n".join([f"**{self.benchmark}, {self.shared:,} shared questions**", "", *texts])


EXPLANATION = (
    "Each difference is between answers to the same questions. The interval is a bootstrap over whole Instances "
    "(all forms of a question together); if it contains 0, the Runs do not differ significantly on this figure. p "
    "comes from a permutation test: the share of random exchanges of the two models' answers, Instance by Instance,"
    " that give a difference at least as large."
)


def compare_runs(
    runs: Sequence[Observed],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    baseline: int | None = None,
    parts: bool = True,
) -> Comparison:
    """Two or more Runs of one benchmark under one protocol.

    Each pair is compared over the questions that the two share; Holm's correction is over all pairs of a figure. A Run
    without any answer is left out and named. If no pair shares a question, the estimates are None and give the reason.
    `baseline`: the number of a Run with which the others are compared, instead of all pairs. `parts`: False for
    headline figures alone.
    """
    kind = runs[0].protocol.headline
    usable, excluded = comparable(runs, kind)
    if len(usable) < 2 or (baseline is not None and runs[baseline].label in excluded):
        return _no_two(share(runs, kind), excluded)
    shared = share(usable, kind)
    reference = None if baseline is None else [run.label for run in usable].index(runs[baseline].label)
    pairs = _pairs(len(usable), reference)
    pair_differences: list[PairDifference] = []
    rest: list[Estimate] = []
    sizes: list[int] = []
    compared: set[tuple[int, int]] = set()
    wanted = None if parts else frozenset(headline_keys(usable))
    for ground in grounds(usable, pairs, shared, kind, replicates=replicates, seed=seed, wanted=wanted):
        all_pairs, more = differences_of(ground, len(usable) == 2, parts)
        pair_differences += all_pairs
        rest += more
        sizes += [ground.shared.units] * len(ground.pairs)
        compared |= set(ground.pairs)
    compared_runs = tuple(
        ComparedRun(
            r.label,
            r.model,
            r.signature,
            n,
            r.condition,
            str(r.path or ""),
            answered=count_answered(r),
            unfinished=r.unfinished,
        )
        for r, n in zip(shared.runs, shared.unit_counts, strict=True)
    )
    benchmark, protocol = usable[0].benchmark.name, usable[0].protocol.name
    apart = len(set(sizes)) > 1 or len(sizes) < len(pairs)
    nothing = tuple(sharing_nothing(usable, [p for p in pairs if p not in compared], compared, kind))
    scope = (*scope_words(shared.runs, shared, kind, sizes if apart and sizes else ()), *nothing)
    if not pair_differences:
        return Comparison(
            benchmark,
            protocol,
            compared_runs,
            0,
            0,
            ("No two of the Runs share a question: they can't be compared." if nothing else why_nothing(shared),),
            _section(shared.runs, (), (), (_empty_estimate(shared.runs),)),
            shared.exclusions,
            shared.warnings,
            (),
            scope,
            excluded,
        )
    pair_differences = adjust_p_values(pair_differences, several=len(pairs) > 1)
    ranks = tuple(all_ranks(usable, pair_differences)) if len(usable) > 2 and reference is None else ()
    sentences = [
        *order_sentences(ranks, pair_differences),
        *(map(sentence, pair_differences) if len(usable) <= MAX_RUNS_IN_PROSE or reference is not None else ()),
    ]
    listings = [listing for one in pair_differences for listing in one.listings] + (
        [_leaderboard(ranks)] if ranks else []
    )
    order = {figure: [rank.run for rank in ranks if rank.figure == figure] for figure in {r.figure for r in ranks}}
    listings += matrices(usable, [one.estimate for one in pair_differences], order) if ranks else []
    estimates = [estimate for one in pair_differences for estimate in (one.estimate, *one.more)] + rest
    return Comparison(
        benchmark,
        protocol,
        compared_runs,
        shared.units,
        shared.instances,
        tuple(sentences),
        _section(shared.runs, tuple(sentences), tuple(listings), tuple(estimates)),
        shared.exclusions,
        shared.warnings,
        ranks,
        scope,
        excluded,
        (min(sizes), max(sizes)) if apart else None,
        usable[reference].label if reference is not None else "",
    )


def _pairs(number: int, baseline: int | None) -> list[tuple[int, int]]:
    """Return all pairs of Runs, or each other Run with the baseline."""
    if baseline is None:
        return list(combinations(range(number), 2))
    return [(index, baseline) for index in range(number) if index != baseline]


def _no_two(shared: Shared, excluded: dict[str, str]) -> Comparison:
    """Fewer than two Runs have an answer."""
    runs = shared.runs
    compared_runs = tuple(
        ComparedRun(r.label, r.model, r.signature, len({s.unit for s in r.scores}), r.condition, str(r.path or ""))
        for r in runs
    )
    why = "; ".join(f"{label}: {reason}" for label, reason in excluded.items())
    message = f"There are no two Runs to compare. {why}."
    return Comparison(
        runs[0].benchmark.name,
        runs[0].protocol.name,
        compared_runs,
        0,
        0,
        (message,),
        _section(runs, (message,), (), (_empty_estimate(runs),)),
        shared.exclusions,
        shared.warnings,
        excluded=excluded,
    )


def _leaderboard(ranks: Sequence[Rank]) -> Listing:
    rows = tuple((rank.figure, rank.places, rank.run, f"{rank.value:.1f}") for rank in ranks)
    return Listing("ranks", "Places", ("Figure", "Place", "Run", "Score"), rows, note=OVERLAP)


def _empty_estimate(runs: Sequence[Observed]) -> Estimate:
    return Estimate(
        "difference",
        None,
        "points",
        runs=tuple(r.label for r in runs),
        protocol=runs[0].protocol.name,
        signatures=tuple(r.signature for r in runs),
        coverage=0.0,
        reason="the Runs share no question that counts",
    )


def _section(
    runs: Sequence[Observed], sentences: tuple[str, ...], listings: tuple[Listing, ...], estimates: tuple[Estimate, ...]
) -> Section:
    return Section(
        "significance",
        "Differences between Runs",
        EXPLANATION,
        sentences,
        estimates,
        listings=listings,
        benchmark=runs[0].benchmark.name,
        protocol=runs[0].protocol.name,
    )
