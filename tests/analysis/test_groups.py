"""Models with a property of the catalogue against the others: means, differences, and a permutation test."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

import triptych
from triptych import api
from triptych.analysis.groups import groups, permutation_p, row_of
from triptych.analysis.observed import Observed, headlines, observe
from triptych.models.catalogue import find_model
from triptych.store.folder import RunFolder

# CMDAR's paper marks these as trained on Chinese; the last three are not
MODELS = ("qwen2-audio-7b", "r1-aqa", "qwen2.5-omni-7b", "audio-flamingo-3", "desta2.5-audio", "gpt-4o-audio")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Observed]:
    """A Run of a baseline for each model, with the model's name."""
    place = tmp_path_factory.mktemp("runs")
    folders = []
    for number, name in enumerate(MODELS):
        model = ("baseline/reference", "baseline/constant", "baseline/random")[number % 3]
        triptych.run("cmdar/main", model, name=name, out=place / name, limit=6)
        folders.append(RunFolder.open(place / name))
    return observe(folders, None)


def test_groups_are_means_over_models(runs: list[Observed]) -> None:
    section = groups(runs)
    assert section is not None
    own = {(e.label, e.slice["group"]): e for e in section.estimates}
    inside, outside, gap = (own[label, "chinese"] for label in ("with", "without", "difference"))
    figure = (inside.task, inside.metric, {})
    values = [next(a.value for a in run.aggregates if (a.task, a.metric, a.slice) == figure) for run in runs]
    assert all(value is not None for value in values) and (inside.n, outside.n, gap.n) == (3, 3, 6)
    assert inside.value == pytest.approx(sum(values[:3]) / 3) and outside.value == pytest.approx(sum(values[3:]) / 3)  # type: ignore[arg-type]
    assert gap.value == pytest.approx(inside.value - outside.value)  # type: ignore[operator]
    assert gap.p_value == permutation_p(values, 3) and (gap.p_adjusted or 0) >= (gap.p_value or 0)  # type: ignore[arg-type]
    assert section.tables[0].rows and own["difference", "rl"].n == 6


def test_a_single_group_or_unknown_models_are_no_comparison(runs: list[Observed]) -> None:
    assert groups(runs[:2]) is None and groups([]) is None
    assert row_of(runs[0]) is not None


def test_the_p_value_is_the_share_of_divisions_that_differ_as_much() -> None:
    assert permutation_p([9, 8, 7, 1, 2, 3], 3) == pytest.approx(2 / 20)
    assert permutation_p([1, 1, 1, 1, 1, 1], 3) == 1.0
    assert permutation_p([1, 2, 3, 4], 2) is None and permutation_p([1] * 30, 0) is None
    many = [random.Random(1).random() for _ in range(40)]
    assert permutation_p(many, 20, seed=3) == permutation_p(many, 20, seed=3)
    assert 0 < (permutation_p([*[9.0] * 20, *[0.0] * 20], 20) or 0) < 0.001


@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_p_value_equals_scipys(size: int) -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    values = [random.Random(size).gauss(0, 1) for _ in range(9)]
    import numpy as np

    found = stats.permutation_test(
        (values[:size], values[size:]),
        lambda a, b, axis: np.mean(a, axis=axis) - np.mean(b, axis=axis),
        vectorized=True,
        n_resamples=np.inf,
    )
    ours = permutation_p(values, size)
    total = sum(values)
    assert ours is not None
    # scipy doubles the smaller tail; ours counts both tails by absolute difference
    from itertools import combinations

    gaps = [sum(c) / size - (total - sum(c)) / (9 - size) for c in combinations(values, size)]
    observed = sum(values[:size]) / size - sum(values[size:]) / (9 - size)
    assert ours == pytest.approx(sum(abs(g) >= abs(observed) - 1e-12 for g in gaps) / len(gaps))
    tails = min(sum(g >= observed - 1e-12 for g in gaps), sum(g <= observed + 1e-12 for g in gaps))
    assert found.pvalue == pytest.approx(min(1.0, 2 * tails / len(gaps)))


def test_the_command_line_knows_the_kind(runs: list[Observed], capsys: pytest.CaptureFixture[str]) -> None:
    from triptych.cli.main import main

    place = runs[0].path
    assert place is not None
    with pytest.raises(SystemExit):
        main(["analyse", str(Path(place).parent), "--kind", "groups"])
    assert "chinese" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("metric", "unit", "points", "digits"), [("acc", "%", "points", 1), ("judge_score", "", "", 2)]
)
def test_only_percentages_have_a_percent_sign(
    runs: list[Observed], monkeypatch: pytest.MonkeyPatch, metric: str, unit: str, points: str, digits: int
) -> None:
    own = [
        replace(run, aggregates=tuple(structs.replace(one, metric=metric) for one in found))
        for run in runs
        if (found := headlines(run.benchmark, run.aggregates))
    ]
    monkeypatch.setattr("triptych.analysis.groups.headlines", lambda benchmark, figures: list(figures))
    section = groups(own)
    assert section is not None
    assert {e.label: (e.unit, e.digits) for e in section.estimates} == {
        "with": (unit, digits),
        "without": (unit, digits),
        "difference": (points, digits),
        "p": ("p", 3),
    }


def test_the_models_that_the_section_names() -> None:
    named = {"Qwen2.5-Omni": True, "Gemini 2.5 Pro": True, "Gemini 1.5 Pro": True, "VITA": False, "EchoInk-R1": False}
    for name, interleaved in named.items():
        model = find_model(name)
        assert model is not None and ("interleaved" in model.tags) is interleaved, name
    echoink = find_model("EchoInk-R1")
    assert echoink is not None and {"post-trained", "rl"} <= set(echoink.tags)


def test_runs_are_grouped_by_it(tmp_path: Path) -> None:
    names = ("qwen2.5-omni-7b", "gemini-2.5-pro", "vita-1.5", "videollama2.1-7b-av")
    for seed, name in enumerate(names):
        api.run(
            "xmodbench/perception/general",
            "baseline/random",
            seed=seed,
            name=name,
            limit=3,
            out=tmp_path / name,
            protocols=["official"],
        )
    section = groups(observe([RunFolder.open(tmp_path / name) for name in names]))
    assert section is not None and any("interleaved" in str(one.slice) for one in section.estimates)
