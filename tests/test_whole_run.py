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
from triptych import api
from triptych.benchmarks import known_benchmarks
from triptych.errors import DataError
from triptych.experiment import plan as planned
from triptych.experiment.planning import plan
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


def test_limit_counts_whole_instances_of_each_task(tmp_path: Path) -> None:
    ready = api.plan("xmodbench", "baseline/random", limit=3)
    per_task: dict[str, set[str]] = {}
    for item in ready.items():
        per_task.setdefault(item.task, set()).add(item.instance_id)
    assert {len(v) for v in per_task.values()} == {3}
    directions = {t: v for t, v in per_task.items() if "linguistic/recognition" in t and "audiovision" not in t}
    assert len({frozenset(v) for v in directions.values()}) == 1, "the six directions keep the same Instances"


def test_blind_needs_no_media_and_seeing_does(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    mini = known_benchmarks()["cmdar"].mini
    for path in mini.glob("*.json"):
        (data / path.name).write_bytes(path.read_bytes())
    with MockProcess(answer="letter") as mock:
        asked = {"data": data, "base_url": mock.base_url, "limit": 2}
        blind = triptych.run("cmdar/main", "openai/mock", conditions=["blind"], out=tmp_path / "blind", **asked)
        assert blind.outcome.counts == {"answered": 2}
        with pytest.raises(DataError, match="media are missing"):
            triptych.run("cmdar/main", "openai/mock", out=tmp_path / "seeing", **asked)
    assert not (tmp_path / "seeing").exists()


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


def test_what_is_odd_about_replayed_results_is_told_and_noted(tmp_path: Path) -> None:
    rows = json.loads((known_benchmarks()["cmdar"].mini / "MDAR-main.json").read_bytes())
    for row in rows[1:]:
        row["model_output"] = row["answer"]
    results = tmp_path / "results.json"
    results.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    out = tmp_path / "run"
    shown = command("run", "cmdar/main", "--model", "replay/x", "-M", f"path={results}", "--out", str(out))
    assert "problems with the replayed results" in shown.stderr and "problems with the data" not in shown.stderr
    assert "model_output" in shown.stderr
    assert "model_output" in RunFolder.open(out).manifest.note


def test_replies_to_other_questions_are_not_scored_against_the_mini_sets_keys(tmp_path: Path) -> None:
    results = tmp_path / "main.json"
    results.write_text(json.dumps([{"id": f"{n:04d}", "model_output": "学校"} for n in range(30)]), encoding="utf-8")
    asked = ["run", "cmdar/main", "--model", "replay/x", "-M", f"path={results}", "--out", str(tmp_path / "run")]
    shown = command(*asked)
    assert shown.returncode == 2 and "do not belong to the built-in mini set" in shown.stderr
    shown = command(*asked, "--data", "mini")
    assert "6 predictions belong to no known question" in shown.stderr
    assert RunFolder.open(tmp_path / "run").manifest.planned == 24


def test_results_that_tell_their_questions_lack_nothing_of_the_mini_set(tmp_path: Path) -> None:
    rows = json.loads((known_benchmarks()["cmdar"].mini / "MDAR-main.json").read_bytes())
    released = [
        row | {"id": f"{900 + n}", "question": f"{row['question']} {n}", "model_output": row["answer"]}
        for n, row in enumerate(rows[:10])
    ]
    for name, results in (("own", released), ("mini", [row | {"model_output": row["answer"]} for row in rows[:10]])):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(results, ensure_ascii=False), encoding="utf-8")
        shown = command("run", "cmdar/main", "--model", "replay/x", "-M", f"path={path}", "--out", str(tmp_path / name))
        manifest = RunFolder.open(tmp_path / name).manifest
        if name == "own":
            assert shown.returncode == 0 and "mini set" not in shown.stderr
            assert "reference answers come from the results" in shown.stderr
            assert (manifest.planned, manifest.data) == (10, "as in results")
        else:
            assert (manifest.planned, manifest.data) == (24, "mini"), "of the mini set, 14 are missing"
        assert shown.stdout.count(manifest.data_sha256) == 1
    runs = [RunFolder.open(tmp_path / name).manifest for name in ("own", "mini")]
    assert len({run.data_sha256 for run in runs}) == 2


def test_a_selection_of_nothing_is_refused_in_a_dry_run_too(tmp_path: Path) -> None:
    for more in ((), ("--dry-run",)):
        asked = ("run", "xmodbench", "--model", "baseline/random", "--filter", "direction=text_audio,audio_text", *more)
        shown = command(*asked, "--out", str(tmp_path / "run"))
        assert shown.returncode == 2 and "nothing is selected" in shown.stderr and "repeat --filter" in shown.stderr


def test_rows_that_cannot_become_items_are_told_and_noted(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    rows = json.loads((known_benchmarks()["cmdar"].mini / "MDAR-main.json").read_bytes())
    del rows[1]["question"]
    (data / "MDAR-main.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    out = tmp_path / "run"
    asked = ["run", "cmdar/main", "--data", str(data), "--model", "baseline/random", "--out", str(out)]
    shown = command(*asked)
    assert shown.returncode == 0, shown.stderr
    assert "1 problem with the data" in shown.stderr
    assert "MDAR-main.json" in shown.stderr
    manifest = RunFolder.open(out).manifest
    assert "MDAR-main.json" in manifest.note
    assert manifest.planned == len(rows) - 1


@pytest.mark.parametrize("few", [5, 4096])
def test_questions_that_are_too_many_to_keep_are_read_again(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planned, "MAX_ITEMS_IN_MEMORY", few)
    ready = plan("cmdar/main", "baseline/random", seed=0)
    first, again = list(ready.items()), list(ready.items())
    assert first == again and len(first) == ready.count() == 24
    assert (first[0] is again[0]) == (few > 24)


def test_a_list_of_items_is_read_as_editors_write_it_and_ids_that_fit_nothing_are_told(tmp_path: Path) -> None:
    listed = tmp_path / "items.txt"
    listed.write_bytes("\ufeffcmdar/main/0001\r\n\r\nnope\r\n".encode())
    ready = api.plan("cmdar", "baseline/random", items_file=listed)
    assert ready.count() == 1
    assert list(ready.problems) == ["--items names Items that are not asked: 1 of 2 ids, such as 'nope'"]
    listed.write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="can't be read"):
        api.plan("cmdar", "baseline/random", items_file=listed)
