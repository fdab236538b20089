"""Guesses that need no question: constant answers, the longest option."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from triptych.audit.tables.repeats import tail
from triptych.metrics.surface_cues import GuessedQuestion, classified, text_figures
from triptych.records import Finding, FindingSeverity, Item, Part, finding

_ALPHA = 1e-4  # how often chance may do as well, over all places (or sets of places) that were tried
_CLEAR = 1.2  # times chance


@dataclass(frozen=True, slots=True)
class Guess:
    """A rule that answers without reading the question: its name, correct answers out of n, and how many chance gives.

    `tried`: number of constant answers of which this one is the best.
    """

    name: str
    right: int
    n: int
    expected: float
    tried: int = 1

    @property
    def score(self) -> float:
        """Return the accuracy in percent."""
        return 100 * self.right / self.n

    @property
    def chance(self) -> float:
        """Return the accuracy expected by chance, in percent."""
        return 100 * self.expected / self.n

    @property
    def stands_out(self) -> bool:
        """Return whether the rule is clearly and significantly above chance: the binomial tail of `right`, times
        `tried`.

        For few questions the tail is far from normal: of 12 targets drawn from 20 sets, one occurs 4 times by chance.
        """
        clear = self.right > _CLEAR * self.expected
        return clear and self.tried * tail(self.right, self.n, self.expected / self.n) < _ALPHA


def guesses(items: Sequence[Item]) -> list[Guess]:
    """Return the scores of the best constant answer and of the longest option on one Task's Items, with chance's.

    Single choice: always the same position; the longest (and the shortest) option, if options are texts. Several
    answers: always the same positions (the best constant set), and the same number of longest options; chance picks any
    set of that size.
    """
    keyed = [(item, places) for item in items if (places := key_places(item))]
    if not keyed:
        return []
    if any(len(places) > 1 for _, places in keyed):
        return [_best_set(keyed), *_longest_set(keyed)]
    return [_best_place(keyed), *_by_length(keyed)]


def key_places(item: Item) -> tuple[int, ...]:
    """Return the positions of the correct options, from 0; empty for an Item that doesn't hold its options."""
    return item.target_positions if item.options else ()


def _best_place(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Guess:
    places = Counter(places[0] for _, places in keyed)
    commonest, right = min(places.items(), key=lambda pair: (-pair[1], pair[0]))
    label = keyed[0][0].labels[commonest] if keyed[0][0].labels else str(commonest + 1)
    return Guess(f"always option {label}", right, len(keyed), _by_chance(keyed), _options(keyed))


def _best_set(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Guess:
    """Return the best constant set. Chance picks one of the sets of the size that the most frequent target has."""
    sets = Counter(places for _, places in keyed)
    best, right = min(sets.items(), key=lambda pair: (-pair[1], pair[0]))
    name = f"always options {', '.join(str(p + 1) for p in best)}"
    tried = math.comb(_options(keyed), len(best))
    return Guess(name, right, len(keyed), _sets_by_chance(keyed, len(best)), tried)


def _options(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> int:
    return max(len(item.options) for item, _ in keyed)


def _longest_set(keyed: Sequence[tuple[Item, tuple[int, ...]]]) -> Iterator[Guess]:
    """Yield the guess of the k longest options, k being the most frequent number of targets. Ties go to the first
    option."""
    if _media_options(keyed):
        return
    size = Counter(len(places) for _, places in keyed).most_common(1)[0][0]
    right = 0
    for item, places in keyed:
        lengths = [len(option.strip()) for option in item.option_texts()]
        right += set(sorted(range(len(lengths)), key=lambda node: -lengths[node])[:size]) == set(places)
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
        right = sum(length.index(pick(length)) == places[0] for length, (_, places) in zip(lengths, keyed, strict=True))
        yield Guess(f"always {name}", right, len(keyed), _by_chance(keyed))


def check_guessing(
    benchmark: str, task: str, items: Sequence[Item], file: str, models: Mapping[str, float] | None = None
) -> Iterator[Finding]:
    """Yield findings on guesses clearly above chance, compared with the paper's `models`. A guess is severe if it beats
    the best of them or is twice chance or more."""
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
            f"{guess.name} is correct in {guess.right:,} of {guess.n:,} ({_spread(items)}); "
            f"by chance {guess.chance:.1f}{_model_comparison(guess, models or {})}",
            file=file,
            rows=[task],
            columns=[guess.name],
            published=best,
            recomputed=round(guess.score, 2),
            effect=f"{guess.score:.2f} without reading the question",
        )


def check_surface_cues(
    benchmark: str,
    task: str,
    items: Sequence[Item],
    figures: Mapping[str, Mapping[str, float]],
    file: str,
    models: Mapping[str, float] | None = None,
) -> Iterator[Finding]:
    """Yield a finding if a classifier over what isn't content picks the correct option clearly more often than chance.

    `figures`: those of each media file, by its path. As `check_guessing` for the severity.
    """
    guessed = [one for item in items if (one := guessed_question(item, figures)) is not None]
    classifier = classified(guessed)
    if classifier is None:
        return
    guess = Guess("what isn't content", len(classifier.right), classifier.n, classifier.chance * classifier.n)
    if not guess.stands_out:
        return
    best = max(models.values()) if models else None
    beats = best is not None and guess.score >= best
    severity: FindingSeverity = "severe" if beats or guess.score >= 2 * guess.chance else "warning"
    what = (
        f"a classifier over lengths, sizes, levels and positions (most of all {classifier.strongest}), cross-validated,"
    )
    yield finding(
        "skew",
        severity,
        benchmark,
        f"{what} is correct in {guess.right:,} of {guess.n:,}; by chance at most {classifier.chance_limit:,} (95%)"
        f"{_model_comparison(guess, models or {})}",
        file=file,
        rows=[task],
        columns=["not content"],
        published=best,
        recomputed=round(guess.score, 2),
        effect=f"{guess.score:.2f} from what isn't content",
    )


def guessed_question(item: Item, figures: Mapping[str, Mapping[str, float]]) -> GuessedQuestion | None:
    """Return an Item with one correct option by the figures of its stem and options; None if there is another number.

    The figures of the second medium and later ones have names that begin with its number.
    """
    places = key_places(item)
    if len(places) != 1:
        return None
    options = tuple(_figures(option, figures) for option in item.options)
    stem = [part for part in item.parts if part.is_media] or [part for part in item.parts if part.role == "content"]
    about = next((part.path for part in stem if part.is_media), "") or item.instance_id
    return GuessedQuestion(item.id, _figures(stem or item.parts, figures), options, places[0], about)


def _figures(parts: Sequence[Part], figures: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    media = [part for part in parts if part.is_media]
    if not media:
        return text_figures("\n".join(part.text or "" for part in parts))
    return {
        f"{number}. {name}" if number > 1 else name: value
        for number, part in enumerate(media, 1)
        for name, value in figures.get(part.path, {}).items()
    }


def _model_comparison(guess: Guess, models: Mapping[str, float]) -> str:
    """Return the number of published models that a guess equals or beats, and the best model's score."""
    if not models:
        return ""
    best, beaten = max(models, key=lambda name: models[name]), sum(guess.score >= model for model in models.values())
    best_score = f"the best of which is {best} with {models[best]:.2f}"
    return f"; no worse than {beaten} of {len(models)} published models, {best_score}"


def _spread(items: Sequence[Item]) -> str:
    """Return the positions of the reference answers in percent, or the number of different sets of positions."""
    sets = Counter(places for item in items if (places := key_places(item)))
    if any(len(places) > 1 for places in sets):
        return f"{len(sets)} different sets of positions occur"
    shares: Mapping[int, float] = {p[0]: 100 * n / sets.total() for p, n in sets.items()}
    return (
        "reference answers by position: " + ", ".join(f"{shares.get(p, 0.0):.1f}" for p in range(max(shares) + 1)) + "%"
    )
