"""Tests of `viewer/pages/checkpoints.py`: A figure over the checkpoints of one model."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import triptych
from tests.support.runs import manifest
from triptych.records import RunNote
from triptych.store.folder import RunFolder
from triptych.store.run_notes import change_run_note
from triptych.viewer.app import make_app
from triptych.viewer.pages.checkpoints import _ticks, series_of, step_of


@pytest.mark.parametrize(
    ("changes", "tags", "step"),
    [
        ({"model": "openai/mine-step500"}, (), ("openai/mine", "step", 500)),
        ({"model": "openai/out/checkpoint-1500"}, (), ("openai/out", "step", 1500)),
        ({"model": "local/pythia", "revision": "step143000"}, (), ("local/pythia", "step", 143000)),
        ({"model": "local/x", "model_settings": {"lora": "out/checkpoint-20"}}, (), ("local/x lora=out", "step", 20)),
        ({"model": "openai/x", "name": "mine ckpt_2k"}, (), ("mine", "step", 2000)),
        ({"model": "openai/x", "name": "mine epoch 3"}, (), ("mine", "epoch", 3)),
        ({"model": "openai/x"}, ("good", "step=70"), ("openai/x", "step", 70)),
        ({"model": "openai/a7f3"}, ("series=mine", "step 70"), ("mine", "step", 70)),
        ({"model": "openai/footstep5"}, (), None),
        ({"model": "openai/step3"}, (), None),
        ({"model": "openai/step-1o-audio"}, (), None),
        ({"model": "stepfun/step-2-16k"}, (), None),
        ({"model": "stepfun/step-3.5-flash"}, (), None),
        ({"model": "openai/out/step-500"}, (), ("openai/out", "step", 500)),
        ({"model": "openai/x", "model_settings": {"num_steps": 50}}, (), None),
        (
            {"model": "openai/x", "name": "mine-step5k", "model_settings": {"num_steps": 50}},
            (),
            ("mine num_steps: 50", "step", 5000),
        ),
        ({"model": "gemini/gemini-2.5-flash"}, (), None),
    ],
)
def test_which_checkpoint_a_run_is(changes: dict[str, object], tags: tuple[str, ...], step: object) -> None:
    assert step_of(manifest(**changes), RunNote(tags=tags)) == step


def test_a_figure_over_checkpoints(cache: Path, tmp_path: Path) -> None:
    for step in (100, 2000, 1000):
        for conditions in ([], ["blind"]):
            triptych.run(
                "cmdar/main",
                "baseline/random",
                seed=3,
                limit=5,
                conditions=conditions,
                name=f"mine-step{step}",
                out=tmp_path / f"{step}{'-'.join(conditions)}",
            )
    triptych.run("cmdar/main", "baseline/random", seed=1, limit=2, name="mine-step7", out=tmp_path / "other")
    client = TestClient(make_app(tmp_path), base_url="http://127.0.0.1:8765")
    page = client.get("/checkpoints").text
    assert page.count("<polyline") == 2 and page.count("<circle") == 6, "a line for each Condition"
    assert len(re.findall(r"<tr><td class=\"number\">", page)) == 6 and "mine seed=3 on cmdar" in page
    xs = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', page)[:3]]
    assert xs == sorted(xs) and abs((xs[1] - xs[0]) / (xs[2] - xs[0]) - 900 / 1900) < 0.01
    columns = re.findall(r'<option value="([^"]+)"', page.split('name="column"')[1].split("</select>")[0])
    assert client.get("/checkpoints", params={"column": columns[-1]}).status_code == 200
    runs = {name.name: RunFolder.open(name) for name in tmp_path.iterdir()}
    notes = {name: RunNote() for name in runs}
    assert [len(one.runs) for one in series_of(runs, notes)] == [6], "another number of Items is another series"
    change_run_note(tmp_path / "100", lambda note: RunNote(hidden=True))
    assert client.get("/checkpoints").text.count("<circle") == 5
    shutil.rmtree(tmp_path / "2000" / "scores")
    (tmp_path / "2000" / "summary.json").unlink()
    page = client.get("/checkpoints").text
    assert page.count("<circle") == 4 and "is not scored" in page


@pytest.mark.parametrize(("low", "high"), [(0, 100), (37.2, 38.1), (50, 50), (0, 0), (-3, 12), (1e-4, 3e-4)])
def test_ticks_are_few_and_round_and_include_the_values(low: float, high: float) -> None:
    ticks = _ticks(low, high)
    assert 1 <= len(ticks) <= 9 and ticks[0] <= low and ticks[-1] >= high
