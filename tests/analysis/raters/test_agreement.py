"""Tests of `analysis/raters/agreement.py`."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.analysis.forms.test_robustness import all_of
from tests.analysis.seen import seen
from tests.scoring.toy import score
from triptych.analysis.observed import Observed
from triptych.analysis.raters.agreement import agreement, of_run
from triptych.analysis.raters.ratings import read_ratings
from triptych.metrics.agreement import pearson
from triptych.records import Estimate, RunManifest


def test_raters_are_compared_over_what_both_rated() -> None:
    ratings: Mapping[str, Mapping[str, float]] = {
        "judge a": {f"u{n}": float(n % 5) for n in range(40)},
        "person b": {f"u{n}": float(n % 5) + (n % 3) / 2 for n in range(10, 50)},
        "person c": {"u1": 1.0},
    }
    section = agreement(ratings, replicates=300)
    first = {e.measure: e for e in (section.estimates if section else ()) if e.slice["raters"] == "judge a · person b"}
    both = [f"u{n}" for n in range(10, 40)]
    x, y = ([ratings[name][unit] for unit in both] for name in ("judge a", "person b"))
    assert first["pearson"].value == pytest.approx(pearson(x, y))
    assert first["pearson"].n == 30 and first["pearson"].coverage == pytest.approx(30 / 50)
    assert first["pearson"].interval and first["pearson"].interval[0] < (first["pearson"].value or 0)
    assert first["bias"].value == pytest.approx(np.mean(np.subtract(x, y)))
    single = next(e for e in (section.estimates if section else ()) if e.slice["raters"] == "judge a · person c")
    assert single.value is None and single.reason == "only one reply was rated by both"
    assert agreement({"judge a": {"u": 1.0}}) is None


def test_the_interval_of_a_correlation_is_scipys() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=300)
    y = 0.6 * x + 0.8 * rng.normal(size=300)
    units = [f"u{n}" for n in range(300)]
    ratings = {"a": dict(zip(units, map(float, x), strict=True)), "b": dict(zip(units, map(float, y), strict=True))}
    section = agreement(ratings)
    found = all_of(section, "pearson")[0]
    expected = stats.pearsonr(x, y).confidence_interval(0.95)
    assert found.interval == pytest.approx(tuple(expected), abs=0.04)


QUESTIONS, PEOPLE = 200, 8


def clicked(seed: int) -> list[list[float]]:
    """What people who click at random get right: a row for each question, a column for each person."""
    draw = random.Random(seed)
    return [[float(draw.random() < 0.25) for _ in range(PEOPLE)] for _ in range(QUESTIONS)]


def joined(answers: list[list[float]]) -> Observed:
    """The joined Run of a survey: the answer of the n-th person is repeat n."""
    scores = [score(f"u{n}", value, repeat=who) for n, row in enumerate(answers) for who, value in enumerate(row)]
    manifest = RunManifest(
        schema_version=1,
        benchmark="toy",
        benchmark_version="1",
        data="",
        data_sha256="",
        tasks=("t",),
        model="human/joined",
        revision="",
        model_settings={},
        conditions=(),
        prompt="",
        decoding={},
        seed=0,
        repeats=PEOPLE,
    )
    return seen("human/joined", scores, manifest=manifest)


def ratings(path: Path, answers: list[list[float]], *, whose: bool) -> Path:
    lines = [f"item,value,rater{',repeat' * whose}"]
    for n, row in enumerate(answers):
        lines += [f"u{n},{value:g},p-{who}{f',{who}' * whose}" for who, value in enumerate(row)]
    path.write_text("\n".join(lines) + "\n")
    return path


def of_metric(run: Observed, path: Path) -> list[Estimate]:
    section = of_run(run, read_ratings(path))
    assert section is not None
    return [e for e in section.estimates if "metric" in e.slice["raters"]]


def test_people_who_click_at_random_agree_with_nobody(tmp_path: Path) -> None:
    answers = clicked(3)
    found = of_metric(joined(answers), ratings(tmp_path / "r.csv", answers, whose=True))
    values = [e.value for e in found if e.measure == "pearson"]
    assert len(values) == PEOPLE and all(value is not None and abs(value) < 0.2 for value in values)
    with_own = [pearson([sum(row) for row in answers], [row[who] for row in answers]) for who in range(PEOPLE)]
    assert all(value is not None and value > 0.2 for value in with_own)  # the mistake that this prevents


def test_a_person_is_compared_with_the_mean_of_the_others(tmp_path: Path) -> None:
    answers = clicked(5)
    found = of_metric(joined(answers), ratings(tmp_path / "r.csv", answers, whose=True))
    first = next(e for e in found if e.measure == "pearson" and "p-0" in e.slice["raters"])
    assert first.value == pytest.approx(pearson([sum(row[1:]) / 7 for row in answers], [row[0] for row in answers]))


def test_without_the_repeats_nobody_is_compared_with_a_metric(tmp_path: Path) -> None:
    answers = clicked(3)
    section = of_run(joined(answers), read_ratings(ratings(tmp_path / "r.csv", answers, whose=False)))
    assert section is not None and not [e for e in section.estimates if "metric" in e.slice["raters"]]
    assert any("whose" in note and "survey pull" in note for note in section.notes)


@pytest.mark.parametrize("number", [3, 4, 5, 8, 30])
@pytest.mark.parametrize("rare", [1, 2])
def test_intervals_of_correlations_are_between_minus_1_and_1(number: int, rare: int) -> None:
    """With few questions, or a rater who nearly always gives the same value, resamples have no variance."""
    for seed in range(20):
        draw = random.Random(seed)
        one = {f"u{n}": float(n < rare) for n in range(number)}
        other = {name: value if draw.random() < 0.8 else draw.random() for name, value in one.items()}
        section = agreement({"person a": one, "person b": other}, replicates=300, seed=seed)
        assert section is not None
        for each in section.estimates:
            if each.interval and each.measure in ("pearson", "spearman"):
                assert -1 <= each.interval[0] <= (each.value or 0) <= each.interval[1] <= 1, each


def test_the_interval_of_a_correlation_is_about_fishers() -> None:
    """For normal values and many clusters, a bootstrap interval is that of Fisher's z within its own error."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=400)
    y = 0.6 * x + 0.8 * draw.normal(size=400)
    section = agreement(
        {
            "person a": {str(n): float(v) for n, v in enumerate(x)},
            "person b": {str(n): float(v) for n, v in enumerate(y)},
        },
        replicates=2000,
    )
    assert section is not None
    found = next(e for e in section.estimates if e.measure == "pearson")
    assert found.value is not None and found.interval is not None
    z, half = np.arctanh(found.value), 1.96 / np.sqrt(397)
    assert found.interval == pytest.approx((np.tanh(z - half), np.tanh(z + half)), abs=0.02)
