"""Progress and figures for trackers: JSON lines in full, the services by modules with their calls' signatures."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import triptych
from tests.support.runs import manifest
from triptych.errors import SpecError
from triptych.records import Response
from triptych.running.loop import RunOptions
from triptych.running.tally import Tally
from triptych.running.tracking import tracking as own


def events(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(place: Path, *track: str, **more: Any) -> triptych.api.RunResult:
    options = RunOptions(track=track)
    return triptych.run("cmdar/main", "baseline/random", seed=1, limit=3, out=place, options=options, **more)


def test_json_lines_have_the_whole_session(tmp_path: Path) -> None:
    result = run(tmp_path / "run", "jsonl", name="mine-step500")
    lines = events(tmp_path / "run" / "track.jsonl")
    assert [line["event"] for line in lines][:2] == ["begin", "progress"] and lines[-1]["event"] == "end"
    begin, progress, end = lines[0], [x for x in lines if x["event"] == "progress"][-1], lines[-1]
    assert begin["label"] == "cmdar: mine-step500" and begin["step"] == 500
    assert begin["config"]["model"] == "baseline/random" and begin["config"]["limit"] == 3
    assert "data" not in begin["config"], "no path of this computer is sent"
    assert progress["done"] == progress["planned"] == sum(result.outcome.counts.values()) and progress["failed"] == 0
    figures = {line["name"]: line for line in lines if line["event"] == "figure"}
    expected = own.named_figures(result.scores)
    assert figures.keys() == expected.keys() and figures
    for name, one in expected.items():
        assert figures[name]["value"] == one.value and figures[name]["n"] == one.n
    assert end["state"] == "done" and {line["run"] for line in lines} == {str(tmp_path / "run")}


def test_neither_paths_nor_addresses_in_settings_are_sent() -> None:
    """docs/track.md promises it; a step that is part of a relative name stays."""
    private = {
        "path": "rel/results",
        "source": "/data/weights",
        "adapter": "~/out",
        "lora": "../lora",
        "file": "C:\\out",
        "judge": "http://10.1.2.3:8000/v1",
    }
    shown = {"seed": 1, "revision": "Qwen/Qwen3-Omni", "checkpoint": "out/checkpoint-20"}
    config = own.config_of(manifest(model_settings=private | shown))
    assert {name: config[f"settings.{name}"] for name in shown} == shown
    assert not [name for name in private if f"settings.{name}" in config]


def response(item: str) -> Response:
    return Response(item, "", 0, "answered", "B")


def test_an_unknown_price_is_not_sent_as_none() -> None:
    tally = Tally(planned=3)
    tally.add(response("a"))
    assert "usd" not in (values := own.values_of(tally)) and values["unpriced"] == 1
    assert own.values_of(Tally())["usd"] == 0


def test_a_resumed_run_appends_and_several_runs_share_a_file(tmp_path: Path) -> None:
    shared = tmp_path / "ci" / "all.jsonl"
    run(tmp_path / "a", f"jsonl:{shared}")
    run(tmp_path / "a", f"jsonl:{shared}")
    run(tmp_path / "b", f"jsonl:{shared}", conditions=["blind"])
    ends = [line for line in events(shared) if line["event"] == "end"]
    assert [Path(line["run"]).name for line in ends] == ["a", "a", "b"]


def test_an_error_of_a_tracker_is_reported_once_and_the_run_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "not-a-file"
    folder.mkdir()
    with pytest.warns(UserWarning, match="the Run goes on without it") as caught:
        result = run(tmp_path / "run", f"jsonl:{folder}", "jsonl")
    assert len([one for one in caught if "goes on without it" in str(one.message)]) == 1
    assert sum(result.outcome.counts.values()) and result.scores
    assert events(tmp_path / "run" / "track.jsonl")[-1]["state"] == "done"


def test_an_error_of_the_run_is_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("scoring broke")

    monkeypatch.setattr("triptych.scoring.runs.score_run", broken)
    with pytest.raises(RuntimeError):
        run(tmp_path / "run", "jsonl")
    assert events(tmp_path / "run" / "track.jsonl")[-1]["state"] == "error: RuntimeError"


@pytest.mark.parametrize("word", ["jsonlines", "wandbb:x", ""])
def test_unknown_trackers_are_refused_before_anything_is_asked(word: str) -> None:
    with pytest.raises(SpecError, match="unknown tracker"):
        RunOptions(track=(word,))


class FakeWandB(types.ModuleType):
    """What `wandb` offers, with the keywords of its `init`."""

    def __init__(self) -> None:
        super().__init__("wandb")
        self.runs: dict[str, Any] = {}

    def Settings(self, *, silent: bool) -> dict[str, bool]:
        return {"silent": silent}

    def init(
        self,
        *,
        project: str,
        id: str,
        name: str,
        config: dict[str, Any],
        resume: str,
        job_type: str,
        reinit: str,
        settings: object,
    ) -> FakeWandB:
        assert resume == "allow" and reinit == "create_new" and job_type == "evaluation"
        self.logged: list[dict[str, float]] = []
        self.summary: dict[str, Any] = {}
        self.project, self.name, self.config, self.id = project, name, config, id
        self.code: int | None = None
        return self

    def log(self, data: dict[str, float]) -> None:
        assert all(isinstance(value, (int, float)) for value in data.values())
        self.logged.append(data)

    def finish(self, exit_code: int | None = None) -> None:
        self.code = exit_code


def test_weights_and_biases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeWandB()
    monkeypatch.setitem(sys.modules, "wandb", fake)
    result = run(tmp_path / "run", "wandb:omni", name="mine ckpt-2k")
    first = fake.id
    assert (fake.project, fake.name, fake.code) == ("omni", "cmdar: mine ckpt-2k", 0)
    assert fake.config["settings.seed"] == 1 and fake.config["benchmark"] == "cmdar"
    assert fake.logged[-1]["progress/done"] == fake.logged[-1]["progress/planned"]
    for name, one in own.named_figures(result.scores).items():
        if one.value is not None:
            assert fake.summary[name] == one.value and fake.summary[f"{name}/n"] == one.n
    assert fake.summary["checkpoint_step"] == 2000 and fake.summary["state"] == "done"
    run(tmp_path / "run", "wandb:omni", name="mine ckpt-2k")
    assert fake.id == first, "a resumed Run continues its run there"


def test_tensorboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, float, int]] = []

    class SummaryWriter:
        def __init__(self, logdir: str) -> None:
            self.logdir = logdir

        def add_text(self, tag: str, text_string: str) -> None:
            json.loads(text_string)

        def add_scalar(self, tag: str, scalar_value: float, global_step: int) -> None:
            written.append((tag, scalar_value, global_step))

        def close(self) -> None:
            written.append(("closed", 0, 0))

    module = types.ModuleType("tensorboardX")
    module.SummaryWriter = SummaryWriter  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tensorboardX", module)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    result = run(tmp_path / "run", f"tensorboard:{tmp_path / 'tb'}", name="mine-step-70")
    figures = {tag: (value, step) for tag, value, step in written if not tag.startswith(("progress/", "closed"))}
    expected = {name: one.value for name, one in own.named_figures(result.scores).items() if one.value is not None}
    assert figures == {name: (value, 70) for name, value in expected.items()}
    assert ("closed", 0, 0) in written
