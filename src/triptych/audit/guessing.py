"""What can be guessed without looking: constant answers, the longest option."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from triptych.records import Finding, FindingSeverity, Item, finding

_SURE = 4.0  # standard errors above chance
_CLEAR = 1.2  # times chance


@dataclass(frozen=True, slots=True)
class Guess:
    """A way to answer without looking: what it answers, how many of n are right, how many would be by chance."""

    name: str
    right: int
    n: int
    expected: float

    @property
    def score(self) -> float:
        """Per cent right."""
        return 100 * self.right / self.n

    @property
    def chance(self) -> float:
        """Per cent by chance."""
        return 100 * self.expected / self.n

    @property
    def stands_out(self) -> bool:
        """Clearly, and by more than its standard errors, above chance."""
        rate = self.expected / self.n
        spread = math.sqrt(max(self.n * rate * (1 - rate), 1e-9))
        return self.right > _CLEAR * self.expected and self.right - self.expected > _SURE * spread


def guesses(items: Sequence[Item]) -> list[Guess]:
    """What the best constant answer and the longest option score on one Task's Items, with what chance would.

    Single choice: always the same place; the longest (and the shortest) option, where options are texts. Several
    answers: always the same places (the best constant set), where chance picks any set of that size.
    """
    keyed = [(item, places) for item in items if (places := key_places(item))]
    if not keyed:
        return []
    if any(len(places) > 1 for _, places in keyed):
        return [_best_set(keyed)]
    return [_best_place(keyed), *_by_length(keyed)]


def key_places(item: Item) -> tuple[int, ...]:
    """Where the key stands among the options, from 0; none where there are no options, or it isn't among them."""
    if not item.options or item.target is None:
        return ()
    if item.labels and isinstance(item.target, str) and item.target in item.labels:
        return (item.labels.index(item.target),)
    wanted = {t.strip() for t in ((item.target,) if isinstance(item.target, str) else item.target)}
    return tuple(place for place, option in enumerate(item.option_texts()) if option.strip() in wanted)


def _best_place(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Guess:
    places = Counter(places[0] for _, places in keyed)
    place, right = min(places.items(), key=lambda pair: (-pair[1], pair[0]))
    label = keyed[0][0].labels[place] if keyed[0][0].labels else str(place + 1)
    return Guess(f"always option {label}", right, len(keyed), _by_chance(keyed))


def _best_set(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Guess:
    """Chance: one of the sets of the size that most keys have."""
    sets = Counter(places for _, places in keyed)
    best, right = min(sets.items(), key=lambda pair: (-pair[1], pair[0]))
    expected = sum(1 / math.comb(len(item.options), len(places)) for item, places in keyed if len(places) == len(best))
    return Guess(f"always options {', '.join(str(p + 1) for p in best)}", right, len(keyed), expected)


def _by_chance(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> float:
    return sum(1 / len(item.options) for item, _ in keyed)


def _by_length(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Iterator[Guess]:
    if any(part.is_media for item, _ in keyed for option in item.options for part in option):
        return
    lengths = [[len(o.strip()) for o in item.option_texts()] for item, _ in keyed]
    for name, pick in (("the longest option", max), ("the shortest option", min)):
        right = sum(own.index(pick(own)) == places[0] for own, (_, places) in zip(lengths, keyed, strict=True))
        yield Guess(f"always {name}", right, len(keyed), _by_chance(keyed))


def check_guessing(
    benchmark: str, task: str, items: Sequence[Item], file: str, best: tuple[str, float] | None
) -> Iterator[Finding]:
    """Guesses that stand out. Severe: one that beats the best published model, or that doubles chance."""
    for guess in guesses(items):
        if not guess.stands_out:
            continue
        beats = best is not None and guess.score >= best[1]
        severity: FindingSeverity = "severe" if beats or guess.score >= 2 * guess.chance else "warning"
        beside = f"; the best published model, {best[0]}, has {best[1]:.2f}" if best else ""
        yield finding(
            "skew",
            severity,
            benchmark,
            f"{guess.name} is right in {guess.right:,} of {guess.n:,} ({_spread(items)}); "
            f"by chance {guess.chance:.1f}{beside}",
            file=file,
            rows=[task],
            columns=[guess.name],
            published=best[1] if best else None,
            recomputed=round(guess.score, 2),
            effect=f"{guess.score:.2f} without looking",
        )


def _spread(items: Sequence[Item]) -> str:
    """The keys' places in per cent, or how many sets of places there are."""
    sets = Counter(places for item in items if (places := key_places(item)))
    if any(len(places) > 1 for places in sets):
        return f"{len(sets)} sets of places occur"
    most: Mapping[int, float] = {p[0]: 100 * n / sets.total() for p, n in sets.items()}
    return "keys by place: " + ", ".join(f"{most.get(p, 0.0):.1f}" for p in range(max(most) + 1)) + "%"
