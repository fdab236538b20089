"""Baselines: the scores of answering without looking. A model's score means little unless it is clearly higher."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from triptych.errors import SpecError, nearest
from triptych.models.adapter import Reply, SimpleAdapter, take_settings
from triptych.records import Item, Request

ADAPTER = "baseline/random|constant|first|frequent|longest|reference"

OPTION_SEPARATOR = "；"


class Baseline(SimpleAdapter):
    """A model that answers from the Item alone. Subclasses define which options they choose.

    The answer has the form that the Item requires: a letter, an option's text, several texts joined by `；`. If it
    can't choose (an open question, no such option, options without text), the Response is `skipped`.
    """

    reads_media = False
    decoding: ClassVar[frozenset[str]] = frozenset()
    defaults: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self.name: str = f"baseline/{name}"
        super().__init__(take_settings(self.name, settings, self.defaults))

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """Never fails: a Baseline that can't choose is `skipped`."""
        if request.item is None:
            raise SpecError(f"{self.name} can only answer Items", where=request.id)
        reply = self.answer(request.item, request.repeat)
        return (
            Reply("", "skipped", note="nothing to choose from") if reply is None else Reply(reply, finish_reason="stop")
        )

    def answer(self, item: Item, repeat: int) -> str | None:
        """Return the reply; None if there is none."""
        chosen = [i for i in self.choose(item, repeat) if 0 <= i < len(item.options)] if item.options else []
        if not chosen:
            return None
        if item.answer == "letter":
            return item.labels[chosen[0]] if chosen[0] < len(item.labels) else None
        texts = item.option_texts()
        return OPTION_SEPARATOR.join(texts[i] for i in chosen) if item.answer == "options" else texts[chosen[0]]

    def choose(self, item: Item, repeat: int) -> Sequence[int]:
        """Return the indices of the chosen options, from 0; empty if it can't choose."""
        raise NotImplementedError


class Random(Baseline):
    """One option at random; if several are expected, any non-empty set.

    The choice depends only on the seed, the Item id and the repeat, so the order of Items doesn't matter.
    """

    decoding: ClassVar[frozenset[str]] = frozenset({"seed"})
    defaults: ClassVar[Mapping[str, Any]] = {"seed": 0}

    def choose(self, item: Item, repeat: int) -> Sequence[int]:
        draw = random.Random(f"{self.settings['seed']}/{repeat}/{item.id}")
        if item.answer != "options":
            return [draw.randrange(len(item.options))]
        chosen = draw.randrange(1, 2 ** len(item.options))
        return [i for i in range(len(item.options)) if chosen >> i & 1]


class Constant(Baseline):
    """Always the same letter (`-M letter=B`), or the second option if there are no letters; or `-M option=2`, counted
    from 1.
    """

    defaults: ClassVar[Mapping[str, Any]] = {"letter": "A", "option": 0}

    def choose(self, item: Item, repeat: int) -> Sequence[int]:
        if self.settings["option"]:
            return [self.settings["option"] - 1]
        letter = str(self.settings["letter"]).upper()
        if item.labels:
            return [item.labels.index(letter)] if letter in item.labels else []
        return [ord(letter) - ord("A")] if len(letter) == 1 else []


class First(Baseline):
    """The first option; if several are expected, the first `k` (default 3)."""

    defaults: ClassVar[Mapping[str, Any]] = {"k": 3}

    def choose(self, item: Item, repeat: int) -> Sequence[int]:
        return range(min(self.settings["k"], len(item.options))) if item.answer == "options" else [0]


class Frequent(Baseline):
    """The position that is most often correct in each Task (the first in a tie), counted over the Items of the Run."""

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(name, settings)
        self._favourite: dict[str, Sequence[int]] = {}

    def learn(self, items: Iterable[Item]) -> None:
        """Count the positions of the targets of all Items, as they will be asked: under their Conditions."""
        counts: dict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
        for item in items:
            if places := _target_places(item):
                counts[item.task][places] += 1
        for task, count in counts.items():
            max_count = max(count.values())
            self._favourite[task] = min(places for places, n in count.items() if n == max_count)

    def choose(self, item: Item, repeat: int) -> Sequence[int]:
        return self._favourite.get(item.task, ())


class Longest(Baseline):
    """The option with the longest text, the first in a tie; none if an option is media."""

    def choose(self, item: Item, repeat: int) -> Sequence[int]:
        if any(part.is_media for option in item.options for part in option):
            return ()
        lengths = [len(words) for words in item.option_texts()]
        return [lengths.index(max(lengths))]


class Reference(Baseline):
    """The target itself: the highest possible score, and a test of the scorer."""

    def answer(self, item: Item, repeat: int) -> str | None:
        return None if item.target is None else OPTION_SEPARATOR.join(item.targets)


BASELINES: dict[str, Callable[[str, Mapping[str, Any]], Baseline]] = {
    "random": Random,
    "constant": Constant,
    "first": First,
    "frequent": Frequent,
    "longest": Longest,
    "reference": Reference,
}


def make(name: str, settings: Mapping[str, Any]) -> Baseline:
    """Return the baseline. Raises SpecError for an unknown name or setting, naming the nearest known one."""
    if name not in BASELINES:
        raise SpecError(f"unknown baseline {name!r}", fix=nearest(name, BASELINES))
    return BASELINES[name](name, settings)


def _target_places(item: Item) -> tuple[int, ...]:
    """Return the positions to choose for a correct answer: of equal options, a single choice takes the first."""
    return item.target_positions if item.answer == "options" else item.target_positions[:1]
