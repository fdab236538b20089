"""Do judges, people and metrics agree? Correlations, ICC and Krippendorff's alpha over the Units that both rated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
from msgspec import structs

from triptych.analysis.observed import Observed, is_answered
from triptych.analysis.raters.ratings import RatingsFile
from triptych.analysis.raters.verdicts import Pair, judge_ratings, repeated_verdicts
from triptych.metrics.agreement import icc, krippendorff_alpha, mean_bias, pearson, ranks, spearman
from triptych.metrics.statistics.intervals import bootstrap_sums, interval_around
from triptych.records import Estimate, Section, table_of
from triptych.store.annotations import read_annotations

if TYPE_CHECKING:
    from triptych.scoring.figures.cells import Array

Ratings = Mapping[str, Mapping[str, float]]  # rater -> Unit -> value
REPLICATES = 1000
ROUNDING = 1e-12
VERDICTS = {"right": 1.0, "wrong": 0.0}
EXPLANATION = (
    "Two raters (judges, people, metrics) are compared over the replies that both rated. Pearson's r measures "
    "whether their values are linearly related, Spearman's rho whether they rank the replies in the same order; "
    "neither depends on one rater being stricter. ICC (absolute agreement) and Krippendorff's alpha do: 1 is "
    "identical values, 0 no better than chance. `bias` is the mean of the first minus the second. With fewer than "
    "about 30 replies these figures are unreliable. Where a person answered the Run's questions themselves, a "
    "metric is "
    "the mean over the others' answers, without their own."
)
UNKNOWN = (
    "the ratings don't say which answers of this Run are whose (a column `repeat`), so people are not compared with "
    "metrics, which contain their own answers: `triptych portal survey pull` writes the column"
)
PEOPLE = "human/"  # models of Runs of people's answers


def agreement(
    ratings: Ratings,
    instances: Mapping[str, str] | None = None,
    *,
    title: str = "Agreement of judges, people and metrics",
    runs: Sequence[Observed] = (),
    replicates: int = REPLICATES,
    seed: int = 0,
    twice: Sequence[Estimate] = (),
    others: Mapping[str, Ratings] | None = None,
) -> Section | None:
    """Every pair of raters, `twice` (raters against themselves), and all together; None where nothing is compared.

    `instances`: Unit -> Instance, for intervals clustered by it; a Unit without one is its own. `others`: person ->
    what judges and metrics say of everybody else's answers, for people whose own answers are among those of the Run.
    """
    raters = [name for name in ratings if ratings[name]]
    if len(raters) < 2 and not twice:
        return None
    estimates = [
        e
        for a, b in combinations(raters, 2)
        for e in _pair(_ratings_of_two(ratings, a, b, others or {}), a, b, instances or {}, runs, replicates, seed)
    ]
    estimates += twice
    estimates += _joint_agreement(ratings, raters, runs) if len(raters) > 2 else []
    table = table_of(
        "agreement", title, estimates, row=lambda e: e.slice.get("raters", "all"), column=lambda e: e.label
    )
    name, protocol = (runs[0].benchmark.name, runs[0].protocol.name) if runs else ("", "")
    return Section(
        "agreement",
        title,
        EXPLANATION,
        tuple(_sentences(estimates)),
        tuple(estimates),
        (table,),
        benchmark=name,
        protocol=protocol,
    )


def _ratings_of_two(ratings: Ratings, a: str, b: str, others: Mapping[str, Ratings]) -> Ratings:
    """The ratings of two raters, without the answers of one in the other's mean."""
    ratings_of_two = {a: ratings[a], b: ratings[b]}
    for person, other in ((a, b), (b, a)):
        if person in others and not other.startswith("person "):
            ratings_of_two[other] = others[person].get(other, {})
    return ratings_of_two


def _by_metrics(run: Observed, without: Mapping[str, int] | None = None) -> dict[str, dict[str, float]]:
    """Each metric's mean over the repeats of a Unit; `without`: Unit -> a repeat that is left out."""
    values_by_metric: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in run.scores:
        if is_answered(score) and score.denominator and (without or {}).get(score.unit) != score.repeat:
            values_by_metric[f"metric {score.metric}"][score.unit].append(score.numerator / score.denominator)
    return _means(values_by_metric)


def _by_raters(run: Observed, more: Ratings | None) -> dict[str, dict[str, float]]:
    """Return what judges and people gave; empty if nobody has rated the Run."""
    values_by_rater: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    annotations = read_annotations(run.path) if run.path is not None and run.manifest is not None else ()
    units = {item.id: item.unit_id for item in run.item_list} if annotations or more else {}
    if run.path is not None and run.manifest is not None:
        for unit, verdict, value in judge_ratings(run):
            values_by_rater[f"judge {verdict.judge} on {verdict.metric}"][unit].append(value)
        for annotation in annotations:
            if annotation.verdict in VERDICTS and annotation.item in units:
                values_by_rater[f"person {annotation.by or '?'}"][units[annotation.item]].append(
                    VERDICTS[annotation.verdict]
                )
    for rater, ratings in (more or {}).items():
        for name, value in ratings.items():
            if (unit := units.get(name, name)) in run.items:
                values_by_rater[f"person {rater}"][unit].append(value)
    return _means(values_by_rater)


def _means(ratings: Mapping[str, Mapping[str, Sequence[float]]]) -> dict[str, dict[str, float]]:
    return {rater: {unit: fmean(values) for unit, values in marks.items()} for rater, marks in ratings.items()}


def of_run(run: Observed, more: Ratings | None = None) -> Section | None:
    """The agreement inside one Run, if judges or people have rated it; several metrics are not several raters.

    `more`: ratings from a file, rater -> Item or Unit -> value; ratings of unknown Items are reported.
    """
    rated = _by_raters(run, more)
    if not rated:
        return None
    ratings = {**_by_metrics(run), **rated}
    others, notes = _of_others(run, more)
    instances = {score.unit: score.instance for score in run.scores}
    all_ratings = judge_ratings(run)
    for metric in {verdict.metric for _, verdict, _ in all_ratings}:
        ratings.pop(f"metric {metric}", None)  # it is derived from these judges' verdicts
    twice = [e for who, pairs in repeated_verdicts(all_ratings) for e in _self_agreement(who, pairs, instances, run)]
    title = f"Agreement of judges, people and metrics: {run.label}"
    section = agreement(ratings, instances, title=title, runs=[run], twice=twice, others=others)
    ids = set(run.items) | {item.id for item in run.item_list}
    strange = sorted({name for per_person in (more or {}).values() for name in per_person} - ids)
    if strange:
        some = f"{', '.join(strange[:3])}{' …' * (len(strange) > 3)}"
        notes = (*notes, f"{len(strange):,} ratings match no Item of this Run: {some}")
    return structs.replace(section, notes=(*section.notes, *notes)) if section and notes else section


def _of_others(run: Observed, more: Ratings | None) -> tuple[dict[str, Ratings], tuple[str, ...]]:
    """For each person whose own answers are in the Run: the metrics over everybody else's. A person of a joined Run
    whose answers aren't known is compared with no metric, and a note says so."""
    repeats = more.repeats if isinstance(more, RatingsFile) else {}
    ratings_by_person = {
        f"person {rater}": _by_metrics(run, _of_units(run, repeat)) for rater, repeat in repeats.items()
    }
    joined = run.manifest is not None and run.model.startswith(PEOPLE) and run.manifest.repeats > 1
    unknown = [f"person {rater}" for rater in more or {} if rater not in repeats] if joined else []
    return {**ratings_by_person, **{person: {} for person in unknown}}, (UNKNOWN,) * bool(unknown)


def _of_units(run: Observed, numbers: Mapping[str, int]) -> dict[str, int]:
    """Unit -> the repeat of a person's own answer, from the same by Item or Unit."""
    units = {item.id: item.unit_id for item in run.item_list}
    return {units.get(name, name): repeat for name, repeat in numbers.items()}


def _self_agreement(who: str, pairs: Sequence[Pair], instances: Mapping[str, str], run: Observed) -> Iterator[Estimate]:
    """A judge against itself: how far one reply's values agree."""
    x, y = [first for _, first, _ in pairs], [second for _, _, second in pairs]
    return _rater_agreement(who, x, y, [instances.get(unit, unit) for unit, _, _ in pairs], 1.0, [run], REPLICATES, 0)


def _pair(
    ratings: Ratings, a: str, b: str, instances: Mapping[str, str], runs: Sequence[Observed], replicates: int, seed: int
) -> Iterator[Estimate]:
    both = [unit for unit in ratings[a] if unit in ratings[b]]
    if not both:
        return
    x, y = [ratings[a][u] for u in both], [ratings[b][u] for u in both]
    clusters = [instances.get(u, u) for u in both]
    coverage = len(both) / len(set(ratings[a]) | set(ratings[b]))
    yield from _rater_agreement(f"{a} · {b}", x, y, clusters, coverage, runs, replicates, seed)


def _rater_agreement(
    raters: str,
    x: Sequence[float],
    y: Sequence[float],
    clusters: Sequence[str],
    coverage: float,
    runs: Sequence[Observed],
    replicates: int,
    seed: int,
) -> Iterator[Estimate]:
    pairs = list(zip(x, y, strict=True))
    measures = (
        ("pearson", "Pearson", pearson(x, y), (x, y)),
        ("spearman", "Spearman", spearman(x, y), (ranks(x), ranks(y))),
        ("icc", "ICC", icc(pairs), None),
        ("alpha.interval", "alpha (interval)", krippendorff_alpha(pairs, "interval"), None),
        ("alpha.ordinal", "alpha (ordinal)", krippendorff_alpha(pairs, "ordinal"), None),
        ("bias", "bias", mean_bias(x, y), None),
    )
    for measure, label, value, correlated in measures:
        interval = _correlation_interval(*correlated, clusters, value, replicates, seed) if correlated else None
        yield Estimate(
            measure,
            value,
            "",
            n=len(x),
            interval=interval,
            coverage=coverage,
            slice={"raters": raters},
            runs=tuple(r.label for r in runs),
            signatures=tuple(r.signature for r in runs),
            label=label,
            digits=2,
            better="zero" if measure == "bias" else "higher",
            protocol=runs[0].protocol.name if runs else "",
            reason="" if value is not None else _undefined_reason(x, y),
        )


def _undefined_reason(x: Sequence[float], y: Sequence[float]) -> str:
    if len(x) < 2:
        return "only one reply was rated by both"
    return "a rater gave the same value to all" if len(set(x)) < 2 or len(set(y)) < 2 else "nothing varies"


def _correlation_interval(
    x: Sequence[float], y: Sequence[float], clusters: Sequence[str], value: float | None, replicates: int, seed: int
) -> tuple[float, float] | None:
    """Percentiles of r over resampled Instances, from sums; None for fewer than three Instances, or if r is undefined
    in most resamples."""
    if value is None or len(set(clusters)) < 3:
        return None
    u, v = np.asarray(x) - fmean(x), np.asarray(y) - fmean(y)
    moments = np.stack([np.ones(len(u)), u, v, u * u, v * v, u * v], axis=1)
    numbers = {name: n for n, name in enumerate(dict.fromkeys(clusters))}
    rows = np.zeros((len(numbers), 6))
    np.add.at(rows, [numbers[name] for name in clusters], moments)
    drawn = _r(bootstrap_sums(rows, replicates, np.random.default_rng(seed)))
    defined = drawn[np.isfinite(drawn)]
    return interval_around(defined, value, df=len(rows) - 2) if len(defined) >= replicates / 2 else None


def _r(sums: Array) -> Array:
    """r of each row; nan where a side doesn't vary, except for rounding."""
    n, sx, sy, sxx, syy, sxy = sums.T
    xx, yy = sxx - sx * sx / n, syy - sy * sy / n
    varies = (xx > ROUNDING * sxx) & (yy > ROUNDING * syy)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where(varies, (sxy - sx * sy / n) / np.sqrt(xx * yy), np.nan)
    return np.asarray(np.clip(r, -1.0, 1.0))


def _joint_agreement(ratings: Ratings, raters: Sequence[str], runs: Sequence[Observed]) -> list[Estimate]:
    """ICC over the Units that all rated, alpha over those that two or more did; of raters of one scale only this means
    something, so judges and people are taken apart from metrics."""
    matching_raters = [name for name in raters if not name.startswith("metric ")]
    if len(matching_raters) < 3:
        return []
    units = sorted(set().union(*(ratings[name] for name in matching_raters)))
    rows = [[ratings[name].get(unit) for name in matching_raters] for unit in units]
    complete_rows = sum(None not in row for row in rows)
    paired = sum(sum(v is not None for v in row) > 1 for row in rows)
    values = (
        ("icc", "ICC", icc(rows), complete_rows),
        ("alpha.interval", "alpha (interval)", krippendorff_alpha(rows, "interval"), paired),
        ("alpha.ordinal", "alpha (ordinal)", krippendorff_alpha(rows, "ordinal"), paired),
    )
    name, why = f"all {len(matching_raters)} judges and people", "too few replies with several ratings, or no variance"
    return [
        Estimate(
            measure,
            value,
            "",
            n=n,
            coverage=n / len(units),
            slice={"raters": name},
            runs=tuple(r.label for r in runs),
            signatures=tuple(r.signature for r in runs),
            label=label,
            digits=2,
            better="higher",
            reason="" if value is not None else why,
        )
        for measure, label, value, n in values
    ]


def _sentences(estimates: Sequence[Estimate]) -> Iterator[str]:
    for e in estimates:
        if e.measure == "spearman" and e.value is not None:
            low_high = f" (95% interval {e.interval[0]:.2f} to {e.interval[1]:.2f})" if e.interval else ""
            yield f"{e.slice['raters']}: Spearman {e.value:.2f}{low_high} over {e.n:,} replies."
