"""What can be guessed without looking: constant answers, the longest option."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from triptych.audit.repeats import tail
from triptych.records import Finding, FindingSeverity, Item, finding

_ALPHA = 1e-4  # how often chance may do as well, over all places (or sets of places) that were tried
_CLEAR = 1.2  # times chance


@dataclass(frozen=True, slots=True)
class Guess:
    """A way to answer without looking: what it answers, how many of n are right, how many would be by chance.

    `tried`: of how many constant answers it is the best.
    """

    name: str
    right: int
    n: int
    expected: float
    tried: int = 1

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
        """Clearly above chance, and by more than chance gives: the binomial tail of so many right, times `tried`.

        Of few questions the tail is far from normal: of 12 keys out of 20 sets one comes 4 times by luck alone.
        """
        clear = self.right > _CLEAR * self.expected
        return clear and self.tried * tail(self.right, self.n, self.expected / self.n) < _ALPHA


def guesses(items: Sequence[Item]) -> list[Guess]:
    """What the best constant answer and the longest option score on one Task's Items, with what chance would.

    Single choice: always the same place; the longest (and the shortest) option, where options are texts. Several
    answers: always the same places (the best constant set), and as many of the longest, where chance picks any set of
    that size.
    """
    keyed = [(item, places) for item in items if (places := key_places(item))]
    if not keyed:
        return []
    if any(len(places) > 1 for _, places in keyed):
        return [_best_set(keyed), *_longest_set(keyed)]
    return [_best_place(keyed), *_by_length(keyed)]


def key_places(item: Item) -> tuple[int, ...]:
    """Where the key stands among the options, from 0; none where there are no options, or it isn't among them."""
    if not item.options:
        return ()
    if item.labels and isinstance(item.target, str) and item.target in item.labels:
        return (item.labels.index(item.target),)
    wanted = {t.strip() for t in item.targets}
    return tuple(place for place, option in enumerate(item.option_texts()) if option.strip() in wanted)


def _best_place(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Guess:
    places = Counter(places[0] for _, places in keyed)
    place, right = min(places.items(), key=lambda pair: (-pair[1], pair[0]))
    label = keyed[0][0].labels[place] if keyed[0][0].labels else str(place + 1)
    return Guess(f"always option {label}", right, len(keyed), _by_chance(keyed), _options(keyed))


def _best_set(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Guess:
    """Chance: one of the sets of the size that the most frequent key has."""
    sets = Counter(places for _, places in keyed)
    best, right = min(sets.items(), key=lambda pair: (-pair[1], pair[0]))
    name = f"always options {', '.join(str(p + 1) for p in best)}"
    tried = math.comb(_options(keyed), len(best))
    return Guess(name, right, len(keyed), _sets_by_chance(keyed, len(best)), tried)


def _options(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> int:
    return max(len(item.options) for item, _ in keyed)


def _longest_set(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Iterator[Guess]:
    """As many of the longest options as most keys have; the first of those that are as long."""
    if _media_options(keyed):
        return
    size = Counter(len(places) for _, places in keyed).most_common(1)[0][0]
    right = 0
    for item, places in keyed:
        lengths = [len(option.strip()) for option in item.option_texts()]
        right += set(sorted(range(len(lengths)), key=lambda place: -lengths[place])[:size]) == set(places)
    yield Guess(f"always the {size} longest options", right, len(keyed), _sets_by_chance(keyed, size))


def _sets_by_chance(keyed: Sequence[tuple[Item, tuple[int, ...]]], size: int) -> float:
    return sum(1 / math.comb(len(item.options), size) for item, places in keyed if len(places) == size)


def _media_options(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> bool:
    return any(part.is_media for item, _ in keyed for option in item.options for part in option)


def _by_chance(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> float:
    return sum(1 / len(item.options) for item, _ in keyed)


def _by_length(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Iterator[Guess]:
    if _media_options(keyed):
        return
    lengths = [[len(o.strip()) for o in item.option_texts()] for item, _ in keyed]
    for name, pick in (("the longest option", max), ("the shortest option", min)):
        right = sum(own.index(pick(own)) == places[0] for own, (_, places) in zip(lengths, keyed, strict=True))
        yield Guess(f"always {name}", right, len(keyed), _by_chance(keyed))


def check_guessing(
    benchmark: str, task: str, items: Sequence[Item], file: str, models: Mapping[str, float] | None = None
) -> Iterator[Finding]:
    """Guesses that stand out, beside what the paper's `models` have. Severe: one that beats the best of them, or that
    doubles chance."""
    best = max(models.values()) if models else None
    for guess in guesses(items):
        if not guess.stands_out:
            continue
        beats = best is not None and guess.score >= best
        severity: FindingSeverity = "severe" if beats or guess.score >= 2 * guess.chance else "warning"
        yield finding(
            "skew",
            severity,
            benchmark,
            f"{guess.name} is right in {guess.right:,} of {guess.n:,} ({_spread(items)}); "
            f"by chance {guess.chance:.1f}{_beside(guess, models or {})}",
            file=file,
            rows=[task],
            columns=[guess.name],
            published=best,
            recomputed=round(guess.score, 2),
            effect=f"{guess.score:.2f} without looking",
        )


def _beside(guess: Guess, models: Mapping[str, float]) -> str:
    """How many published models a guess beats, and what the best has."""
    if not models:
        return ""
    best, beaten = max(models, key=lambda name: models[name]), sum(guess.score >= own for own in models.values())
    return f"; no worse than {beaten} of {len(models)} published models, of which {best} has most, {models[best]:.2f}"


def _spread(items: Sequence[Item]) -> str:
    """The keys' places in per cent, or how many sets of places there are."""
    sets = Counter(places for item in items if (places := key_places(item)))
    if any(len(places) > 1 for places in sets):
        return f"{len(sets)} sets of places occur"
    most: Mapping[int, float] = {p[0]: 100 * n / sets.total() for p, n in sets.items()}
    return "keys by place: " + ", ".join(f"{most.get(p, 0.0):.1f}" for p in range(max(most) + 1)) + "%"
