"""Tests of `reports/arms.py`: a preset's arms in the terminal."""

from __future__ import annotations

import pytest
from msgspec import structs

import triptych
from triptych.analysis.comparing.arms import compare_arms
from triptych.analysis.comparing.comparison import Comparison
from triptych.benchmarks.presets import Arm, Preset
from triptych.experiment.execution import RunResult
from triptych.reports.arms import show_arms

ARMS = (Arm("sound", "with sound"), Arm("mute", "无声 [blind]", conditions=("blind",)))
PRESET = Preset("ablation", "Ablation [of sound]", "Table 5", ARMS, against="sound", note="The paper used 10 shots.")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Arm, RunResult]]:
    place = tmp_path_factory.mktemp("arms")
    first = triptych.run("cmdar/main", "baseline/reference", limit=8, out=place / "sound")
    second = triptych.run("cmdar/main", "baseline/first", limit=8, out=place / "mute", conditions=["blind"])
    return list(zip(ARMS, (first, second), strict=True))


@pytest.fixture(scope="module")
def comparison(runs: list[tuple[Arm, RunResult]]) -> Comparison:
    return compare_arms(PRESET, runs)["mute"]


def shown(
    capsys: pytest.CaptureFixture[str],
    runs: list[tuple[Arm, RunResult]],
    comparisons: dict[str, Comparison],
    preset: Preset = PRESET,
) -> str:
    scores = {arm.title: result.scores for arm, result in runs}
    folders = {arm.title: result.folder for arm, result in runs}
    show_arms(triptych.load_benchmark("cmdar"), preset, scores, folders, comparisons)
    return capsys.readouterr().out


def test_the_experiment_its_scores_its_cost_and_its_differences_are_shown(
    runs: list[tuple[Arm, RunResult]], comparison: Comparison, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, runs, {"mute": comparison})
    order = [
        "Ablation [of sound] (Table 5)",
        "The paper used 10 shots.",
        "100.0",
        "Cost",
        "无声 [blind] against with sound, 8 shared questions:",
        comparison.sentences[0][:30],
    ]
    flat = " ".join(text.split())
    places = [flat.index(" ".join(part.split())) for part in order]
    assert places == sorted(places)
    cost = text[text.index("Cost") : text.index(" against ")].splitlines()
    rows = [line.split() for line in cost if line.strip().startswith(("with sound", "无声"))]
    assert [row[2] for row in rows if len(row) > 2] == ["8", "8"], "the Requests of each arm"


def test_differences_that_the_experiment_means_are_no_warnings(
    runs: list[tuple[Arm, RunResult]], comparison: Comparison, capsys: pytest.CaptureFixture[str]
) -> None:
    meant = [warning for warning in comparison.warnings if warning.startswith("the Condition differs")]
    assert meant, "the comparison itself says that the Condition differs"
    other = structs.replace(
        comparison, warnings=(*meant, "the seed differs: 1 and 2"), lost={"not the same media": 1234}
    )
    text = " ".join(shown(capsys, runs, {"mute": other}).split())
    assert "the Condition differs" not in text and "warning: the seed differs: 1 and 2" in text
    assert "1,234 left out: not the same media" in text


def test_without_comparisons_the_scores_and_the_cost_are_shown(
    runs: list[tuple[Arm, RunResult]], capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, runs[:1], {}, structs.replace(PRESET, note=""))
    assert "Cost" in text and "with sound" in text and " against " not in text and "shots" not in text


def test_an_experiment_with_tables_of_its_own_shows_these(
    runs: list[tuple[Arm, RunResult]], capsys: pytest.CaptureFixture[str]
) -> None:
    layouts = triptych.load_benchmark("cmdar").spec.layouts
    table = next(layout for layout in layouts if layout.id == "main")
    text = shown(capsys, runs, {}, structs.replace(PRESET, tables=(table.id,)))
    assert table.title in " ".join(text.split())
