"""What people type wrong and what they are told; archives of results; presets, checked before they are paid."""

from __future__ import annotations

import shutil
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import triptych
from tests.support.mock_process import MockProcess
from triptych.api.presets import run_preset
from triptych.benchmarks import load_benchmark
from triptych.cli.main import main
from triptych.errors import TriptychError
from triptych.experiment.arms import NamedModel, second_model
from triptych.running.loop import RunOptions


def said(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 2) -> str:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    shown = capsys.readouterr()
    assert ended.value.code == code, shown.err
    return shown.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "cmdar", "--model", "ckpt-1000"], "did you mean openai/ckpt-1000"),
        (["run", "cmdar", "--model", "nemotron-omni"], "the catalogue has nemotron-3-nano-omni"),
        (["run", "cmdar", "--model", "acme/Omni-7B"], "hf/acme/Omni-7B"),
        (["run", "cmdar", "--model", "Qwen/Qwen2.5-Omni-7B"], "qwen2.5-omni-7b is not served"),
        (["run", "cmdar", "--model", "opnai/x"], "did you mean 'openai'?"),
        (["run", "xmodbench", "cmdr/main", "--model", "baseline/first"], "has no task 'cmdr/main'"),
        (["run", "xmodbench", "cmdar", "xmodbench", "--model", "baseline/first"], "xmodbench is given twice"),
        (["run", "xmodbench,cmdar", "--model", "baseline/first"], "one benchmark at a time"),
        (["check", "xmodbench,cmdar"], "one benchmark at a time"),
        (["audit", "data", "xmodbench,cmdar"], "one benchmark at a time"),
        (
            ["run", "cmdar", "--model", "openai/x", "--model-base-url", "http://h/v1", "-M", "temprature=0"],
            "did you mean 'temperature'?",
        ),
        (["run", "cmdar", "--model", "baseline/first", "-M", "max_token=5"], "did you mean 'max_tokens'?"),
        (["run", "cmdar", "--model", "baseline/first", "--repeats", "1000000000"], "--repeats must be at most 1,000"),
    ],
)
def test_a_slip_is_met_with_what_was_meant(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in said(capsys, *arguments)


def test_a_base_url_without_its_version_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    class NotFound(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), NotFound) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        bare = f"http://127.0.0.1:{server.server_port}"
        told = said(
            capsys,
            "run",
            "cmdar/main",
            "--model",
            "openai/m",
            "--model-base-url",
            bare,
            "--limit",
            1,
            "--condition",
            "blind",
            "--out",
            tmp_path / "run",
        )
        server.shutdown()
    assert f"most require /v1 at the end: {bare}/v1" in told


def test_results_in_an_archive_are_scored_and_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = load_benchmark("mcs_bench")
    run = triptych.run("mcs_bench", "baseline/first", out=tmp_path / "run")
    results = tmp_path / "results/system"
    bench.write_outputs(run.folder.items(), run.folder.responses(), results)
    plain = triptych.score("mcs_bench", predictions=[results], data="mini")
    with tarfile.open(tmp_path / "system.tar.gz", "w:gz") as archive:
        archive.add(results, "system")
    shutil.make_archive(str(tmp_path / "flat"), "zip", results)
    for name in ("system.tar.gz", "flat.zip"):
        packed = triptych.score("mcs_bench", predictions=[tmp_path / name], data="mini")
        assert [(a.task, a.slice, a.value) for a in packed["official"]] == [
            (a.task, a.slice, a.value) for a in plain["official"]
        ]
        assert triptych.audit_run([tmp_path / name], benchmark="mcs_bench") is not None
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as evil:
        evil.writestr("../out.json", "{}")
    with pytest.raises(TriptychError):
        triptych.score("mcs_bench", predictions=[tmp_path / "evil.zip"], data="mini")
    assert not (tmp_path / "out.json").exists()


def test_the_second_model_takes_the_first_ones_endpoint_only_where_it_is_one_of_its_kind() -> None:
    first = NamedModel("openai/a", {"temperature": 0, "stream": True}, "http://h/v1")
    baseline = second_model(first, "baseline/random")
    assert (baseline.base_url, dict(baseline.settings)) == (None, {"temperature": 0})
    alike = second_model(first, "openai/b", {"stream": False}, "http://other/v1")
    assert (alike.base_url, alike.settings["stream"]) == ("http://other/v1", False)
    assert second_model(first, "openai/b").base_url == "http://h/v1"


def test_a_wrong_later_arm_is_told_before_the_first_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from triptych.benchmarks.presets import Arm, Preset
    from triptych.experiment import arms as experiment

    arms = (
        Arm("one", "one", tasks=("main",), conditions=("blind",)),
        Arm("two", "two", tasks=("main",), model="opnai/x"),
    )
    monkeypatch.setattr(experiment, "find_preset", lambda bench, name: Preset("p", "P", "-", arms))
    with MockProcess(answer="letter") as mock:
        asked = NamedModel("openai/m", {}, mock.base_url)
        with pytest.raises(TriptychError, match="unknown model adapter 'opnai'"):
            run_preset("cmdar", "p", asked, out=tmp_path / "p", options=RunOptions(), limit=1)
        assert not mock.stats()["received"] and not (tmp_path / "p").exists()
        other = triptych.run("cmdar/main", "baseline/first", limit=2, out=tmp_path / "p/two")
        good = (arms[0], Arm("two", "two", tasks=("main",), model="baseline/first"))
        monkeypatch.setattr(experiment, "find_preset", lambda bench, name: Preset("p", "P", "-", good))
        with pytest.raises(TriptychError, match="another Run"):
            run_preset("cmdar", "p", asked, out=tmp_path / "p", options=RunOptions(), limit=1)
        assert not mock.stats()["received"]
        shutil.rmtree(other.folder.path)
        done = run_preset("cmdar", "p", asked, out=tmp_path / "p", options=RunOptions(), limit=1)
        assert [arm.label for arm, _ in done.arms] == ["one", "two"] and mock.stats()["received"]


def test_a_preset_with_a_baseline_as_its_second_model_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with MockProcess(answer="letter") as mock:
        said(
            capsys,
            "run",
            "mcs_bench",
            "--preset",
            "reasoning",
            "--model",
            "openai/m",
            "--model-base-url",
            mock.base_url,
            "-M",
            "stream=false",
            "--base-model",
            "baseline/random",
            "--limit",
            1,
            "--out",
            tmp_path / "p",
            code=0,
        )
