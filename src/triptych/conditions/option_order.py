"""Reordered options: `shuffle`, and `circular`, which asks every rotation. The target moves with its option.

Options are reordered wherever they are: as options, inside the question's text, or both. An Item is not asked under
these Conditions if its options can't be found or refer to each other by position; its Response gives the reason.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Argument, Condition, NotApplicable, Offer, spelled
from triptych.errors import SpecError
from triptych.prompts.lettered import find_lettered, has_letters, reorder
from triptych.records import Item, Part

SHUFFLE = "shuffle the options, in the same order for all forms of an Instance"
CIRCULAR = "ask every rotation of the options: an Item with n options becomes n Items (facet `rotation`)"
FACET = "rotation"
_BY_PLACE = re.compile(
    r"^以上|以上(?:都|皆|全|均|两|三|选)|上述|选项\s*[A-H]|\bof the above\b"
    r"|(?<![A-Za-z])[A-H]\s*(?:和|与|及|或|、|&|/|,|and|or)\s*[A-H]\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The order depends only on the seed and the Instance, so that paired questions stay alike."""

    name: str
    seed: int
    summary: str = SHUFFLE

    def apply(self, item: Item) -> Item:
        """Return the Item with shuffled options; an Item without options is unchanged. Raises NotApplicable."""
        count = option_count(item)
        order = list(range(count))
        random.Random(f"{self.seed}/{item.instance_id}/{count}").shuffle(order)
        return reordered(item, order)


@dataclass(frozen=True, slots=True)
class Circular:
    """Rotation r moves every option up by r positions; rotation 0 is the original Item with its own id."""

    name: str = "circular"
    summary: str = CIRCULAR

    def apply(self, item: Item) -> Item:
        """Return rotation 0."""
        return self.variants(item)[0]

    def variants(self, item: Item) -> tuple[Item, ...]:
        """Return one Item per option, all in one Instance; just the Item if it has no options. Raises NotApplicable."""
        count = option_count(item)
        if not count or FACET in item.facets:
            return (item,)
        return tuple(_rotation(item, by, count) for by in range(count))


def reordered(item: Item, order: Sequence[int]) -> Item:
    """Return the Item with option `order[n]` at position n, in the options, in the question's text and in the target.

    `order` has each position once. Labels are not moved: A is the first. Raises NotApplicable if an option refers to
    others by position, or if the question's text has other options; SpecError for an order of other positions.

    Example:
        >>> from triptych.records import text
        >>> asked = text("Which is a river? A. Rome B. Rhine")
        >>> item = Item("x/1", "x/main", (asked,), ((text("Rome"),), (text("Rhine"),)), ("A", "B"), "letter", "B")
        >>> turned = reordered(item, [1, 0])
        >>> turned.parts[0].text, turned.target
        ('Which is a river? A. Rhine B. Rome', 'A')
    """
    if sorted(order) != list(range(len(order))) or (order and len(order) != len(item.options)):
        raise SpecError(
            "the order of the options doesn't have each position once",
            where=item.id,
            expected=f"the numbers from 0 to {len(item.options) - 1}, in any order",
            got=list(order),
        )
    if not order:
        return item
    texts = item.option_texts()
    if any(_BY_PLACE.search(words) for words in texts):
        raise NotApplicable("can't change the option order: an option refers to others by position", where=item.id)
    return msgspec.structs.replace(
        item,
        parts=tuple(_part(item, part, texts, order) for part in item.parts),
        options=tuple(item.options[n] for n in order),
        target=_target(item, order),
        hidden={name: _hidden(words, item, order) for name, words in item.hidden.items()},
    )


def option_count(item: Item) -> int:
    """Return the number of options that `reordered` moves; 0 for an open question.

    Raises NotApplicable if they can't be found, or if options, letters and target don't fit.
    """
    if item.answer == "text":
        return 0
    if not item.options:
        raise NotApplicable(
            "can't change the option order: no lettered options were found in the text",
            where=item.id,
            fix="run `triptych check` on the data to list such questions",
        )
    if item.answer == "letter" and (len(item.labels) != len(item.options) or item.target not in item.labels):
        raise NotApplicable("the options, their letters and the target are inconsistent", where=item.id)
    return len(item.options)


def _rotation(item: Item, by: int, count: int) -> Item:
    turned = reordered(item, [(n + by) % count for n in range(count)])
    turned = msgspec.structs.replace(turned, instance=item.instance_id, facets={**item.facets, FACET: str(by)})
    if not by:
        return turned
    return msgspec.structs.replace(turned, id=f"{item.id}~r{by}", unit=f"{item.unit_id}~r{by}")


def _part(item: Item, part: Part, texts: Sequence[str], order: Sequence[int]) -> Part:
    """Return the question with its options in the new order, if it contains them."""
    if part.is_media or part.role == "content" or not item.labels:
        return part
    spans = find_lettered(part.text, item.labels, texts)
    if spans is not None:
        return msgspec.structs.replace(part, text=reorder(part.text, spans, order))
    if has_letters(part.text, item.labels):
        raise NotApplicable("the options in the question's text differ from the Item's options", where=item.id)
    return part


def _target(item: Item, order: Sequence[int]) -> str | tuple[str, ...] | None:
    """Return the target: a letter moves with its option, as `target_positions` reads it; a text stays."""
    if not isinstance(item.target, str) or item.target not in item.labels:
        return item.target
    return item.labels[list(order).index(item.labels.index(item.target))]


def _hidden(words: str, item: Item, order: Sequence[int]) -> str:
    """Reorder texts that another Condition may use instead of the question (traditional characters)."""
    if not item.labels or not has_letters(words, item.labels):
        return words
    spans = find_lettered(words, item.labels)
    if spans is None:
        raise NotApplicable("no lettered options were found in another form of the question", where=item.id)
    return reorder(words, spans, order)


def _shuffle(arguments: Mapping[str, str], seed: int) -> Condition:
    return Shuffle(spelled("shuffle", arguments), int(arguments.get("seed", seed)))


def _circular(_arguments: Mapping[str, str], _seed: int) -> Condition:
    return Circular()


CONDITIONS = {
    "shuffle": Offer(SHUFFLE, _shuffle, (Argument("seed", "seed of the shuffle", "the Run's seed", int, least=0),)),
    "circular": Offer(CIRCULAR, _circular, ()),
}
