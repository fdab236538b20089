"""The plan: which Items are asked, with which prompt, how many times. It is lazy: nothing is kept in memory for
long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from triptych.conditions.applying import apply_all, prompt_under
from triptych.conditions.condition import Condition, NotApplicable
from triptych.errors import SpecError, nearest
from triptych.prompts.build import build_request, check_place
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Request, Unaskable


@dataclass(frozen=True, slots=True)
class Selection:
    """The Items that take part.

    filters   facet -> accepted values; all facets must match (`task` and `instance` are facets, too)
    limit     number of whole Instances per Task, from the first
    items     only these Item ids
    """

    filters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    limit: int | None = None
    items: frozenset[str] | None = None


def select(items: Iterable[Item], selection: Selection) -> Iterator[Item]:
    """Yield the selected Items in order. Raises SpecError for a facet that an Item doesn't have."""
    seen: dict[str, set[str]] = defaultdict(set)
    for item in items:
        if selection.items is not None and item.id not in selection.items:
            continue
        if not all(facet_of(item, name) in values for name, values in selection.filters.items()):
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
    """Yield Requests for the Items, each asked `repeats` times. `prompt_of` maps a Task's id to the name of its prompt.

    An Item to which a Condition can't be applied (its options can't be found, a file couldn't be read first) is not
    dropped: its Request is `unaskable`, and its Response gives the reason. Raises SpecError if a prompt has no slot for
    the content of an Item.
    """
    name = "+".join(condition.name for condition in conditions)
    used = {key: prompt_under(prompts[key], conditions) for key in dict.fromkeys(prompt_of.values())}
    for item in items:
        unaskable = None
        try:
            changed = apply_all(item, conditions)
        except NotApplicable as error:
            changed, unaskable = (item,), Unaskable(error.status, str(error), error.kind)
        for changed_item in changed:
            check_place(changed_item, prompt_of[item.task], used[prompt_of[item.task]])
            for repeat in range(repeats):
                request = build_request(
                    changed_item, used[prompt_of[item.task]], settings=settings, condition=name, repeat=repeat
                )
                yield replace(request, unaskable=unaskable) if unaskable else request


def facet_of(item: Item, name: str) -> str:
    """Return an Item's value of a facet, of `task` or of `instance`. Raises SpecError if it has no such facet."""
    facets = {"task": item.task, "instance": item.instance_id, **item.facets}
    if name not in facets:
        raise SpecError(f"Items of {item.task} have no facet {name!r}", fix=nearest(name, facets))
    return facets[name]
