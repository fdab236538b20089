"""A Run as rows for other harnesses: an Item, the Response, and its scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from triptych.benchmarks import load_benchmark
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.records import Aggregate, Item, Part, Response, Score
from triptych.scoring.runs import load_scores, score_run, up_to_date
from triptych.store.folder import RunFolder


@dataclass(frozen=True, slots=True)
class Sample:
    """One Item of a Run, asked once. `scores`: those of its Unit, on the Unit's first Item; empty on the others."""

    item: Item
    repeat: int
    response: Response | None
    scores: tuple[Score, ...]

    @property
    def stem(self) -> str:
        """The stem as text; media appear as `[audio: PATH]`."""
        return "\n".join(words(part) for part in self.item.parts)

    @property
    def choices(self) -> list[str]:
        """The options as text."""
        return [" ".join(words(part) for part in option) for option in self.item.options]

    @property
    def target(self) -> list[str]:
        """The target, as a list of texts or letters; empty if it isn't known."""
        return list(self.item.targets)

    @property
    def provenance(self) -> dict[str, object]:
        """The Item and the Response as Triptych's own records, from which the sample can be restored."""
        return {
            "item": msgspec.to_builtins(self.item),
            "response": None if self.response is None else msgspec.to_builtins(self.response),
        }


@dataclass(frozen=True)
class ScoredRun:
    """A Run with its figures under one protocol."""

    folder: RunFolder
    spec: BenchmarkSpec
    protocol: str
    aggregates: Sequence[Aggregate]

    @classmethod
    def from_folder(cls, folder: RunFolder, protocol: str | None = None) -> ScoredRun:
        """Return the Run under `protocol`, default the headline one; scores it again if it is out of date.

        Raises SpecError for an unknown protocol.
        """
        benchmark = load_benchmark(folder.manifest.benchmark)
        name = benchmark.protocol(protocol).name if protocol else benchmark.spec.protocols[0]
        scored = up_to_date(folder)
        return cls(folder, benchmark.spec, name, (scored if name in scored else score_run(folder, [name]))[name])

    def samples(self) -> Iterator[Sample]:
        """Every Item and repeat, answered or not, in the order of the Items' ids."""
        replies: dict[str, dict[int, Response]] = defaultdict(dict)
        for response in self.folder.responses():
            replies[response.item][response.repeat] = response
        scores = self._scores()
        for item in self.folder.items():
            for repeat in range(self.folder.manifest.repeats):
                if self.folder.manifest.uneven and repeat not in replies[item.id]:
                    continue
                sample_scores = scores.get((item.unit_id, repeat), ()) if not item.place else ()
                yield Sample(item, repeat, replies[item.id].get(repeat), tuple(sample_scores))

    def _scores(self) -> Mapping[tuple[str, int], list[Score]]:
        scores_by_unit: dict[tuple[str, int], list[Score]] = defaultdict(list)
        for score in load_scores(self.folder, self.protocol):
            scores_by_unit[score.unit, score.repeat].append(score)
        return scores_by_unit


def words(part: Part) -> str:
    """Return a Part as text: its own, or a placeholder for a media file."""
    return f"[{part.kind}: {part.path}]" if part.is_media else part.text
