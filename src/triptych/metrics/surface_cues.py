"""What isn't content, and whether it gives answers away: a small classifier, cross-validated over questions.

For each option its length, size, loudness, brightness and position are known without understanding it, and so is how
near each of these is to the same figure of the stem, and its rank to the rank of any other figure of the stem. A
conditional logit model learns to pick the correct option from them. If it picks it more often than chance allows,
answers can be guessed across modalities.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log
from typing import Any

LEVEL = 0.95
MIN_QUESTIONS = 24  # questions of which a classifier is learnt
_FOLDS = 5
_PENALTY = 2.0
_STEPS = 12
_WORDS = re.compile(r"[\u3400-\u9fff]|[^\W_]+")


@dataclass(frozen=True)
class GuessedQuestion:
    """A question as the classifier sees it: figures of the stem and of each option, and the correct positions.

    group  questions of one group are in one fold (the clips of a film, the directions of an Instance)
    """

    id: str
    stem: Mapping[str, float]
    options: tuple[Mapping[str, float], ...]
    answer: int
    group: Hashable = ""


@dataclass(frozen=True)
class Classified:
    """The result: the questions of which the classifier picks the correct option, of `n`; the mean chance, and the most
    correct ones that chance gives in 95% of cases. `strongest`: the figure with the greatest weight."""

    right: frozenset[str]
    n: int
    chance: float
    chance_limit: int
    strongest: str

    @property
    def exceeds_chance(self) -> bool:
        """Whether it exceeds the band of chance."""
        return len(self.right) > self.chance_limit


def text_figures(text: str) -> dict[str, float]:
    """Return the figures of a text, as logarithms: its letters and words; and its digits and marks.

    >>> sorted(text_figures("Two birds, 3 fish."))
    ['digits', 'letters', 'marks', 'words']
    """
    words = _WORDS.findall(text)
    return {
        "letters": log(1 + sum(map(len, words))),
        "words": log(1 + len(words)),
        "digits": float(sum(c.isdigit() for c in text)),
        "marks": float(len(re.findall(r"[^\w\s]", text))),
    }


def sound_figures(samples: Any, rate: int, size: int) -> dict[str, float]:
    """Return the figures of a recording: length, size of its file, rate, level and its spread, channels.

    Example:
        >>> round(sound_figures([[0.1], [-0.1]] * 8_000, 16_000, 32_044)["level"])
        -20
    """
    import numpy as np

    power = np.square(np.asarray(samples, np.float64)).reshape(len(samples), -1).mean(axis=1)
    parts = [float(part.mean()) for part in np.array_split(power, 20) if part.size] or [0.0]
    levels = 10 * np.log10(np.asarray(parts) + 1e-9)
    return {
        "seconds": log(max(len(samples) / rate, 0.01)),
        "bytes": log(max(size, 1)),
        "rate": log(rate),
        "level": float(10 * np.log10(power.mean() + 1e-9)) if power.size else -90.0,
        "spread": float(np.std(levels)),
        "channels": float(np.asarray(samples).reshape(len(samples), -1).shape[1]),
    }


def picture_figures(image: Any, size: int, seconds: float | None = None) -> dict[str, float]:
    """Return the figures of a picture (of PIL), or of a film by one of its pictures and its length.

    Example:
        >>> from PIL import Image
        >>> picture_figures(Image.new("L", (64, 32), 200), 900)["brightness"]
        200.0
    """
    import numpy as np

    grey = np.asarray(image.convert("L").resize((32, 32)), np.float32)
    width, height = image.size
    figures = {
        "pixels": log(width * height),
        "aspect": log(width / height),
        "bytes": log(max(size, 1)),
        "brightness": float(grey.mean()),
        "contrast": float(grey.std()),
    }
    return figures | ({"seconds": log(max(seconds, 0.01))} if seconds else {})


def classified(questions: Sequence[GuessedQuestion]) -> Classified | None:
    """Return what a classifier over figures picks, cross-validated in 5 folds; None for fewer than 24 questions, or if
    no figure differs between the options of any.

    Example:
        >>> levels = [tuple({"level": float(place == n % 4)} for place in range(4)) for n in range(40)]
        >>> louder = classified([GuessedQuestion(str(n), {}, options, n % 4) for n, options in enumerate(levels)])
        >>> len(louder.right), louder.chance_limit, louder.exceeds_chance
        (40, 16, True)
    """
    import numpy as np

    usable = [one for one in questions if len(one.options) > 1]
    if len(usable) < MIN_QUESTIONS:
        return None
    names, tables = _tables(usable)
    if not names:
        return None
    groups = sorted({str(one.group or one.id) for one in usable}, key=_mixed)
    fold_of = {group: index % _FOLDS for index, group in enumerate(groups)}
    folds = np.array([fold_of[str(one.group or one.id)] for one in usable])
    answers = [one.answer for one in usable]
    crossed_names, crossed = _crossed(usable)
    right = set()
    for fold in range(_FOLDS):
        learn = [n for n in range(len(usable)) if folds[n] != fold]
        test = [n for n in range(len(usable)) if folds[n] == fold]
        if not learn or not test:
            return None
        chosen = _telling([crossed[n] for n in learn], [answers[n] for n in learn])
        joined = [_joined(tables[n], crossed[n], chosen) for n in range(len(usable))]
        weights = _fit_weights([joined[n] for n in learn], [answers[n] for n in learn])
        right |= {usable[n].id for n in test if _picked_option(joined[n], weights) == answers[n]}
    chosen = _telling(crossed, answers)
    names += [crossed_names[n] for n in chosen]
    weights = _fit_weights([_joined(table, more, chosen) for table, more in zip(tables, crossed, strict=True)], answers)
    chance = sum(1 / len(one.options) for one in usable) / len(usable)
    strongest = names[int(np.argmax(np.abs(weights)))]
    return Classified(frozenset(right), len(usable), chance, upper(len(usable), chance), strongest)


def simple_rules(questions: Sequence[GuessedQuestion]) -> dict[str, frozenset[str]]:
    """Return what each figure by itself picks: the name of a rule (`the greatest level`, `nearness of bytes and bytes`,
    a relation of ranks), and the questions of which it picks the correct option and no other.

    Example:
        >>> levels = [tuple({"level": float(place == n % 4)} for place in range(4)) for n in range(8)]
        >>> rules = simple_rules([GuessedQuestion(str(n), {}, options, n % 4) for n, options in enumerate(levels)])
        >>> len(rules["greatest level"])
        8
    """
    usable = [one for one in questions if len(one.options) > 1]
    if not usable:
        return {}
    names, tables = _tables(usable)
    crossed_names, crossed = _crossed(usable)
    rules: dict[str, set[str]] = {}
    for one, table, more in zip(usable, tables or [None] * len(usable), crossed, strict=True):
        for column, name in enumerate(names):
            if name.startswith("position") or table is None:
                continue
            signs = ((1, name),) if name.startswith("nearness") else ((1, f"greatest {name}"), (-1, f"least {name}"))
            for sign, rule in signs:
                rules.setdefault(rule, set()).update(
                    {one.id} if _is_sole_maximum(sign * table[:, column], one.answer) else ()
                )
        for column, name in enumerate(crossed_names):
            rules.setdefault(name, set()).update({one.id} if _is_sole_maximum(more[:, column], one.answer) else ())
    return {name: frozenset(ids) for name, ids in rules.items()}


def _is_sole_maximum(values: Any, position: int) -> bool:
    """Return whether the value at a position is greater than all others."""
    return all(float(values[position]) > float(value) + 1e-12 for n, value in enumerate(values) if n != position)


def telling_rules(questions: Sequence[GuessedQuestion]) -> frozenset[str]:
    """Return the names of the simple rules that pick more correct options than chance gives in 95% of cases to the best
    of all rules; none for fewer than 24 questions.

    Example:
        >>> levels = [tuple({"level": float(place == n % 4)} for place in range(4)) for n in range(24)]
        >>> questions = [GuessedQuestion(str(n), {}, options, n % 4) for n, options in enumerate(levels)]
        >>> sorted(telling_rules(questions)), sorted(telling_rules(questions[:23]))
        (['greatest level'], [])
    """
    usable = [one for one in questions if len(one.options) > 1]
    if len(usable) < MIN_QUESTIONS:
        return frozenset()
    rules = simple_rules(usable)
    chance = sum(1 / len(one.options) for one in usable) / len(usable)
    bound = _quantile(1 - (1 - LEVEL) / 2 / max(1, len(rules)), len(usable), chance)
    return frozenset(name for name, ids in rules.items() if len(ids) > bound)


def upper(n: int, p: float) -> int:
    """Return the greatest number of correct answers within the band of chance: the 97.5% quantile of Binomial(n, p).

    >>> upper(100, 0.25)
    34
    """
    return ceil(_quantile((1 + LEVEL) / 2, n, p))


def _quantile(level: float, n: int, p: float) -> float:
    """Return a quantile of Binomial(n, p), as `scipy.stats.binom.ppf`, whose import takes a second."""
    from scipy.special import bdtr, bdtrik

    if n == 0 or p <= 0:
        return 0.0
    count = max(0.0, float(ceil(bdtrik(level, n, p))))
    return count - 1 if count > 0 and bdtr(count - 1, n, p) >= level else count


def _mixed(group: str) -> str:
    """Return a key by which groups are in an order that doesn't follow their names."""
    import hashlib

    return hashlib.sha256(group.encode()).hexdigest()


def _tables(questions: Sequence[GuessedQuestion]) -> tuple[list[str], list[Any]]:
    """Return the names of the figures, and for each question an array (options, figures), each of mean 0 within the
    question and comparable between questions."""
    import numpy as np

    name_list = sorted({name for one in questions for option in one.options for name in option})
    stem = sorted({name for one in questions for name in one.stem})
    scale = _scales(questions)
    near = [(a, b) for a in stem for b in name_list if a == b or {a, b} <= {"seconds", "bytes", "letters", "words"}]
    max_options = max(len(one.options) for one in questions)
    names = [
        *name_list,
        *(f"nearness of {a} and {b}" for a, b in near),
        *(f"position {n + 1}" for n in range(max_options - 1)),
    ]
    made = []
    for one in questions:
        rows = []
        for index, option in enumerate(one.options):
            z = {name: scale[1][name](value) for name, value in option.items()}
            at = {name: scale[0][name](value) for name, value in one.stem.items()}
            row = [z.get(name, 0.0) for name in name_list]
            row += [-abs(_feature_distance(a, b, one.stem, option, at, z)) for a, b in near]
            row += [float(index == n) for n in range(max_options - 1)]
            rows.append(row)
        table = np.asarray(rows, np.float64)
        made.append(table - table.mean(axis=0))
    spread = np.sqrt(np.mean([np.square(table).mean(axis=0) for table in made], axis=0))
    columns = np.flatnonzero(spread > 1e-9)
    if not any(not names[n].startswith("position") for n in columns):
        return [], []
    return [names[n] for n in columns], [table[:, columns] / spread[columns] for table in made]


_TELLING = 3.0  # standard deviations above chance from which a relation of ranks is learnt from
_MAX_RELATIONS = 2  # relations that are added


def _crossed(questions: Sequence[GuessedQuestion]) -> tuple[list[str], list[Any]]:
    """Return relations of each figure of the stem with each of the options, and their values for each question.

    A relation is the nearness of two ranks: that of the stem's figure among all stems, and that of the option's among
    all options, from the least or from the greatest (`the louder the recording, the darker the picture`).
    """
    import numpy as np

    stem_names = sorted({name for one in questions for name in one.stem})
    names = sorted({name for one in questions for option in one.options for name in option})
    if not stem_names or not names:
        return [], [np.zeros((len(one.options), 0)) for one in questions]
    stems = _ranks([[one.stem.get(name, np.nan) for name in stem_names] for one in questions])
    options = _ranks([[option.get(name, np.nan) for name in names] for one in questions for option in one.options])
    made, begin = [], 0
    for number, one in enumerate(questions):
        rows = options[begin : begin + len(one.options)]
        begin += len(one.options)
        apart = np.stack(
            [np.abs(stems[number][None, :, None] - each[:, None, :]) for each in (rows, 1 - rows)], axis=-1
        )
        made.append(-np.nan_to_num(apart).reshape(len(rows), -1))
    labels = [
        f"rank of {b} by that of {a}{', reversed' if reverse else ''}"
        for a in stem_names
        for b in names
        for reverse in (False, True)
    ]
    varying = [n for n, label in enumerate(labels) if any(np.ptp(table[:, n]) > 0 for table in made)]
    return [labels[n] for n in varying], [table[:, varying] for table in made]


def _ranks(rows: Sequence[Sequence[float]]) -> Any:
    """Return the rank of each value in its column, from 0 to 1; equal values have one; NaN stays."""
    import numpy as np

    table = np.asarray(rows, np.float64)
    missing = np.isnan(table)
    less, equal = (table < table[:, None]).sum(axis=1), (table == table[:, None]).sum(axis=1)
    ranks = np.where(missing, np.nan, less + (equal - 1) / 2)
    return ranks / np.maximum(np.sum(~missing, axis=0) - 1, 1)


def _telling(crossed: Sequence[Any], answers: Sequence[int]) -> list[int]:
    """Return the relations of ranks by which most answers are picked, if these are clearly more than chance gives."""
    import numpy as np

    if not crossed or not crossed[0].shape[1]:
        return []
    counts, chance, spread = np.zeros(crossed[0].shape[1]), 0.0, 0.0
    for table, answer in zip(crossed, answers, strict=True):
        best = table >= table.max(axis=0) - 1e-12
        counts += best[answer] / best.sum(axis=0)
        share = 1 / len(table)
        chance, spread = chance + share, spread + share * (1 - share)
    order = np.argsort(-counts, kind="stable")[:_MAX_RELATIONS]
    return [int(n) for n in order if counts[n] > chance + _TELLING * spread**0.5]


def _joined(table: Any, crossed: Any, chosen: Sequence[int]) -> Any:
    """Return the figures of a question with chosen relations of ranks, scaled as the figures are."""
    import numpy as np

    if not chosen:
        return table
    more = crossed[:, list(chosen)]
    return np.column_stack([table, (more - more.mean(axis=0)) / _RANK_SPREAD])


_RANK_SPREAD = 0.25  # mean deviation of the nearness of two ranks that have nothing in common


def _feature_distance(a: str, b: str, stem: Mapping[str, float], option: Mapping[str, float], at: Any, z: Any) -> float:
    """Return how far a figure of an option is from one of the stem: the same figure as it is, others by their ranks."""
    if a not in stem or b not in option:
        return 0.0
    return stem[a] - option[b] if a == b else at[a] - z[b]


def _scales(questions: Sequence[GuessedQuestion]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return functions that standardise each figure, of the stems and of the options."""
    import numpy as np

    def scaled(values: Sequence[float]) -> Any:
        mean, deviation = float(np.mean(values)), float(np.std(values)) or 1.0
        return lambda value: (value - mean) / deviation

    stems: dict[str, list[float]] = {}
    options: dict[str, list[float]] = {}
    for one in questions:
        for name, value in one.stem.items():
            stems.setdefault(name, []).append(value)
        for option in one.options:
            for name, value in option.items():
                options.setdefault(name, []).append(value)
    return {n: scaled(v) for n, v in stems.items()}, {n: scaled(v) for n, v in options.items()}


def _fit_weights(tables: Sequence[Any], answers: Sequence[int]) -> Any:
    """Return the weights of a conditional logit model with a quadratic penalty, by Newton's method."""
    import numpy as np

    size = tables[0].shape[1]
    max_length = max(len(table) for table in tables)
    x = np.zeros((len(tables), max_length, size))
    there = np.zeros((len(tables), max_length), bool)
    for n, table in enumerate(tables):
        x[n, : len(table)], there[n, : len(table)] = table, True
    chosen = x[np.arange(len(tables)), answers]
    weights = np.zeros(size)
    for _ in range(_STEPS):
        score = np.where(there, x @ weights, -np.inf)
        share = np.exp(score - score.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        mean = np.einsum("no,nof->nf", share, x)
        slope = (chosen - mean).sum(axis=0) - _PENALTY * weights
        curve = np.einsum("no,nof,nog->fg", share, x, x) - mean.T @ mean + _PENALTY * np.eye(size)
        step = np.linalg.solve(curve, slope)
        weights = weights + np.clip(step, -2, 2)
        if float(np.abs(step).max()) < 1e-6:
            break
    return weights


def _picked_option(table: Any, weights: Any) -> int:
    import numpy as np

    return int(np.argmax(table @ weights))
