"""Every command over Runs that have nothing to show: no wrong answer, no answer, one question, no reply at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import triptych
from triptych.cli.main import main

COMMANDS = {
    "score": ["score", "{run}"],
    "errors": ["errors", "{run}"],
    "errors-json": ["errors", "{run}", "--json"],
    "errors-by": ["errors", "{run}", "--by", "{facet}"],
    "errors-answer": ["errors", "{run}", "--by", "answer"],
    "errors-item": ["errors", "{run}", "--by", "item"],
    "report": ["report", "{run}", "--details"],
    "report-two": ["report", "{run}", "{other}"],
    "report-files": ["report", "{run}", "--to", "{to}", "--format", "html,csv,md,latex,outputs"],
    "compare": ["compare", "{run}", "{other}"],
    "analyse": ["analyse", "{run}"],
    "analyse-two": ["analyse", "{run}", "{other}", "--json"],
    "audit": ["audit", "run", "{run}"],
    "audit-two": ["audit", "run", "{run}", "{other}", "--all"],
    "export-inspect": ["export", "{run}", "--format", "inspect", "--to", "{to}"],
    "export-lmms": ["export", "{run}", "--format", "lmms", "--to", "{to}"],
    "export-dataset": ["export", "{run}", "--format", "dataset", "--to", "{to}"],
    "pack": ["pack", "{run}"],
    "errors-packed": ["errors", "{run}"],
    "report-packed": ["report", "{run}"],
}


def changed(run: Path, status: str, text: str = "") -> None:
    path = run / "responses.jsonl"
    lines = [msgspec.json.decode(line, type=dict[str, object]) for line in path.read_bytes().splitlines()]
    rows = [line | {"status": status, "text": text} for line in lines]
    path.write_bytes(msgspec.json.Encoder().encode_lines(rows))
    shutil.rmtree(run / "scores", ignore_errors=True)
    (run / "summary.json").unlink(missing_ok=True)


def without(run: Path) -> None:
    changed(run, "answered")
    (run / "responses.jsonl").write_bytes(b"")


KINDS: dict[str, Callable[[Path], None]] = {
    "no wrong answer": lambda run: None,
    "empty replies": lambda run: changed(run, "answered"),
    "failed": lambda run: changed(run, "failed"),
    "skipped": lambda run: changed(run, "skipped"),
    "no reply": without,
}


@pytest.fixture(scope="module", params=["cmdar/main", "xmodbench/linguistic"])
def reference(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "reference"
    triptych.run(str(request.param), "baseline/reference", limit=1, out=path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_command_ends_without_a_traceback(
    kind: str, reference: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    shutil.copytree(reference, run)
    KINDS[kind](run)
    facet = "category" if "cmdar" in (run / "manifest.json").read_text(encoding="utf-8") else "family"
    for name, words in COMMANDS.items():
        given = [word.format(run=run, other=reference, to=tmp_path / name, facet=facet) for word in words]
        with pytest.raises(SystemExit) as ended:  # anything else is a traceback
            main(given)
        assert ended.value.code in (0, 1, 2), name
    capsys.readouterr()


def test_errors_of_a_run_without_wrong_answers(reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["errors", str(reference)])
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert "baseline/reference: no error was found in" in out
    assert "Kinds of error" not in out
