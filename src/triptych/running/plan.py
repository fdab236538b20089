"""The plan: which Items are asked, in which wording, how often. Lazy from end to end: nothing is held for long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from triptych.conditions.condition import Condition
from triptych.conditions.readings import NoText
from triptych.errors import SpecError, nearest
from triptych.prompts.build import build_request
from triptych.prompts.template import PromptSpec
from triptych.records import Hopeless, Item, Request


@dataclass(frozen=True, slots=True)
class Selection:
    """Which Items take part.

    filters   facet -> the values that pass; all facets must agree (`task` and `instance` are facets too)
    limit     so many whole Instances of each Task, the first ones
    items     only these Item ids
    """

    filters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    limit: int | None = None
    items: frozenset[str] | None = None


def select(items: Iterable[Item], selection: Selection) -> Iterator[Item]:
    """The Items that pass, in their order. Raises SpecError for a facet that an Item doesn't have."""
    seen: dict[str, set[str]] = defaultdict(set)
    for item in items:
        if selection.items is not None and item.id not in selection.items:
            continue
        if not all(_facet(item, name) in values for name, values in selection.filters.items()):
            continue
        if selection.limit is not None:
            instances = seen[item.task]
            if item.instance_id not in instances and len(instances) >= selection.limit:
                continue
            instances.add(item.instance_id)
        yield item


def make_requests(
    items: Iterable[Item],
    *,
    conditions: Sequence[Condition],
    prompts: Mapping[str, PromptSpec],
    prompt_of: Mapping[str, str],
    settings: Mapping[str, Any],
    repeats: int = 1,
) -> Iterator[Request]:
    """Requests for the Items, each asked `repeats` times. `prompt_of` maps a Task's id to the name of its prompt.

    An Item with a file that could not be read first, where its Condition needs that, is not dropped: its Request is
    `hopeless`, and the Response will say why.
    """
    name = "+".join(condition.name for condition in conditions)
    for item in items:
        hopeless = None
        try:
            changed = apply_all(item, conditions)
        except NoText as error:
            changed, hopeless = item, Hopeless(error.status, str(error))
        prompt = prompts[prompt_of[item.task]]
        for repeat in range(repeats):
            request = build_request(changed, prompt, settings=settings, condition=name, repeat=repeat)
            yield replace(request, hopeless=hopeless) if hopeless else request


def apply_all(item: Item, conditions: Iterable[Condition]) -> Item:
    """The Item under one Condition after the other. Raises NoText where one needs a text that could not be read."""
    for condition in conditions:
        item = condition.apply(item)
    return item


def _facet(item: Item, name: str) -> str:
    known = {"task": item.task, "instance": item.instance_id, **item.facets}
    if name not in known:
        raise SpecError(f"Items of {item.task} have no facet {name!r}", fix=nearest(name, known))
    return known[name]
