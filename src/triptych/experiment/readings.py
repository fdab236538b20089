"""Conditions that need a model to read media first; the plan decides which model, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from triptych.benchmarks import Benchmark
from triptych.conditions.applying import apply_all
from triptych.conditions.condition import Condition, NotApplicable
from triptych.conditions.readings import UNDER_TEST, NeedsTexts
from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.models.registry import load_adapter
from triptych.prompts.template import PromptSpec
from triptych.records import Item

if TYPE_CHECKING:
    from triptych.experiment.plan import Plan
    from triptych.running.loop import RunOptions, RunOutcome
    from triptych.running.readings import Reader
    from triptych.store.folder import RunFolder


def plan_readers(
    conditions: Sequence[Condition],
    bench: Benchmark,
    adapter: Adapter,
    prompts: Mapping[str, PromptSpec],
    decoding: Mapping[str, Any],
    model_settings: Mapping[str, Any] | None = None,
) -> dict[str, Reader]:
    """Return Condition -> the model that reads for it.

    `model_settings`: settings and endpoint (`base_url`) of the models that Conditions name. Raises SpecError if such a
    model does not exist or can't read such files, or if `model_settings` is given and no Condition names a model.
    """
    from triptych.running.readings import Reader, reading_settings

    readers = {}
    for condition in conditions:
        if isinstance(condition, NeedsTexts) and (wants := condition.wants):
            reader = adapter if wants.by == UNDER_TEST else load_adapter(wants.by, model_settings)
            if wants.kind not in reader.accepts:
                raise SpecError(f"{reader.name} takes no {wants.kind}, so it can't read for {condition.name!r}")
            prompt = prompts.get(wants.prompt_name) or wants.prompt(bench.spec.languages[0])
            settings = reading_settings(decoding)
            readers[condition.name] = Reader(condition.name, wants, reader, prompt, settings)
    if model_settings and all(reader.adapter is adapter for reader in readers.values()):
        raise SpecError(
            "--reader-base-url and -R need a Condition that names a model",
            got=", ".join(condition.name for condition in conditions) or "no Condition",
            expected="a Condition such as description:from=ADAPTER/NAME",
            fix="for the model under test use --model-base-url and -M",
        )
    return readers


def made_ready(
    ready: Plan, run: RunFolder, media: MediaReader, options: RunOptions
) -> tuple[tuple[Condition, ...], tuple[RunOutcome, ...]]:
    """Return the plan's Conditions with their texts, and the outcome of reading for each.

    They are made in order, since each reads the Items as changed by the ones before. If reading ends early, that
    outcome is the last one, and the Conditions are not ready.
    """
    from triptych.running.budget import remaining_budget
    from triptych.running.other_endpoint import check_journal_endpoint
    from triptych.running.readings import journals, read_first

    for reader in ready.readers.values():
        check_journal_endpoint(reader.journal(run.path), reader.adapter, same_model=options.same_model)
    conditions: list[Condition] = []
    outcomes: list[RunOutcome] = []
    for condition in ready.conditions:
        if isinstance(condition, NeedsTexts) and condition.wants:
            reader = ready.readers[condition.name]
            budget = remaining_budget(
                options, [run, *(j for j in journals(run) if j.path != reader.journal(run.path).path)]
            )
            items = _changed_items(ready.cut_items(), conditions)
            texts, outcome = read_first(items, condition, reader, run, media, budget)
            outcomes += [outcome] if outcome else []
            if outcome and (outcome.interrupted or outcome.stopped):
                break
            condition = condition.with_texts(texts)
        conditions.append(condition)
    return tuple(conditions), tuple(outcomes)


def _changed_items(items: Iterable[Item], conditions: Sequence[Condition]) -> Iterator[Item]:
    """Yield the Items after the Conditions so far; Items that can no longer be asked are left out."""
    for item in items:
        with suppress(NotApplicable):
            yield from apply_all(item, conditions)
