"""Remarks on what a plan asks: parts of questions that a prompt leaves out, and Conditions that change nothing.

Both may be on purpose, so they are reported with the problems of the data, and end no Run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from triptych.prompts.build import left_out
from triptych.records import Item, Request


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
            for part in left_out(request):
                problems[f"the prompt {name!r} does not contain {part}, which the model will not see"] = None
        yield request


def condition_remarks(
    requests: Iterable[Request], items: Remembered, conditions: Collection[str], problems: dict[str, None]
) -> Iterator[Request]:
    """Yield the Requests, which are made of the Items; if the Conditions changed none of these, add a sentence."""
    number, changed = 0, False
    for number, request in enumerate(requests, 1):  # noqa: B007
        changed = changed or request.unaskable is not None or request.item != items.latest
        yield request
    if number and not changed:
        problems[f"{' and '.join(conditions)} changed none of the questions: they are asked as without a Condition"] = (
            None
        )
