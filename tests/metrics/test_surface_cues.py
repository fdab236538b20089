"""The classifier over what isn't content: it finds planted tells, and stays within chance where there are none."""

from __future__ import annotations

import random
from math import log

import numpy as np
import pytest
from scipy.special import bdtr
from scipy.stats import binom, rankdata

from triptych.metrics.surface_cues import GuessedQuestion, _quantile, _ranks, classified, text_figures, upper


def asked(
    n: int, seed: int, *, same: float = 0.0, louder: float = 0.0, longer: float = 0.0, brighter: float = 0.0
) -> list[GuessedQuestion]:
    """Questions about films by sounds: lengths from 2 to 10 s; `same` of them with the length of their stem."""
    draw, made = random.Random(seed), []
    for number in range(n):
        answer = draw.randrange(4)
        stem = {"seconds": log(draw.uniform(2, 10)), "bytes": draw.gauss(10, 1)}
        options = [
            {"seconds": log(draw.uniform(2, 10)), "bytes": draw.gauss(12, 1), "level": draw.gauss(-23, 2)}
            | ({"brightness": draw.gauss(120, 20)} if brighter else {})
            for _ in range(4)
        ]
        if draw.random() < same:
            options[answer]["seconds"] = stem["seconds"] + draw.gauss(0, 0.02)
        options[answer]["level"] += louder
        options[answer]["bytes"] += longer
        if brighter:
            options[answer]["brightness"] += brighter
        made.append(GuessedQuestion(f"q{number}", stem, tuple(options), answer))
    return made


@pytest.mark.parametrize(
    ("tell", "strongest"),
    [
        ({"same": 0.8}, "seconds and seconds"),
        ({"louder": 3.0}, "level"),
        ({"longer": 1.5}, "bytes"),
        ({"brighter": 30.0}, "brightness"),
    ],
)
def test_a_planted_tell_is_found_and_named(tell: dict[str, float], strongest: str) -> None:
    found = classified(asked(160, 1, **tell))
    assert (
        found is not None and found.exceeds_chance and len(found.right) > 0.5 * found.n and strongest in found.strongest
    )


def test_without_a_tell_it_is_within_chance_as_often_as_the_band_says() -> None:
    above = sum(found.exceeds_chance for seed in range(60) if (found := classified(asked(80, seed))) is not None)
    assert above <= binom.ppf(0.999, 60, 0.05)


def test_stem_and_option_of_different_kinds_are_compared_by_rank() -> None:
    draw, made = random.Random(5), []
    for number in range(120):
        answer, words = draw.randrange(4), [draw.randint(3, 30) for _ in range(4)]
        stem = {"seconds": log(words[answer] / 2.5) + draw.gauss(0, 0.03)}
        made.append(GuessedQuestion(str(number), stem, tuple(text_figures("word " * n) for n in words), answer))
    found = classified(made)
    assert found is not None and len(found.right) > 0.6 * found.n and "of seconds" in found.strongest


@pytest.mark.parametrize("sign", [1, -1], ids=["the louder the brighter", "the louder the darker"])
def test_ranks_of_different_figures_are_compared(sign: int) -> None:
    draw = random.Random(7)
    pictures = [{"brightness": draw.gauss(120, 30), "contrast": draw.gauss(40, 9)} for _ in range(40)]
    made = []
    for number, picture in enumerate(pictures):
        shown = [number, *draw.sample([n for n in range(40) if n != number], 3)]
        draw.shuffle(shown)
        stem = {"level": sign * picture["brightness"] / 7 - 40, "seconds": draw.gauss(2, 0.4)}
        made.append(GuessedQuestion(str(number), stem, tuple(pictures[n] for n in shown), shown.index(number)))
    found = classified(made)
    assert found is not None and found.exceeds_chance and "rank of brightness by that of level" in found.strongest


def test_too_few_questions_and_figures_that_never_differ_give_no_figure() -> None:
    assert classified(asked(23, 1)) is None
    even = [GuessedQuestion(str(n), {}, ({"level": 1.0},) * 4, n % 4) for n in range(40)]
    assert classified(even) is None


def test_the_band_is_the_quantile_of_the_binomial() -> None:
    assert upper(100, 0.25) == 34 and upper(626, 0.25) == 178
    rng = random.Random(3)
    for n in [*range(30), *rng.sample(range(30, 5000), 60)]:
        for p in (0.0, 1e-9, 0.2, 0.25, 1 / 3, 0.5, rng.random(), 1.0):
            assert upper(n, p) == binom.ppf(0.975, n, p), (n, p)
            reached = float(bdtr(n // 3, n, p))  # a level that a number reaches exactly
            if 0.01 < reached < 0.99:
                count = _quantile(reached, n, p)
                assert bdtr(count, n, p) >= reached and (not count or bdtr(count - 1, n, p) < reached), (n, p)


def test_ranks_are_those_of_scipy_scaled_and_missing_values_stay_missing() -> None:
    rng = np.random.default_rng(3)
    for rows, columns in ((1, 3), (2, 2), (4, 7), (9, 4)):
        table = rng.integers(0, 4, (rows, columns)).astype(float)
        table[rng.random(table.shape) < 0.2] = np.nan
        expected = (rankdata(table, axis=0, nan_policy="omit") - 1) / np.maximum((~np.isnan(table)).sum(axis=0) - 1, 1)
        np.testing.assert_allclose(_ranks(table.tolist()), expected)
