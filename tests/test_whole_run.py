"""The main job from end to end, as a user would do it: run, resume, score, report; by API and by command line."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import triptych
from tests.cli.test_main import exit_code
from tests.cli.test_main import triptych as command
from tests.support.mock_process import MockProcess
from triptych.benchmarks import known_benchmarks
from triptych.errors import DataError
from triptych.running.loop import RunOptions
from triptych.scoring.runs import load_summary
from triptych.store.folder import RunFolder

SECRET = "sk-the-secret-that-nobody-may-see"


def figure(scores: Any, task: str, metric: str = "acc", **slice_: str) -> Any:
    found = [a for a in scores if (a.task, a.metric, a.slice) == (task, metric, slice_)]
    assert len(found) == 1, (task, metric, slice_, len(found))
    return found[0]


@pytest.mark.parametrize("benchmark", sorted(known_benchmarks()))
def test_the_reference_scores_full_marks_on_every_mini_set(benchmark: str, tmp_path: Path) -> None:
    result = triptych.run(benchmark, "baseline/reference", out=tmp_path / "run")
    assert not result.outcome.counts.get("failed")
    for protocol, aggregates in result.scores.items():
        for aggregate in aggregates:
            if aggregate.metric == "acc" and aggregate.value is not None:
                assert aggregate.value == pytest.approx(100), (protocol, aggregate)


def test_a_run_folder_alone_is_enough_to_score_again(tmp_path: Path) -> None:
    first = triptych.run("cmdar/main", "baseline/random", seed=3, out=tmp_path / "run")
    again = triptych.score(tmp_path / "run")
    assert dict(again) == dict(first.scores)


def test_the_same_command_asks_nothing_twice_and_another_one_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "run"
    first = triptych.run("cmdar", "baseline/random", seed=1, out=out)
    second = triptych.run("cmdar", "baseline/random", seed=1, out=out)
    assert sum(first.outcome.counts.values()) == second.outcome.already
    assert not sum(second.outcome.counts.values())
    assert dict(first.scores) == dict(second.scores)
    with pytest.raises(DataError, match="seed"):
        triptych.run("cmdar", "baseline/random", seed=2, out=out)


def test_it_works_inside_a_running_event_loop(tmp_path: Path) -> None:
    async def notebook() -> Any:
        return triptych.run("cmdar/main", "baseline/constant", limit=2, out=tmp_path / "run")

    assert asyncio.run(notebook()).outcome.counts == {"answered": 2}


def test_media_are_sent_named_by_hash_and_never_journaled(tmp_path: Path) -> None:
    with MockProcess(answer="letter") as mock:
        result = triptych.run(
            "cmdar/main", "openai/mock", base_url=mock.base_url, limit=3, out=tmp_path / "run", options=RunOptions()
        )
    assert result.outcome.counts == {"answered": 3}
    items = list(result.folder.items())
    assert all(len(p.sha256) == 64 for item in items for p in item.all_parts if p.is_media)
    assert sum(f.stat().st_size for f in (tmp_path / "run").rglob("*") if f.is_file()) < 100_000


def test_no_secret_reaches_the_run_folder_or_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with MockProcess(answer="letter") as mock:
        arguments = [
            "run",
            "cmdar/main",
            "--limit",
            "2",
            "--model-base-url",
            mock.base_url,
            "--out",
            str(tmp_path / "run"),
        ]
        good = command(*arguments, "--model", "openai/mock")
        bad = command(*arguments[:-1], str(tmp_path / "bad"), "--model", "openai/no-such-model-401")
    written = b"".join(f.read_bytes() for f in tmp_path.rglob("*") if f.is_file())
    assert SECRET not in good.stdout + good.stderr + bad.stdout + bad.stderr
    assert SECRET.encode() not in written
    assert "Traceback" not in good.stderr + bad.stderr


def test_score_json_is_one_document_on_standard_output(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert command("run", "cmdar/main", "--model", "baseline/constant", "--out", str(out)).returncode == 0
    shown = command("score", str(out), "--json", "--protocol", "official")
    assert shown.returncode == 0, shown.stderr
    document = json.loads(shown.stdout)
    assert document["benchmark"] == "cmdar"
    row = next(r for r in document["scores"] if r["task"] == "cmdar/main" and r["metric"] == "acc" and not r["slice"])
    assert set(row) >= {"protocol", "task", "metric", "slice", "value", "n", "counts", "interval", "signature"}
    assert row["protocol"] == "official"
    assert row["n"] == sum(row["counts"].values()) == 24


def test_report_writes_csv_and_markdown_with_published_rows(tmp_path: Path) -> None:
    out = tmp_path / "run"
    triptych.run("cmdar", "baseline/random", seed=0, out=out)
    shown = command("report", str(out), "--to", str(tmp_path / "report"), "--format", "csv,md", "--with-published")
    assert shown.returncode == 0, shown.stderr
    written = {p.suffix for p in (tmp_path / "report").rglob("*") if p.is_file()}
    assert written >= {".csv", ".md"}
    text = "\n".join(p.read_text(encoding="utf-8") for p in (tmp_path / "report").rglob("*.md"))
    assert "Qwen2.5-Omni" in text
    assert "coverage" in text.lower()


def test_runs_of_different_benchmarks_are_not_put_in_one_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for benchmark in ("cmdar/main", "xmodbench/temporal"):
        triptych.run(benchmark, "baseline/random", limit=1, out=tmp_path / benchmark.partition("/")[0])
    assert exit_code("report", str(tmp_path / "cmdar"), str(tmp_path / "xmodbench"), "--details") == 0
    shown = capsys.readouterr().out
    first, second = shown.index("CMDAR-main: accuracy by category"), shown.index("Evaluation cost by family (Table 11)")
    assert first < shown.index("bench:cmdar@") < second < shown.index("bench:xmodbench@")
    assert "bench:cmdar@" not in shown[second:]


def test_what_is_unavailable_is_told_once_with_what_would_help(tmp_path: Path) -> None:
    folder = triptych.run("mcga", "baseline/reference", limit=1, out=tmp_path / "run").folder
    (told,) = [note for note in load_summary(folder).notes if note.startswith("unavailable")]
    protocols = "(official, paper, standard)"
    assert told == (
        f"unavailable: llm_bf, llm_bm, llm_bs for 2 Units {protocols}; sec_p, sec_g, sec_s for 1 Unit {protocols}: "
        "requires a judge (--judge MODEL)"
    )


def test_a_run_folder_holds_what_the_contract_says(tmp_path: Path) -> None:
    triptych.run("cmdar", "baseline/random", seed=0, out=tmp_path / "run")
    names = {p.relative_to(tmp_path / "run").as_posix() for p in (tmp_path / "run").rglob("*") if p.is_file()}
    assert names >= {"manifest.json", "items.jsonl", "responses.jsonl", "summary.json", "scores/official.jsonl"}
    assert any(n.startswith("tables/") and n.endswith(".csv") for n in names)
    assert RunFolder.open(tmp_path / "run").manifest.planned == 40
