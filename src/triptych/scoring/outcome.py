"""Score Units under the protocols of a benchmark, and aggregate the Scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from triptych.benchmarks.registry import Benchmark
from triptych.judges.asking import Judging
from triptych.models.encoders.settings import EncoderSettings
from triptych.protocols.outcomes import AMBIGUOUS
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import RESPONSE_STATUSES, Aggregate, Score

Keep = Callable[[str, Sequence[Score]], None]


class Known(NamedTuple):
    """Scores of a protocol that were computed before, and the encoders that they used, as in their signature."""

    scores: Sequence[Score]
    encoders: str = ""


class Scored(dict[str, list[Aggregate]]):
    """Aggregates by protocol, in the order in which they are shown.

    `counts`: Units by the status of their Responses (`missing`: none came); `notes`: notes for the reader.
    `judging`: how the asking of judges ended, if any were asked.
    """

    def __init__(
        self,
        aggregates: Mapping[str, list[Aggregate]],
        counts: Mapping[str, int] | None = None,
        notes: Iterable[str] = (),
        judging: Judging | None = None,
    ) -> None:
        super().__init__(aggregates)
        self.counts = dict(counts or {})
        self.notes = tuple(notes)
        self.judging = judging or Judging()


def score_all(
    units: Sequence[Unit],
    protocols: Mapping[str, Protocol],
    benchmark: Benchmark,
    sign: Callable[[Protocol, Iterable[str]], str],
    keep: Keep | None = None,
    notes: Iterable[str] = (),
    *,
    costs: bool = True,
    queue: Path | None = None,
    judging: Judging | None = None,
    encoders: EncoderSettings | None = None,
    known: Mapping[str, Known] | None = None,
) -> Scored:
    """Score the Units under every protocol. `sign` makes a signature; `keep` receives each protocol's Scores.

    `costs`: False if time and money are not the model's, as in a replay. `queue`: a file of ambiguous replies; people's
    decisions in it apply, and replies still to be decided are written to it. `encoders`: which text encoders to use,
    and their folders; None: from the environment. `known`: protocol -> its Scores, if they need not be computed.
    """
    from triptych.scoring.aggregate import aggregate_scores
    from triptych.scoring.apply import score_units
    from triptych.scoring.comparing import compare_units
    from triptych.scoring.cost import costs_of
    from triptych.scoring.queue import decide, decisions_hash, read_queue, write_queue

    found: dict[str, list[Aggregate]] = {}
    notes = list(notes)
    waiting = read_queue(queue) if queue else []
    units, decisions = decide(units, waiting), decisions_hash(waiting)
    before = known or {}
    units, used = compare_units(units, {name: p for name, p in protocols.items() if name not in before}, encoders)
    used |= {name: one.encoders for name, one in before.items() if one.encoders}
    cost = costs_of(units, benchmark.spec) if costs else None
    ambiguous: list[Score] = []
    lacking: dict[tuple[str, str], Counter[str]] = {}
    for name, protocol in protocols.items():
        scores = before[name].scores if name in before else score_units(units, protocol)
        for score in scores:
            if score.status == "unavailable" and score.note:
                lacking.setdefault((score.note, score.metric), Counter())[name] += 1
        ambiguous += [score for score in scores if score.note == AMBIGUOUS]
        if keep is not None:
            keep(name, scores)
        signature = sign(protocol, {score.metric for score in scores}) + (f"|decided:{decisions}" if decisions else "")
        signature += f"|encoders:{used[name]}" if name in used else ""
        found[name] = aggregate_scores(scores, protocol, benchmark.spec, signature)
        if cost is not None:
            found[name] += cost.aggregates(name, signature)
    notes += _unavailable(lacking)
    if queue and (left := write_queue(queue, units, ambiguous, waiting)):
        notes.append(f"{left:,} ambiguous replies wait for a person: write the label as `choice` in {queue}")
    elif ambiguous:
        notes.append(f"{len(ambiguous):,} ambiguous replies are unparsed until a person decides: --queue FILE")
    return Scored(found, count_units(units), notes, judging)


def _unavailable(lacking: Mapping[tuple[str, str], Mapping[str, int]]) -> Iterator[str]:
    """Yield notes on unavailable Scores, one for each missing requirement.

    `lacking`: (what is missing, metric) -> Units by protocol.
    """
    told: dict[str, dict[str, list[str]]] = {}
    for (missing, metric), units in lacking.items():
        number = f"for {max(units.values()):,} Units" if max(units.values()) > 1 else "for 1 Unit"
        told.setdefault(missing, {}).setdefault(f"{number} ({', '.join(units)})", []).append(metric)
    for missing, groups in told.items():
        words = "; ".join(f"{', '.join(metrics)} {where}" for where, metrics in groups.items())
        yield f"unavailable: {words}: {missing}"


def choose(benchmark: Benchmark, protocols: Sequence[str] | None) -> dict[str, Protocol]:
    """Return these protocols in the benchmark's order; None: all. Raises SpecError for an unknown name."""
    if protocols is None:
        return benchmark.protocols
    wanted = {name: benchmark.protocol(name) for name in protocols}
    return {name: protocol for name, protocol in benchmark.protocols.items() if name in wanted}


def count_units(units: Iterable[Unit]) -> dict[str, int]:
    """Count Units by status: `missing` if a Response is, otherwise the first status other than `answered`."""
    counts = Counter(_status(unit) for unit in units)
    return {status: counts[status] for status in (*RESPONSE_STATUSES, "missing") if counts[status]}


def _status(unit: Unit) -> str:
    statuses = ["missing" if response is None else response.status for response in unit.responses]
    return next((status for status in statuses if status != "answered"), "answered")
