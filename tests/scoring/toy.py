"""A toy benchmark for the scoring tests: two Tasks, accuracy and an error rate, a macro average."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from triptych.benchmarks.registry import Benchmark
from triptych.benchmarks.spec import BenchmarkSpec, Citation, TaskSpec
from triptych.prompts.template import PromptSpec
from triptych.protocols.outcomes import lost_status, scored, unscored
from triptych.protocols.protocol import Cell, Figure, Protocol, Unit
from triptych.records import Aggregate, Item, Response, ResponseStatus, Score, ScoreStatus
from triptych.scoring.figures.aggregate import aggregate_scores


def make_spec(slices: tuple[str, ...] = ()) -> BenchmarkSpec:
    """A specification in memory; its metrics are Triptych's own."""
    tasks = (TaskSpec("a", "letter", ("acc",)), TaskSpec("b", "letter", ("acc",)))
    return BenchmarkSpec(
        name="toy",
        title="Toy",
        version="1",
        summary="",
        licence="CC0",
        citation=Citation("T", "A", 2025),
        languages=("en",),
        tasks=tasks,
        prompts={"p": PromptSpec(("{question}",), "ours")},
        prompt="p",
        protocols=("standard",),
        slices=slices,
    )


def score(
    unit: str,
    right: float,
    *,
    task: str = "toy/a",
    status: ScoreStatus = "scored",
    of: float = 1.0,
    metric: str = "acc",
    **more: Any,
) -> Score:
    """One Score; the Instance is the Unit unless told."""
    more.setdefault("instance", unit)
    return Score(unit, task, metric, status, right, of, **more)


def aggregate(cells: Sequence[Cell], sums: Any) -> Iterator[Figure]:
    """Per cent by cell, then the unweighted mean of the Tasks and their difference."""
    shares = 100 * sums[..., 0] / sums[..., 1]
    for number, cell in enumerate(cells):
        yield Figure(cell.task, cell.metric, dict(cell.slice), shares[..., number], (number,))
    every = tuple(range(len(cells)))
    yield Figure("toy", "acc", {}, shares.mean(axis=-1), every)
    if len(cells) == 2:
        yield Figure("toy", "gap", {}, shares[..., 1] - shares[..., 0], every)


def score_unit(unit: Unit) -> list[Score]:
    """Right if the reply is the target."""
    if lost := lost_status(unit):
        return [unscored(unit, "acc", lost)]
    assert unit.response is not None
    if not unit.response.text:
        return [unscored(unit, "acc", "unparsed")]
    return [scored(unit, "acc", unit.response.text == unit.item.target, extraction=unit.response.text)]


def protocol(headline: Literal["all", "answered"] = "all", **more: Any) -> Protocol:
    """The toy's only protocol."""
    given: dict[str, Any] = {"name": "standard", "score": score_unit, "aggregate": aggregate, **more}
    return Protocol(version="1", summary="toy", headline=headline, **given)


def item(id_: str, task: str = "a", **more: Any) -> Item:
    """An Item whose target is A."""
    return Item(id_, f"toy/{task}", (), answer="letter", target="A", **more)


def response(item_: str, text: str = "A", status: ResponseStatus = "answered", repeat: int = 0) -> Response:
    """A Response."""
    return Response(item_, "", repeat, status, text)


def random_scores(seed: int, instances: int = 60, failed: float = 0.2) -> list[Score]:
    """Instances with a Unit in each Task, correlated within the Instance, some of them failed."""
    rng = np.random.default_rng(seed)
    found = []
    for number, hard in enumerate(rng.random(instances)):
        for task in ("toy/a", "toy/b"):
            lost = rng.random() < failed
            right = 0.0 if lost else float(rng.random() > hard)
            status: ScoreStatus = "failed" if lost else "scored"
            found.append(score(f"{task}/{number}", right, task=task, status=status, instance=f"i{number}"))
    return found


def figures(scores: list[Score], headline: str = "all", **more: object) -> dict[tuple[str, str], Aggregate]:
    slices = more.pop("slices", ())
    found = aggregate_scores(scores, protocol(headline), make_spec(slices), "s", **more)  # type: ignore[arg-type]
    return {(a.task, a.metric): a for a in found}


def toy_benchmark() -> Benchmark:
    """The toy as a folder, as an entry point would give it."""
    return Benchmark("tests.scoring.toybench", Path(__file__).parent / "toybench", "tests")
