"""Remarks on what a plan asks: parts of questions that a prompt leaves out, and Conditions that change nothing, or
draw at random.

Most may be on purpose, so they are reported with the problems of the data, and end no Run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from triptych.conditions.applying import apply_all
from triptych.conditions.condition import ChangesPrompt, Condition, NotApplicable
from triptych.prompts.build import omitted_parts
from triptych.records import Item, Request

_Items = tuple[Item, ...]
_TRIED = 5  # questions to which each Condition is applied again
_RANDOM = (
    "{} makes something else of the same question each time, so a Run that is resumed asks other questions: "
    "its numbers must come from the seed alone"
)


class Remembered:
    """Items as they are yielded, with the latest of them, which the current Request is made of."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = items
        self.latest: Item | None = None

    def __iter__(self) -> Iterator[Item]:
        """Yield the Items."""
        for item in self._items:
            self.latest = item
            yield item


def prompt_remarks(
    requests: Iterable[Request], prompts: dict[str, str], problems: dict[str, None]
) -> Iterator[Request]:
    """Yield the Requests, and add a sentence for each part of a Task's first Item that is not in its messages.

    `prompts`: the name of the prompt of each Task that is looked at.
    """
    waiting = dict(prompts)
    for request in requests:
        if waiting and request.item is not None and (name := waiting.pop(request.item.task, None)):
            for part in omitted_parts(request):
                problems[f"the prompt {name!r} does not contain {part}, which the model will not see"] = None
        yield request


def condition_remarks(
    requests: Iterable[Request], items: Remembered, conditions: Sequence[Condition], problems: dict[str, None]
) -> Iterator[Request]:
    """Yield the Requests, which are made of the Items; add a sentence on Conditions that changed none of these, and on
    each that makes something else of one of the first Items the second time."""
    silent = dict.fromkeys(one.name for one in conditions if not isinstance(one, ChangesPrompt))
    looked_at, seen = 0, None
    for request in requests:
        if items.latest is not None and items.latest is not seen and (silent or looked_at < _TRIED):
            seen = items.latest
            for condition, before, after in _steps(seen, conditions):
                if after != before:
                    silent.pop(condition.name, None)
                if looked_at < _TRIED and _apply_to_all(before, condition) != after:
                    problems[_RANDOM.format(condition.name)] = None
            looked_at += 1
        yield request
    if looked_at and silent:
        others = "a Condition" if len(silent) == len(conditions) else "it" if len(silent) == 1 else "them"
        problems[f"{' and '.join(silent)} changed none of the questions: they are asked as without {others}"] = None


def _steps(item: Item, conditions: Sequence[Condition]) -> Iterator[tuple[Condition, _Items, _Items | None]]:
    """Yield each Condition with the Items that it is applied to and those that it makes, None if it can't be applied:
    it is the last one then."""
    items: _Items | None = (item,)
    for condition in conditions:
        if items is None:
            return
        before, items = items, _apply_to_all(items, condition)
        yield condition, before, items


def _apply_to_all(items: _Items, condition: Condition) -> _Items | None:
    try:
        return tuple([changed for item in items for changed in apply_all(item, (condition,))])
    except NotApplicable:
        return None
