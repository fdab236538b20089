"""Runs in which nothing is wrong: simulated models on the mini sets, whose audit should have no severe finding.

A model has a chance of being right, a way of writing (a letter, a sentence in English or Chinese, reasoning before the
answer), media that it takes, and now and then a refusal, a failure or a reply that is cut. Every fourth is a baseline
with nothing else than its rule. Runs are of all benchmarks, under several Conditions, of samples, of some Tasks only,
with repeats; some are resumed, some folders are renamed, and some Runs replay results that another one wrote.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msgspec import structs

import triptych
from triptych.api.runs import run_plan
from triptych.errors import ProviderError, SpecError
from triptych.experiment.planning import plan
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Finding, Item, Request, Usage
from triptych.running.loop import RunOptions

BENCHMARKS = ("xmodbench", "cmdar", "mcga", "mcif", "mcs_bench")
BASELINES = ("random", "constant", "first", "frequent", "longest", "reference")
CONDITIONS = ((), (), (), ("blind",), ("shuffle",), ("no_context",), ("noise",))
TAKES: tuple[frozenset[Any], ...] = (
    frozenset({"text", "audio", "image", "video"}),
    frozenset({"text", "audio"}),
    frozenset({"text", "image", "video"}),
)
WAYS: Mapping[str, Callable[[str], str]] = {
    "plain": lambda said: said,
    "sentence": lambda said: f"The answer is {said}.",
    "Chinese": lambda said: f"答案：{said}",
    "bold": lambda said: f"**Final answer: {said}**",
    "reasoning": lambda said: f"<think>I compare what I hear with each option, one by one.</think>\n{said}",
}

# share of the replies that it befalls, and kinds of findings that name it
FAULTS: Mapping[str, tuple[float, tuple[str, ...]]] = {
    "lost replies": (0.3, ("lost", "coverage", "missing")),
    "errors": (0.3, ("failure",)),
    "one letter": (0.95, ("constant",)),
    "another model": (0.4, ("mixed", "served")),
}


@dataclass(frozen=True)
class Planned:
    """A clean Run: what is asked, of which model, and how."""

    number: int
    benchmark: str
    model: str
    right: float = 0.6
    way: str = "plain"
    takes: frozenset[Any] = TAKES[0]
    conditions: tuple[str, ...] = ()
    repeats: int = 1
    rare: float = 0.0  # share of refusals, of failures and of cut replies, each
    what: dict[str, Any] = field(default_factory=dict)
    replayed: bool = False
    renamed: bool = False
    fault: str = ""


class Simulated(SimpleAdapter):
    """A model of our own: what it says depends on its seed and the question alone."""

    reads_media = False
    deterministic = False

    def __init__(self, planned: Planned) -> None:
        super().__init__({})
        self.planned, self.name, self.accepts = planned, f"openai/{planned.model}", planned.takes

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """Answer the Item."""
        assert request.item is not None
        one, rng = self.planned, random.Random(f"{self.planned.number}/{request.item.id}/{request.repeat}")
        usage = Usage(200 + rng.randrange(400), 5 + rng.randrange(60))
        if one.fault and rng.random() < FAULTS[one.fault][0]:
            return faulty(one.fault, request.item)
        chance = rng.random()
        if chance < one.rare:
            return Reply("I'm sorry, but I can't help with that.", "refused", "content_filter", usage)
        said = answer(request.item, rng, one.right)
        if chance < 2 * one.rare:
            return Reply(said[: len(said) // 2], "truncated", "length", usage)
        return Reply(WAYS[one.way](said), finish_reason="stop", usage=usage, served_model=one.model)


def faulty(fault: str, item: Item) -> Reply:
    """A reply, or none, as something that went wrong gives it."""
    if fault == "lost replies":
        raise ProviderError("the connection was closed", kind="connection")
    if fault == "another model":
        return Reply(str(item.target), finish_reason="stop", served_model="qwen2.5-omni-3b")
    text = {"errors": "Error code: 429 - {'error': {'message': 'Rate limit reached'}}", "one letter": "A"}
    return Reply(text[fault], finish_reason="stop", served_model="")


def answer(item: Item, rng: random.Random, right: float) -> str:
    """A reply in the form that the Item wants: right with a chance, otherwise another option or a text with errors."""
    places, correct = item.target_positions, rng.random() < right
    if item.options and places and item.answer in ("letter", "option", "options"):
        others = [n for n in range(len(item.options)) if n not in places]
        if item.answer == "letter":
            return item.labels[places[0] if correct or not others else rng.choice(others)]
        texts = item.option_texts()
        if item.answer == "option":
            return texts[places[0] if correct or not others else rng.choice(others)]
        chosen = set(places) if correct else {rng.randrange(len(texts)) for _ in range(2)}
        return "；".join(texts[n] for n in sorted(chosen))
    if item.answer == "letter":
        letters = list(item.labels or "ABCD")
        return str(item.target) if correct or not letters else rng.choice(letters)
    text = item.targets[0] if item.targets else "无"
    return "".join(sign for sign in text if rng.random() < 0.5 + right / 2) or text


def planned_runs(count: int, seed: int = 0) -> list[Planned]:
    """Return what is run, of all benchmarks in turn."""
    rng, found = random.Random(seed), list[Planned]()
    for number in range(count):
        benchmark = BENCHMARKS[number % len(BENCHMARKS)]
        if number % 4 == 3:
            found.append(Planned(number, benchmark, f"baseline/{rng.choice(BASELINES)}"))
            continue
        conditions = rng.choice(CONDITIONS)
        one = Planned(
            number,
            benchmark,
            f"omni-{number}",
            right=rng.uniform(0.25, 0.97),
            way=rng.choice(list(WAYS)),
            takes=rng.choice(TAKES) if not conditions else TAKES[0],
            conditions=conditions,
            repeats=rng.choice((1, 1, 1, 3)),
            rare=rng.choice((0.0, 0.0, 0.004)),
            what={} if rng.random() < 0.7 else {"limit": rng.choice((60, 120))},
            replayed=number % 8 == 5,
            renamed=rng.random() < 0.2,
        )
        found.append(one)
    return found


def run(one: Planned, folder: Path) -> Path:
    """Make a Run, and return its folder."""
    place = folder / (f"results-{one.number}" if one.renamed else f"run-{one.number}")
    options = RunOptions(progress=False, retries=0)
    if one.model.startswith("baseline/"):
        triptych.run(one.benchmark, one.model, out=place, options=options, **one.what)
        return place
    prepared = plan(one.benchmark, "baseline/random", conditions=list(one.conditions), repeats=one.repeats, **one.what)
    adapter = Simulated(one)
    manifest = structs.replace(prepared.manifest, model=adapter.name, model_settings={})
    run_plan(replace(prepared, adapter=adapter, manifest=manifest), out=place, options=options)
    return _replay(one, place, folder) if one.replayed else place


def _replay(one: Planned, place: Path, folder: Path) -> Path:
    """Make a Run that replays the results of another one, in the authors' format; the Run itself if they have none."""
    try:
        triptych.report([place], to=folder / "written", formats=["outputs"])
    except SpecError:
        return place
    again = folder / f"replay-{one.number}"
    settings = {"path": str(folder / "written" / "outputs")}
    triptych.run(one.benchmark, f"replay/{one.model}", settings=settings, out=again)
    return again


def audited(one: Planned) -> list[Finding]:
    """Return the findings on a clean Run."""
    with tempfile.TemporaryDirectory() as folder:
        return list(triptych.audit_run([run(one, Path(folder))]))


def false_alarms(runs: int, seed: int = 0, most: int | None = None) -> dict[str, Any]:
    """Return the number of Runs, of findings by severity and kind, and of Runs with a severe one, with its message.
    `most`: questions a Run is asked at most."""
    found, severe = Counter[str](), dict[str, list[str]]()
    for one in planned_runs(runs, seed):
        one = one if most is None else replace(one, what={"limit": most})
        own = audited(one)
        found.update(f"{f.severity} {f.kind}" for f in own)
        if alarms := [f"{f.kind}: {f.message}" for f in own if f.severity == "severe"]:
            severe[f"{one.number}: {one.model} on {one.benchmark}"] = alarms
    return {"runs": runs, "runs_with_severe": len(severe), "severe": severe, "findings": dict(sorted(found.items()))}


def recall(each: int, seed: int = 1) -> dict[str, dict[str, int]]:
    """Return, by kind of fault: how many Runs had it, and in how many it was found, and found as severe."""
    counts = {fault: {"planted": 0, "found": 0, "severe": 0} for fault in FAULTS}
    clean = [one for one in planned_runs(8 * each, seed) if not one.model.startswith("baseline/")]
    for fault, (_, kinds) in FAULTS.items():
        for one in clean[:each]:
            planted = replace(one, benchmark="xmodbench", fault=fault, conditions=(), takes=TAKES[0], replayed=False)
            own = [f for f in audited(planted) if f.kind in kinds and f.severity != "note"]
            counts[fault]["planted"] += 1
            counts[fault]["found"] += bool(own)
            counts[fault]["severe"] += any(f.severity == "severe" for f in own)
    return counts
