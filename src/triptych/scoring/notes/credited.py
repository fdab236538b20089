"""How often a rule of the authors counts a reply as correct that chooses another option than the correct one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from triptych.benchmarks.registry import Benchmark
from triptych.errors import DataError
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import Score
from triptych.scoring.apply import scores_of

READER = "standard"  # the protocol that reads which option a reply chooses, and never guesses
Counts = Mapping[str, Mapping[str, tuple[int, int]]]
_SHOWN = 6  # Runs named in a note


def reads_choice(unit: Unit) -> bool:
    """Return whether a Unit is one question with one correct option, given as a letter or as its text."""
    return len(unit.items) == 1 and unit.item.answer in ("letter", "option") and type(unit.item.target) is str


def choice(score: Score | None) -> bool:
    """Return whether a Score of `standard` is of a reply that chooses an option."""
    return score is not None and score.status == "scored" and bool(score.extraction)


def is_credited(score: Score | None, read: Score) -> bool:
    """Return whether a rule counts a reply as correct that chooses a wrong option, as `standard` reads it."""
    return score is not None and score.status == "scored" and score.numerator > 0 and not read.numerator > 0


class Credited:
    """Counts of a benchmark's protocols other than `standard`, over Units that come a part at a time.

    `counts`: protocol -> Task -> (replies that it counts as correct although they choose a wrong option, replies that
    choose an option), of the Tasks in which there are any of the former.
    """

    def __init__(self, benchmark: Benchmark, counts: Counts | None = None) -> None:
        self._reader: Protocol | None = benchmark.protocols.get(READER)
        self._order = tuple(benchmark.protocols)
        self._counts = {protocol: dict(credited_scores) for protocol, credited_scores in (counts or {}).items()}
        self._read: dict[str, Counter[str]] = {}
        self._credited: dict[str, Counter[str]] = {}

    def add(self, units: Sequence[Unit], score_list: Mapping[str, Sequence[Score]]) -> None:
        """Count Units by their Scores (protocol -> those of all Units); `standard` is computed if it is absent."""
        others = {name: scores for name, scores in score_list.items() if name != READER}
        if self._reader is None or not others or not any(map(reads_choice, units)):
            return
        first = {name: _first(scores) for name, scores in score_list.items()}
        for unit in filter(reads_choice, units):
            key = (unit.unit_id, unit.repeat)
            read = first[READER].get(key) if READER in first else self._standard_score(unit)
            if read is None or not choice(read):
                continue
            for name in others:
                self._read.setdefault(name, Counter())[unit.item.task] += 1
                if is_credited(first[name].get(key), read):
                    self._credited.setdefault(name, Counter())[unit.item.task] += 1

    def _standard_score(self, unit: Unit) -> Score | None:
        assert self._reader is not None
        try:
            return next(iter(scores_of(unit, self._reader)), None)
        except DataError:  # the protocol of a plug-in failed, and wasn't asked for
            return None

    @property
    def counts(self) -> dict[str, dict[str, tuple[int, int]]]:
        """Return what was counted, with the counts known before."""
        return self._counts | {
            name: {task: (n, self._read[name][task]) for task, n in sorted(self._credited[name].items())}
            for name in self._order
            if name in self._credited
        }


def _first(scores: Iterable[Score]) -> dict[tuple[str, int], Score]:
    scores_by_reply: dict[tuple[str, int], Score] = {}
    for score in scores:
        scores_by_reply.setdefault((score.unit, score.repeat), score)
    return scores_by_reply


def summed_counts(parts: Iterable[Mapping[str, tuple[int, int]]]) -> dict[str, tuple[int, int]]:
    """Return Task -> counts, summed over the parts of a Run, of one protocol."""
    counts: dict[str, tuple[int, int]] = {}
    for part in parts:
        for task, (credited, read) in part.items():
            before = counts.get(task, (0, 0))
            counts[task] = before[0] + credited, before[1] + read
    return counts


def credit_notes(protocol: str, counts: Mapping[str, Counts]) -> Iterator[str]:
    """Yield a note on a protocol of some Runs (label -> counts), if it credits a wrong option in any.

    Example:
        >>> list(credit_notes("official", {"m": {"official": {"su": (2, 50)}}}))
        ['official counts replies as correct that choose a wrong option: 2 of the 50 that choose one (4.0%)']
    """
    parts: list[str] = []
    for label, label_counts in counts.items():
        credited, read = (
            (sum(one) for one in zip(*label_counts[protocol].values(), strict=True))
            if label_counts.get(protocol)
            else (0, 0)
        )
        if credited:
            share = f"{credited:,} of the {read:,} that choose one ({100 * credited / read:.1f}%)"
            parts.append(f"{share} of {label}" if len(counts) > 1 else share)
    if parts:
        more = f" and {len(parts) - _SHOWN} more Runs" if len(parts) > _SHOWN else ""
        yield f"{protocol} counts replies as correct that choose a wrong option: {', '.join(parts[:_SHOWN])}{more}"
