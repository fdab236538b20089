"""What judges said of a Run's Units, read from its journals; and whether a judge says the same of a reply twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from triptych.analysis.observed import Observed
from triptych.judges.rubric import Order
from triptych.judges.verdicts import Verdict, mark
from triptych.scoring.judging import JudgedUnits, last_session
from triptych.scoring.stored.units import group_units
from triptych.store.folder import RunFolder

Rating = tuple[str, Verdict, float]  # the Unit, what was said, the value that it gives
Pair = tuple[str, float, float]  # the Unit, and two values


def judge_ratings(run: Observed) -> list[Rating]:
    """Every mark that could be read, of the judges that were asked last; nothing where there are none.

    Of open questions alone: a choice that a judge extracted from a reply is not a score of it.
    """
    bench = last_session(run.path / "verdicts") if run.path is not None and run.manifest is not None else None
    if bench is None or run.path is None or run.manifest is None:
        return []
    folder = RunFolder(run.path, run.manifest)
    repeats, uneven = folder.manifest.repeats, folder.manifest.uneven
    units = [list(group_units(run.item_list, folder.responses(), repeats, uneven=uneven))]
    judged = JudgedUnits(units, bench, run.benchmark, [run.protocol.name])
    rated = [unit for chunk in judged for unit in chunk if unit.item.answer == "text"]
    verdicts = [(unit.unit_id, v) for unit in rated for v in unit.verdicts.entries if v.status == "given" and v.values]
    return [(unit, verdict, value_of(verdict)) for unit, verdict in verdicts]


def value_of(verdict: Verdict) -> float:
    """A verdict's mark; of a pair the reply's as a share of the reference's (0 where the reference got 0)."""
    if len(verdict.values) < 2:
        return mark(verdict)
    reference, reply = verdict.values[:2]
    return reply / reference if reference else 0.0


def repeated_verdicts(ratings: Sequence[Rating]) -> Iterator[tuple[str, list[Pair]]]:
    """(who and how, pairs of values of one reply): each judge again in the same order, and with the places swapped."""
    judges: dict[str, dict[tuple[Order, int], dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for unit, verdict, value in ratings:
        judges[f"judge {verdict.judge} on {verdict.metric}"][verdict.order, verdict.evaluation][unit] = value
    for judge, sittings in judges.items():
        pairs = list(combinations(sorted(sittings), 2))
        again = [_paired_values(sittings[a], sittings[b]) for a, b in pairs if a[0] == b[0]]
        swapped = [_paired_values(sittings[a], sittings[b]) for a, b in pairs if a[0] != b[0] and a[1] == b[1]]
        for how, verdicts in (("asked again", again), ("with the places swapped", swapped)):
            if all_pairs := [pair for opinions in verdicts for pair in opinions]:
                yield f"{judge} · itself, {how}", all_pairs


def _paired_values(first: Mapping[str, float], second: Mapping[str, float]) -> list[Pair]:
    return [(unit, value, second[unit]) for unit, value in first.items() if unit in second]
