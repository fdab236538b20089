"""Tests of `triptych run --preset`: arms next to each other, a part of a preset, and what may not be combined."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.cli.main import main
from triptych.experiment.arms import PartOfPreset
from triptych.records import Item
from triptych.store.folder import RunFolder


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(
            [
                "run",
                "cmdar",
                "--preset",
                "noise",
                "--model",
                "baseline/random",
                "--limit",
                "2",
                "--out",
                str(tmp_path),
                "--json",
            ]
        )
    assert ended.value.code == 0
    document = json.loads(capsys.readouterr().out)
    assert [arm["label"] for arm in document["arms"]] == ["audio", "noise"] and "noise" in document["comparisons"]
    with pytest.raises(SystemExit) as ended:
        main(["list", "presets", "cmdar", "--json"])
    assert {row["name"] for row in json.loads(capsys.readouterr().out)} >= {"noise", "cascade"}
    with pytest.raises(SystemExit) as ended:
        main(["run", "cmdar", "--preset", "noise", "--model", "baseline/random", "--condition", "blind"])
    assert ended.value.code == 2
    with pytest.raises(SystemExit) as ended:
        main(["run", "cmdar", "--model", "baseline/random", "--dry-run", "--json", "--condition", "circular"])
    estimate = json.loads(capsys.readouterr().out)
    assert ended.value.code == 0 and estimate["requests"] > 40 and estimate["usd"] == 0


def test_a_preset_takes_filter_sample_and_task_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def asked(bench: str, preset: str, *more: str) -> dict[str, list[Item]]:
        place = tmp_path / str(len(list(tmp_path.iterdir())))
        with pytest.raises(SystemExit) as ended:
            main(["run", bench, "--preset", preset, "--model", "baseline/random", "--out", str(place), "--json", *more])
        assert ended.value.code == 0
        return {path.name: list(RunFolder.open(path).items()) for path in place.iterdir()}

    facet = asked("mcif", "prompts", "--filter", "modality=audio", "--limit", "1")
    assert set(facet) == {"fixed", "mixed"}
    assert {item.facets["modality"] for items in facet.values() for item in items} == {"audio"}
    task = asked("xmodbench/perception/general/audio_text", "no-context", "--limit", "2")
    assert {item.task for items in task.values() for item in items} == {"xmodbench/perception/general/audio_text"}
    alone = asked("mcif", "modalities", "--filter", "modality=text", "--limit", "1")
    assert set(alone) == {"text"} and "without audio, video, audio_video" in capsys.readouterr().err
    whole = PartOfPreset()
    suffixes = {whole.suffix, PartOfPreset(["main"]).suffix, PartOfPreset(sample="lite").suffix}
    assert not whole.suffix and len(suffixes) == 3


@pytest.mark.parametrize(
    ("option", "value"),
    [("--base-model", "baseline/random"), ("--base-model-base-url", "http://localhost:1"), ("--base-setting", "a=1")],
)
def test_options_of_a_second_model_need_a_preset(
    option: str, value: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "cmdar", "--model", "baseline/random", "--out", str(tmp_path / "run"), option, value])
    assert ended.value.code == 2
    assert f"{option} requires --preset" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
