"""Limits that a server needs for the Items of a benchmark: media in a prompt, and the length of the longest text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from triptych.models.catalogue import CatalogueModel
from triptych.records import Item, Kind


@dataclass
class Needs:
    """Counts over Items.

    benchmark  whose Items they are
    measure    returns the tokens of a text
    answer     most tokens of an answer; 0 if it has no limit
    max_media       kind of media -> most of it in an Item, stem and options together
    having     (kind, number) -> how many Items have this many
    tokens     tokens of the longest text of an Item, its options included
    items      number of Items
    """

    benchmark: str
    measure: Callable[[str], int] = len
    answer: int = 0
    max_media: dict[Kind, int] = field(default_factory=dict)
    having: Counter[tuple[Kind, int]] = field(default_factory=Counter)
    tokens: int = 0
    items: int = 0

    def add(self, items: Iterable[Item]) -> Needs:
        """Count further Items, and return self."""
        for item in items:
            self.items += 1
            for kind, number in Counter(part.kind for part in item.all_parts if part.is_media).items():
                self.max_media[kind] = max(self.max_media.get(kind, 0), number)
                self.having[kind, number] += 1
            length = sum(self.measure(part.text) for part in item.all_parts if not part.is_media)
            self.tokens = max(self.tokens, length)
        return self

    def limits(self, row: CatalogueModel | None) -> Mapping[Kind, int]:
        """Return the limits per prompt: what the Items have, of the kinds that the model takes, and not more of a kind
        than its card allows. A kind that the model takes and no Item has is 0."""
        taken = [kind for kind in row.takes if kind != "text"] if row is not None else sorted(self.max_media)
        limits = row.most if row is not None else {}
        return {kind: min(self.max_media.get(kind, 0), limits.get(kind, self.max_media.get(kind, 0))) for kind in taken}

    def notes(self, row: CatalogueModel | None, context: int | None = None) -> list[str]:
        """Return in words what will be refused: kinds that the model doesn't take, more media in a prompt than its card
        allows, and a text that doesn't fit into `context` tokens with its answer."""
        if row is None:
            return []
        parts = []
        for kind in sorted(self.max_media):
            allowed = row.most.get(kind) if kind in row.takes else 0
            more = sum(n for (other, number), n in self.having.items() if other == kind and number > (allowed or 0))
            if allowed is not None and more:
                can = f"at most {allowed} {kind} in a prompt" if allowed else f"no {kind}"
                parts.append(f"{row.key} takes {can}: {more:,} of {self.items:,} questions have more")
        if context is not None and self.tokens + self.answer > context:
            parts.append(
                f"the longest text has about {self.tokens:,} tokens, and an answer may have {self.answer:,}: "
                f"the server takes {context:,} together"
            )
        return parts
