"""Score Units under the protocols of a benchmark, and aggregate the Scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from triptych.benchmarks.registry import Benchmark
from triptych.judges.asking import Judging
from triptych.models.encoders.compared import NOT_COMPARED, Compared
from triptych.models.encoders.settings import EncoderSettings
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import Aggregate, Score
from triptych.scoring.figures.tallies import Tallies
from triptych.scoring.notes.credited import Counts, Credited
from triptych.store.decoded import garbage_ignored
from triptych.store.folder import RunFolder

if TYPE_CHECKING:
    from triptych.scoring.queue import Question
    from triptych.scoring.stored.collecting import Collected

Keep = Callable[[str, Sequence[Score] | bytes], None]


class StoredScores(NamedTuple):
    """Scores of a protocol that were computed before.

    `parts`: the Scores of each part of the Run, some at a time; no Instance is in two parts. `lines`: all of them as
    lines of JSON in the order of their Units, some at a time. `encoders`: those in their signature. `credited`: Task ->
    counts of `scoring.notes.credited`.
    """

    parts: Iterable[Iterable[Sequence[Score]]]
    lines: Iterable[bytes]
    encoders: str = ""
    credited: Mapping[str, tuple[int, int]] = {}


class Joined(NamedTuple):
    """The shards of a Run, and their Scores by protocol."""

    shards: Sequence[RunFolder]
    stored_scores: Mapping[str, StoredScores]


class Scored(dict[str, list[Aggregate]]):
    """Aggregates by protocol, in the order in which they are shown.

    `counts`: Units by the status of their Responses (`missing`: none came); `notes`: notes for the reader.
    `judging`: how the asking of judges ended, if any were asked. `sent`: kind of media -> how it was sent. `credited`:
    protocol -> Task -> (replies that it counts as correct although they choose another option, those that choose one).
    """

    def __init__(
        self,
        aggregates: Mapping[str, list[Aggregate]],
        counts: Mapping[str, int] | None = None,
        notes: Iterable[str] = (),
        judging: Judging | None = None,
        sent: Mapping[str, str] | None = None,
        credited: Counts | None = None,
    ) -> None:
        super().__init__(aggregates)
        self.counts: dict[str, int] = dict(counts or {})
        self.notes: tuple[str, ...] = tuple(notes)
        self.judging: Judging = judging or Judging()
        self.sent: dict[str, str] = dict(sent or {})
        self.credited: dict[str, dict[str, tuple[int, int]]] = {
            p: dict(credited_scores) for p, credited_scores in (credited or {}).items()
        }


def score_all(
    chunks: Iterable[Sequence[Unit]],
    protocols: Mapping[str, Protocol],
    benchmark: Benchmark,
    sign: Callable[[Protocol, Iterable[str], str], str],
    keep: Keep | None = None,
    notes: Callable[[Tallies], Iterable[str]] = lambda tallies: (),
    *,
    costs: bool = True,
    queue: Path | None = None,
    judging: Judging | None = None,
    encoders: EncoderSettings | None = None,
    stored_scores: Mapping[str, StoredScores] | None = None,
) -> Scored:
    """Score Units under every protocol.

    `chunks`: the Units, some at a time, with all repeats of a Unit together; they are read twice if texts are compared.
    `sign` makes a signature of a protocol, its metrics and the hash of the media (`scoring.notes.media`). `keep`
    receives the Scores of a protocol, also some at a time, or their lines of JSON. `notes` is called after all Units
    were read, with what was counted.

    `costs`: False if time and money are not the model's, as in a replay. `queue`: a file of ambiguous replies; people's
    decisions in it apply, and replies still to be decided are written to it. `judging`: how the asking of judges ended.
    `encoders`: which text encoders to use, and their folders; None: from the environment. `stored_scores`: protocol ->
    its Scores, if they need not be computed; not with a queue.
    """
    from triptych.scoring.comparing import compare_texts
    from triptych.scoring.queue import Decided, decisions_hash, read_queue
    from triptych.scoring.stored.collecting import Collected

    waiting = read_queue(queue) if queue else []
    decided = Decided(chunks, waiting) if waiting else chunks
    before, tallies = stored_scores or {}, Tallies(benchmark.spec)
    # Scores that were computed before come a part at a time, and their Instances are given up after each part.
    instances, stored_instances = dict[str, int](), dict[str, int]()
    scores = {
        name: Collected(protocol, benchmark.spec, stored_instances if name in before else instances)
        for name, protocol in protocols.items()
    }
    compared, used = compare_texts(decided, {n: p for n, p in protocols.items() if n not in before}, encoders)
    used |= {name: one.encoders for name, one in before.items() if one.encoders}
    credited = Credited(benchmark, {name: one.credited for name, one in before.items() if one.credited})
    unclear = _collect(decided, compared, scores, before, tallies, credited, keep)
    aggregates: dict[str, list[Aggregate]] = {}
    cost = tallies.costs.costs() if costs else None
    decisions = decisions_hash(waiting)
    for name, score in scores.items():
        signature = sign(score.protocol, score.metrics, tallies.media.hash) + (
            f"|decided:{decisions}" if decisions else ""
        )
        signature += f"|encoders:{used[name]}" if name in used else ""
        aggregates[name] = score.aggregates(signature)
        if cost is not None:
            aggregates[name] += cost.aggregates(name, signature)
    parts = [*notes(tallies), *_unavailable({name: unit_scores.lacking for name, unit_scores in scores.items()})]
    parts += _ambiguous(sum(unit_scores.ambiguous for unit_scores in scores.values()), queue, unclear, waiting)
    return Scored(aggregates, tallies.counts, parts, judging, tallies.sent.words, credited.counts)


def _collect(
    chunks: Iterable[Sequence[Unit]],
    compared: Compared,
    scores: Mapping[str, Collected],
    stored: Mapping[str, StoredScores],
    tallies: Tallies,
    credited: Credited,
    keep: Keep | None,
) -> list[Question]:
    """Score the Units, or take their `stored` Scores; return the questions about ambiguous replies."""
    from triptych.scoring.comparing import attach_similarities
    from triptych.scoring.queue import ambiguous_questions

    unclear: list[Question] = []
    with garbage_ignored():
        for chunk in chunks:
            units = chunk if compared is NOT_COMPARED else attach_similarities(chunk, compared)
            tallies.add(units)
            scored = {name: score.score(units) for name, score in scores.items() if name not in stored}
            credited.add(units, scored)
            for name, own_scores in scored.items():
                unclear += ambiguous_questions(units, own_scores)
                if keep is not None:
                    keep(name, own_scores)
        for name, one in stored.items():
            for part in one.parts:
                for some in part:
                    scores[name].add(some)
                scores[name].end_part()
            if keep is not None:
                for lines in one.lines:
                    keep(name, lines)
    return unclear


def _ambiguous(
    ambiguous: int, queue: Path | None, unclear: Iterable[Question], waiting: Sequence[Question]
) -> Iterator[str]:
    """Write the queue, if there is one, and yield a note on the replies that wait for a person."""
    from triptych.scoring.queue import write_queue

    if queue and (left := write_queue(queue, unclear, waiting)):
        waits = "ambiguous reply waits" if left == 1 else "ambiguous replies wait"
        yield f"{left:,} {waits} for a person: write the label as `choice` in {queue}"
    elif ambiguous:
        are = "ambiguous reply is" if ambiguous == 1 else "ambiguous replies are"
        yield f"{ambiguous:,} {are} unparsed until a person decides: --queue FILE"


def _unavailable(scores: Mapping[str, Mapping[tuple[str, str], int]]) -> Iterator[str]:
    """Yield notes on unavailable Scores, one for each missing requirement.

    `scores`: protocol -> (what is missing, metric) -> number of Scores.
    """
    lacking: dict[tuple[str, str], dict[str, int]] = {}
    for protocol, protocol_scores in scores.items():
        for about, count in protocol_scores.items():
            lacking.setdefault(about, {})[protocol] = count
    reasons: dict[str, dict[str, list[str]]] = {}
    for (missing, metric), units in lacking.items():
        number = f"for {max(units.values()):,} Units" if max(units.values()) > 1 else "for 1 Unit"
        reasons.setdefault(missing, {}).setdefault(f"{number} ({', '.join(units)})", []).append(metric)
    for missing, groups in reasons.items():
        words = "; ".join(f"{', '.join(metrics)} {where}" for where, metrics in groups.items())
        yield f"unavailable: {words}: {missing}"


def choose(benchmark: Benchmark, protocols: Sequence[str] | None) -> dict[str, Protocol]:
    """Return these protocols in the benchmark's order; None: all. Raises SpecError for an unknown name."""
    if protocols is None:
        return benchmark.protocols
    wanted = {name: benchmark.protocol(name) for name in protocols}
    return {name: protocol for name, protocol in benchmark.protocols.items() if name in wanted}
