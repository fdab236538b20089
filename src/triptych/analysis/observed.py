"""A Run as analyses see it: its Scores under one protocol, its Items, and the figures that they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import overload

from triptych.benchmarks import Benchmark, load_benchmark
from triptych.errors import SpecError
from triptych.metrics.metric import known_metrics, metric_name
from triptych.protocols.protocol import Protocol
from triptych.records import ANSWERED, Aggregate, Item, RunManifest, Score, signature_of
from triptych.scoring.apply import score_units
from triptych.scoring.figures.aggregate import aggregate_scores
from triptych.scoring.notes.cost import COSTS
from triptych.scoring.notes.labels import labels_of
from triptych.scoring.predictions import merge_items
from triptych.scoring.runs import load_scores, up_to_date
from triptych.scoring.signature import make_signature
from triptych.scoring.stored.units import group_units
from triptych.store.decoded import fact_table
from triptych.store.folder import RunFolder


@dataclass(frozen=True)
class Observed:
    """One Run under one protocol. `manifest` is None for results made elsewhere; `path` is their path.
    `unfinished`: for an interrupted Run, how many of its questions were asked."""

    label: str
    benchmark: Benchmark
    protocol: Protocol
    scores: tuple[Score, ...]
    aggregates: tuple[Aggregate, ...]
    item_list: Sequence[Item]
    manifest: RunManifest | None = None
    path: Path | None = None
    unfinished: str = ""

    @cached_property
    def items(self) -> Mapping[str, Item]:
        """The first Item of each Unit, by the Unit's id."""
        all_items = self.all_items
        kept_items: dict[int, tuple[Mapping[str, Item], Sequence[Item]]] = fact_table("items of Units")
        if id(all_items) not in kept_items:
            kept_items[id(all_items)] = {item.unit_id: item for item in all_items if not item.place}, all_items
        return kept_items[id(all_items)][0]

    @property
    def all_items(self) -> Sequence[Item]:
        """`item_list` as it was read: Runs of the same questions can share one sequence."""
        return self.item_list.all_items if isinstance(self.item_list, _ItemsOf) else self.item_list

    @cached_property
    def signature(self) -> str:
        """The signature of its scores."""
        return signature_of(self.aggregates)

    @property
    def condition(self) -> str:
        """The Condition's name; empty for none."""
        return self.manifest.condition if self.manifest else ""

    @property
    def model(self) -> str:
        """The model's name; the label where there is no manifest."""
        return self.manifest.model if self.manifest else self.label

    @property
    def run_name(self) -> str:
        """The name that its user gave the Run, else the model's."""
        return self.manifest.called if self.manifest else self.label

    @cached_property
    def facets(self) -> tuple[dict[str, str], ...]:
        """All facets that Scores have, each combination once or more often."""
        return tuple({id(score.facets): score.facets for score in self.scores}.values())

    @cached_property
    def main_scores(self) -> tuple[Score, ...]:
        """The Scores of each Task's main metric, by whichever rule the protocol has for it: one a Unit and repeat."""
        main = main_metrics(self.benchmark)
        names = {metric: metric_name(metric) for metric in {score.metric for score in self.scores}}
        return tuple([s for s in self.scores if names[s.metric] == main.get(s.task, names[s.metric])])

    @cached_property
    def answer_texts(self) -> Mapping[tuple[str, int], str]:
        """Return the answer extracted from each Unit's reply, by Unit and repeat, if that is one text.

        A protocol that looks for words in the reply keeps no choice (CMDAR's and MCGA's official ones): then what
        another protocol of the Run read, in the benchmark's order.
        """
        if texts := _extractions(self.main_scores):
            return texts
        return next(filter(None, (_extractions(other.main_scores) for other in self.under_others())), {})

    def under_others(self) -> Iterator[Observed]:
        """The same Run under each other protocol that it was scored under; none for results made elsewhere."""
        if self.path is not None and self.manifest is not None:
            folder = RunFolder(self.path, self.manifest)
            for name, figures in up_to_date(folder).items():
                if name != self.protocol.name:
                    protocol, scores = self.benchmark.protocol(name), tuple(load_scores(folder, name))
                    yield replace(self, protocol=protocol, scores=scores, aggregates=tuple(figures))


class _ItemsOf(Sequence[Item]):
    """A Run's Items, read when they are first needed: a comparison of Scores needs none."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    @cached_property
    def all_items(self) -> Sequence[Item]:
        """Return the Items as the folder gives them: Runs of the same questions can share one sequence."""
        return self._folder.all_items()

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, indices: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return self.all_items[index]

    def __len__(self) -> int:
        return len(self.all_items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.all_items)


def _extractions(scores: Iterable[Score]) -> dict[tuple[str, int], str]:
    return {(s.unit, s.repeat): s.extraction for s in scores if isinstance(s.extraction, str) and s.extraction}


def observe(
    folders: Sequence[RunFolder], protocol: str | None = None, labels: Sequence[str] | None = None
) -> list[Observed]:
    """Runs as analyses see them, scored again where their Responses are newer; None: the headline protocol.

    `labels`: what they are called, else by their models. Raises SpecError for Runs of several benchmarks, a protocol
    that they aren't scored under, or labels that don't tell them apart.
    """
    names = sorted({folder.manifest.benchmark for folder in folders})
    if len(names) != 1:
        fix = "pass the Runs of one benchmark at a time, or run `triptych report`, which accepts several benchmarks"
        raise SpecError("only Runs of one benchmark can be compared", got=", ".join(names) or "no Run", fix=fix)
    benchmark = load_benchmark(names[0])
    chosen = benchmark.protocol(protocol or benchmark.spec.protocols[0])
    names = list(labels or labels_of(folders))
    if len(set(names)) != len(folders):
        raise SpecError("each Run needs a label of its own", got=", ".join(names), expected=f"{len(folders)} labels")
    return [_observe(f, label, benchmark, chosen) for f, label in zip(folders, names, strict=True)]


def _observe(folder: RunFolder, label: str, benchmark: Benchmark, protocol: Protocol) -> Observed:
    scored = up_to_date(folder)
    if protocol.name not in scored:
        raise SpecError(f"{label} is not scored under {protocol.name}", where=folder.path, fix="triptych score RUN")
    scores = tuple(load_scores(folder, protocol.name))
    figures = tuple(scored[protocol.name])
    unfinished = next((note for note in scored.notes if note.startswith("unfinished")), "")
    return Observed(
        label, benchmark, protocol, scores, figures, _ItemsOf(folder), folder.manifest, folder.path, unfinished
    )


def observe_predictions(
    benchmark: Benchmark,
    paths: Sequence[Path],
    data: Path | None = None,
    protocol: str | None = None,
    label: str = "",
) -> Observed:
    """Results made elsewhere, in the authors' own format, as analyses see them. Raises DataError as `score` does."""
    questions = {item.id: item for item in benchmark.items(data, None, lambda problem: None)} if data else {}
    outputs = benchmark.outputs(paths, questions or None)
    items = merge_items(outputs, questions)
    chosen = benchmark.protocol(protocol or benchmark.spec.protocols[0])
    scores = score_units(group_units(items, outputs.responses.values()), chosen)
    name = label or paths[0].name
    signature = make_signature(
        benchmark=benchmark.name,
        version=benchmark.spec.version,
        data="as in predictions",
        protocol=chosen,
        metrics={score.metric for score in scores},
        model=f"predictions({name})",
    )
    figures = aggregate_scores(scores, chosen, benchmark.spec, signature)
    return Observed(name, benchmark, chosen, tuple(scores), tuple(figures), tuple(items), None, paths[0])


def main_metrics(benchmark: Benchmark) -> dict[str, str]:
    """Task -> the name of its main metric."""
    spec = benchmark.spec
    return {spec.full_id(task): metric_name(task.metrics[0]) for task in spec.tasks if task.metrics}


def headlines(benchmark: Benchmark, aggregates: Iterable[Aggregate]) -> list[Aggregate]:
    """The figures that stand for the whole: the benchmark's own without any slice; else those with the fewest; else
    each Task's main metric.

    A benchmark's own figure in a metric that no Task has (a score over Tasks of several metrics) goes alone if there
    are many Tasks, and next to the Tasks' figures if there are a dozen or fewer.
    """
    spec, main = benchmark.spec, main_metrics(benchmark)
    headline_figures = list(aggregates)
    of_benchmark = [a for a in headline_figures if a.task == spec.name]
    overall = [a for a in of_benchmark if not a.slice and a.value is not None and a.metric not in COSTS]
    total = [a for a in of_benchmark if metric_name(a.metric) in main.values()]
    fewest = min((len(a.slice) for a in total), default=0)
    if total and (not fewest or not overall):
        return [a for a in total if len(a.slice) == fewest]
    tasks = [a for a in headline_figures if a.task in main and metric_name(a.metric) == main[a.task] and not a.slice]
    return [*tasks, *overall] if len(tasks) <= 12 or not overall else overall


def facet_of(item: Item, names: Iterable[str]) -> str:
    """The Item's value of the first of these facets that it has (`task` is one too); its Task where it has none."""
    facets = item.facets
    for name in names:
        if value := facets.get(name):
            return value
        if name == "task" and name not in facets:
            break
    return item.task


def is_answered(score: Score) -> bool:
    """Whether the Unit has an answer, be it one that could not be read."""
    return score.status in ANSWERED


def is_binary(scores: Iterable[Score]) -> bool:
    """Return whether every Score is right (1) or wrong (0)."""
    return all(s.denominator == 1 and s.numerator in (0.0, 1.0) for s in scores if is_answered(s))


def unit_of(metric: str) -> str:
    """The unit that a figure of this metric is printed in: `%`, or none. A name that no metric has is in percent."""
    entry = known_metrics().get(metric)
    return "%" if entry is None or entry[0].unit == "%" else ""


def better_of(metric: str) -> str:
    """Return the better direction of a metric; `higher` if the metric isn't known."""
    entry = known_metrics().get(metric)
    return entry[0].better if entry else "higher"
