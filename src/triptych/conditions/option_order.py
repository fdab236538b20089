"""Options in another order: `shuffle`, and `circular`, which asks every rotation. The key moves with its option.

Options are changed where they are: given apart, inside the question's text, or both. An Item whose options can't be
told, or refer to each other by their places, is not asked at all under these Conditions, and its Response says why.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Argument, Condition, NotApplicable, Offer, spelled
from triptych.prompts.lettered import find_lettered, has_letters, reorder
from triptych.records import Item, Part

SHUFFLE = "options in an order drawn by chance, the same for all forms of an Instance"
CIRCULAR = "every rotation of the options asked: so many Items of each as it has options (facet `rotation`)"
FACET = "rotation"
_BY_PLACE = re.compile(
    r"^以上|以上(?:都|皆|全|均|两|三|选)|上述|选项\s*[A-H]|\bof the above\b"
    r"|(?<![A-Za-z])[A-H]\s*(?:和|与|及|或|、|&|/|,|and|or)\s*[A-H]\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The order follows from the seed and the Instance alone, so that paired questions stay alike."""

    name: str
    seed: int
    summary: str = SHUFFLE

    def apply(self, item: Item) -> Item:
        """The Item with its options in the drawn order; one without options stays as it is. Raises NotApplicable."""
        count = _options(item)
        order = list(range(count))
        random.Random(f"{self.seed}/{item.instance_id}/{count}").shuffle(order)
        return reordered(item, order)


@dataclass(frozen=True, slots=True)
class Circular:
    """Rotation r moves every option r places up; rotation 0 is the Item as it was, under its own id."""

    name: str = "circular"
    summary: str = CIRCULAR

    def apply(self, item: Item) -> Item:
        """Rotation 0."""
        return self.variants(item)[0]

    def variants(self, item: Item) -> tuple[Item, ...]:
        """One Item for each option, all of one Instance; the Item alone where it has none. Raises NotApplicable."""
        count = _options(item)
        if not count or FACET in item.facets:
            return (item,)
        return tuple(_rotation(item, by, count) for by in range(count))


def reordered(item: Item, order: Sequence[int]) -> Item:
    """The Item with option `order[n]` in place n, in the options and in the question's text, and the key with it.

    Labels stay where they are: A is the first. Raises NotApplicable.
    """
    if not order:
        return item
    texts = item.option_texts()
    if any(_BY_PLACE.search(words) for words in texts):
        raise NotApplicable("an option refers to others by their place, so their order can't be changed", where=item.id)
    return msgspec.structs.replace(
        item,
        parts=tuple(_part(item, part, texts, order) for part in item.parts),
        options=tuple(item.options[n] for n in order),
        target=_target(item, order),
        hidden={name: _hidden(words, item, order) for name, words in item.hidden.items()},
    )


def _options(item: Item) -> int:
    """How many options there are; 0 for an open question. Raises NotApplicable where they can't be told."""
    if item.answer == "text":
        return 0
    if not item.options:
        raise NotApplicable("the options can't be told from the question's text, so their order can't be changed",
                            where=item.id, fix="`triptych check` on the data names such questions")  # fmt: skip
    if item.answer == "letter" and (len(item.labels) != len(item.options) or item.target not in item.labels):
        raise NotApplicable("options, letters and key don't fit each other", where=item.id)
    return len(item.options)


def _rotation(item: Item, by: int, count: int) -> Item:
    turned = reordered(item, [(n + by) % count for n in range(count)])
    turned = msgspec.structs.replace(turned, instance=item.instance_id, facets={**item.facets, FACET: str(by)})
    if not by:
        return turned
    return msgspec.structs.replace(turned, id=f"{item.id}~r{by}", unit=f"{item.unit_id}~r{by}")


def _part(item: Item, part: Part, texts: Sequence[str], order: Sequence[int]) -> Part:
    """The question with its options in the new order, where they stand in it."""
    if part.is_media or part.role == "content" or not item.labels:
        return part
    spans = find_lettered(part.text, item.labels, texts)
    if spans is not None:
        return msgspec.structs.replace(part, text=reorder(part.text, spans, order))
    if has_letters(part.text, item.labels):
        raise NotApplicable("the options in the question's text aren't those given apart", where=item.id)
    return part


def _target(item: Item, order: Sequence[int]) -> str | tuple[str, ...] | None:
    """The key: a letter moves with its option, words stay."""
    if item.answer != "letter" or not isinstance(item.target, str):
        return item.target
    return item.labels[list(order).index(item.labels.index(item.target))]


def _hidden(words: str, item: Item, order: Sequence[int]) -> str:
    """What another Condition may put in the question's place (traditional characters) must not bring the old order."""
    if not item.labels or not has_letters(words, item.labels):
        return words
    spans = find_lettered(words, item.labels)
    if spans is None:
        raise NotApplicable("the options in another form of the question can't be told", where=item.id)
    return reorder(words, spans, order)


def _shuffle(arguments: Mapping[str, str], seed: int) -> Condition:
    return Shuffle(spelled("shuffle", arguments), int(arguments.get("seed", seed)))


def _circular(_arguments: Mapping[str, str], _seed: int) -> Condition:
    return Circular()


CONDITIONS = {
    "shuffle": Offer(SHUFFLE, _shuffle, (Argument("seed", "of the draw", "the Run's seed", int, least=0),)),
    "circular": Offer(CIRCULAR, _circular, ()),
}
