"""A Run that is ready to start: its questions, model and prompts. Everything is checked, nothing was asked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.benchmarks import Benchmark
from triptych.benchmarks.spec import TaskSpec
from triptych.conditions.applying import apply_all
from triptych.conditions.condition import (
    BringsFiles,
    Condition,
    Expanding,
    NotApplicable,
    find_condition,
)
from triptych.errors import DataError
from triptych.experiment.remarks import Remembered, condition_remarks, prompt_remarks
from triptych.media.hashes import with_hashes
from triptych.models.adapter import Adapter
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Problem, Request, RunManifest
from triptych.running.plan import Selection, make_requests, select
from triptych.running.shards import Shard, divide, of_shard

if TYPE_CHECKING:
    from triptych.running.readings import Reader

# At most this many Items are kept after counting; larger data is read again, so that memory is bounded
MAX_ITEMS_IN_MEMORY = 4096


@dataclass(frozen=True, repr=False)
class Plan:
    """A Run that is ready to start: everything is checked, nothing was asked yet.

    Attributes:
        benchmark: The benchmark.
        adapter: What asks the model.
        manifest: The manifest of the Run folder.
        data: Folder of the data.
        tasks: The Tasks that are asked.
        conditions: The Conditions, in the order in which they are applied.
        selection: Which Items are asked: filters, limit, ids.
        prompts: Name -> prompt, for the Tasks that are asked.
        prompt_of: Task -> name of its prompt.
        problems: Malformed rows that were met when the data were read; the keys are sentences.
        replayed: The Items of replayed results; None for a model.
        readers: Condition -> the model that reads media for it.
        shard: The part of the Items that is asked; None for all.
        recipe: What `load_adapter` made the adapter of: the model and its settings.
    """

    benchmark: Benchmark
    adapter: Adapter
    manifest: RunManifest
    data: Path
    tasks: tuple[TaskSpec, ...]
    conditions: tuple[Condition, ...]
    selection: Selection
    prompts: Mapping[str, PromptSpec]
    prompt_of: Mapping[str, str]
    problems: dict[str, None] = field(default_factory=dict)
    replayed: tuple[Item, ...] | None = None
    readers: Mapping[str, Reader] = field(default_factory=dict)
    shard: Shard | None = None
    recipe: tuple[str, Mapping[str, Any]] = ("", {})
    # Results of the first reading, in lists, since the plan is frozen: all Items, if they are few; how many are in
    # the data; Instance -> shard.
    _items_read: list[tuple[Item, ...]] = field(default_factory=list, init=False)
    _number_in_data: list[int] = field(default_factory=list, init=False)
    _shards: list[dict[str, int]] = field(default_factory=list, init=False)

    def __repr__(self) -> str:
        """The Run in one line; all fields would fill pages of a notebook."""
        tasks, conditions = [task.id for task in self.tasks], [condition.name for condition in self.conditions]
        return f"Plan({self.benchmark.name!r}, {self.adapter.name!r}, tasks={tasks}, conditions={conditions})"

    def items(self) -> Iterable[Item]:
        """Yield the selected Items of the shard, before the Condition. A replay has those that its results are about.

        Raises SpecError if there are more shards than Instances.
        """
        if self.shard is None:
            return self._selected_items()
        if not self._shards:
            self._shards.append(divide(self._selected_items(), self.shard.of))
        return of_shard(self._selected_items(), self._shards[0], self.shard.number)

    def all_shards(self) -> Plan:
        """Return the plan of all shards together."""
        return self if self.shard is None else replace(self, shard=None)

    def _selected_items(self) -> Iterable[Item]:
        return self._items_read[0] if self._items_read else self._read()

    def _read(self) -> Iterator[Item]:
        everything: Iterable[Item] = self.replayed if self.replayed is not None else self._questions()
        if self.manifest.sample:
            everything = self.benchmark.sample(
                self.manifest.sample.partition("@")[0], everything, self.data, self._note_problem, self.tasks
            )
        items: list[Item] = []
        missed = set(self.selection.items or ())
        values = self._values_named()
        for item in select(self._counted_items(everything, values), self.selection):
            missed.discard(item.id)
            if len(items) <= MAX_ITEMS_IN_MEMORY:
                items.append(item)
            yield item
        if len(items) <= MAX_ITEMS_IN_MEMORY:
            self._items_read.append(tuple(items))
        if missed:
            text = f"{len(missed):,} of {len(self.selection.items or ()):,} ids, such as {min(missed)!r}"
            self.problems[f"--items names Items that are not asked: {text}"] = None

        for name, absent in values.items():
            if absent:
                named = ", ".join(map(repr, sorted(absent)))
                self.problems[f"no Item has the {name} {named}, which is asked for"] = None

    def _values_named(self) -> dict[str, set[str]]:
        """Return facet -> the values that the user asks for; without those that the benchmark chooses."""
        if self.manifest.as_in:
            return {}
        usual = self.benchmark.spec.default_filters
        filters = self.selection.filters
        return {name: set(values) for name, values in filters.items() if values != frozenset(usual.get(name, ()))}

    def _counted_items(self, items: Iterable[Item], values: Mapping[str, set[str]]) -> Iterator[Item]:
        """Yield the Items and count them. Each value of a facet that one has is taken out of `values`."""
        number = 0
        for number, item in enumerate(items, 1):  # noqa: B007
            for name, absent in values.items():
                if absent:
                    facets = {"task": item.task, "instance": item.instance_id, **item.facets}
                    absent.discard(facets.get(name, ""))
            yield item
        self._number_in_data[:] = [number]

    @property
    def in_data(self) -> int:
        """The number of Items of the chosen Tasks in the data; 0 if they were not read to the end."""
        return self._number_in_data[0] if self._number_in_data else 0

    def _questions(self) -> Iterator[Item]:
        """Yield the data's Items. Raises DataError if one can't be asked: a reference answer without its question."""
        for item in self.data_items():
            if not item.parts and not item.options:
                fix = f"`triptych check {self.benchmark.name} --data {self.data}` lists the missing files"
                problem = "the data contains the reference answer of this question, but not the question"
                raise DataError(problem, where=f"{self.data}: {item.id}", fix=fix)
            yield item

    def data_items(self) -> Iterable[Item]:
        """Yield the Items of the chosen Tasks in the data folder; malformed rows are added to `problems`."""
        return self.benchmark.items(self.data, self.tasks, self._note)

    def _note(self, problem: Problem) -> None:
        """Record the report about a malformed row, once, even if the files are read several times."""
        if problem.severity == "error":
            self.problems[f"{problem.message} ({problem.where})"] = None

    def _note_problem(self, problem: Problem) -> None:
        """Record a note about the sample, once."""
        self.problems[problem.message] = None

    def cut_items(self) -> Iterable[Item]:
        """Yield the Items with their recordings cut to the length that the model gets.

        They are cut before the Conditions, which change what would be sent without them.
        """
        if not self.manifest.audio_seconds:
            return self.items()
        return map(find_condition(f"cut:seconds={self.manifest.audio_seconds:g}").apply, self.items())

    def requests(self) -> Iterable[Request]:
        """Yield the Requests; what is remarkable about the prompt or the Conditions is added to `problems`."""
        items = self.cut_items()
        if any(getattr(condition, "needs_hashes", False) for condition in self.conditions):
            items = (with_hashes(item, self.data) for item in items)
        items = Remembered(items)
        requests: Iterable[Request] = make_requests(
            items,
            conditions=self.conditions,
            prompts=self.prompts,
            prompt_of=self.prompt_of,
            settings=self.manifest.decoding,
            repeats=self.manifest.repeats,
        )
        built_in = self.benchmark.origin == "triptych" and not self.benchmark.home
        usual = self.benchmark.spec.prompts if built_in else ()
        if prompts := {task: name for task, name in self.prompt_of.items() if name not in usual}:
            requests = prompt_remarks(requests, prompts, self.problems)
        if self.conditions:
            requests = condition_remarks(requests, items, self.conditions, self.problems)
        return requests

    @property
    def unnamed(self) -> tuple[str, ...]:
        """Return the last steps of Tasks that were left out because no Task was chosen by that name."""
        spec, task_names = self.benchmark.spec, {task.id.rpartition("/")[2] for task in self.tasks}
        others = {task.id.rpartition("/")[2] for task in spec.tasks} - set(spec.by_name)
        return tuple(step for step in spec.by_name if step not in task_names) if others <= task_names else ()

    @property
    def unread(self) -> tuple[str, ...]:
        """Return the Conditions that can't be applied before a model has read media for them."""
        return tuple(c.name for c in self.conditions if getattr(c, "wants", None))

    def count(self) -> int:
        """Return the number of Requests; reads the question files once."""
        growing = [condition for condition in self.conditions if isinstance(condition, Expanding)]
        forms = sum(_forms(item, growing) for item in self.items()) if growing else sum(1 for _ in self.items())
        return forms * self.manifest.repeats

    @property
    def extra_files(self) -> dict[str, Path]:
        """Return the files outside the data folder that Conditions mix into media, by SHA-256."""
        files_by_name: dict[str, Path] = {}
        for condition in self.conditions:
            if isinstance(condition, BringsFiles):
                files_by_name |= condition.files
        return files_by_name

    def default_folder(self) -> Path:
        """Return `runs/BENCH/MODEL-HASH`, so that the same command finds its Run and resumes it; of a shard
        `runs/BENCH/MODEL-shard-3-of-8-HASH`, with the same hash for all shards.
        """
        # The texts of prompts are left out, since another prompt has another name.
        left_out = ("shard", "schema_version", "prompts")
        identifying = {key: value for key, value in self.manifest.identity().items() if key not in left_out}
        identity = repr(sorted(identifying.items())).encode()
        words = [self.manifest.called, *self.manifest.conditions]
        words += [f"shard-{self.shard.number}-of-{self.shard.of}"] if self.shard else []
        name = re.sub(r"[:/\\\s]+", "-", "-".join(words)).lstrip(".")
        return Path("runs") / self.benchmark.name / f"{name}-{hashlib.sha256(identity).hexdigest()[:8]}"


def _forms(item: Item, growing: Sequence[Condition]) -> int:
    """Return how many times an Item is asked; one that a Condition refuses gets a single Response that says so."""
    try:
        return len(apply_all(item, growing))
    except NotApplicable:
        return 1
