"""With Inspect itself, in an environment of its own (`make inspect`): it reads our logs, and runs our benchmarks."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.mock_process import MockProcess
from triptych import api
from triptych.interchange.exports import export_run, import_log
from triptych.scoring.runs import score_run

HOME = Path(os.environ.get("TRIPTYCH_INSPECT", Path(__file__).parents[2] / ".venv-inspect")) / "bin"
pytestmark = pytest.mark.skipif(not (HOME / "inspect").exists(), reason="Inspect isn't installed: make inspect")

READ = """
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
print(json.dumps([log.status, len(log.samples), [s.output.completion for s in log.samples],
                  {s.name: s.metrics["value"].value for s in log.results.scores}]))
"""

FIGURES = """
import sys
from inspect_ai.log import read_eval_log
for score in read_eval_log(sys.argv[1], header_only=True).results.scores:
    for name, metric in score.metrics.items():
        print(name, metric.value)
"""


def test_inspect_reads_our_log(tmp_path: Path) -> None:
    run = api.run("cmdar", "baseline/random", out=tmp_path / "run", limit=2, seed=0)
    (path,) = export_run(run.folder, "inspect", tmp_path)
    done = subprocess.run([HOME / "python", "-c", READ, path], capture_output=True, text=True, check=True)
    status, count, replies, figures = json.loads(done.stdout)
    assert status == "success" and count == len(list(run.folder.items()))
    assert sorted(replies) == sorted(r.text for r in run.folder.responses() if r.status == "answered" or r.text == "")
    for figure in run.scores["official"]:
        if not figure.slice and figure.value is not None:
            assert figures[f"{figure.task} {figure.metric}"] == pytest.approx(figure.value)


@pytest.mark.slow
def test_inspect_runs_our_benchmark_and_the_log_comes_back_as_a_run(tmp_path: Path) -> None:
    with MockProcess(latency=0.001, answer="letter") as mock:
        environment = {**os.environ, "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": mock.base_url}
        command = [
            HOME / "inspect",
            "eval",
            "triptych/xmodbench",
            "--model",
            "openai/mock",
            "-M",
            "responses_api=false",
            "-T",
            "tasks=linguistic/recognition",
            "-T",
            "limit=2",
            "-T",
            "filters=direction=audio_text,direction=vision_text",
            "--log-dir",
            tmp_path / "logs",
            "--display",
            "none",
        ]
        subprocess.run(command, env=environment, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    (log,) = (tmp_path / "logs").glob("*.eval")
    folder = import_log(log, tmp_path / "run")
    assert folder.manifest.benchmark == "xmodbench"
    scores = score_run(folder)
    done = subprocess.run([HOME / "python", "-c", FIGURES, log], capture_output=True, text=True, check=True)
    theirs = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    (ours,) = [a for a in scores["official"] if a.task == "xmodbench" and not a.slice and a.metric == "acc"]
    assert float(theirs["xmodbench acc"]) == pytest.approx(ours.value)
