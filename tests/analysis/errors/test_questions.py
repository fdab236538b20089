"""Error rates by reference answer and by question, on Runs whose replies are written by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych import api
from triptych.analysis.errors.questions import answer_of
from triptych.api.errors import analyse_errors
from triptych.cli.main import main
from triptych.errors import SpecError
from triptych.records import Item, text
from triptych.store.folder import RunFolder


def ask(tmp_path: Path, name: str, *wrong: str) -> Path:
    """Ask MCS-Bench's mini set with replies that are right except about questions in `wrong`."""
    bench = api.load_benchmark("mcs_bench")
    rows = json.loads((bench.mini / "MCS-Bench.json").read_text(encoding="utf-8"))
    chosen = [row for row in rows if row["Task_ID"] in (13, 31, 28)]
    replies = [
        {**row, "Response": "无" if f"T{row['Task_ID']}/{row['ID']}" in wrong else row["Answer_Simplified"]}
        for row in chosen
    ]
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(replies, ensure_ascii=False), encoding="utf-8")
    out = tmp_path / name
    api.run("mcs_bench", f"replay/{name}", settings={"path": str(path)}, out=out, data=bench.mini)
    return out


def questions(task: int) -> list[str]:
    rows = json.loads((api.load_benchmark("mcs_bench").mini / "MCS-Bench.json").read_text(encoding="utf-8"))
    return [f"T{task}/{row['ID']}" for row in rows if row["Task_ID"] == task]


def test_rates_are_means_over_runs_and_the_unknown_come_first(tmp_path: Path) -> None:
    seal, *_ = questions(31)
    script, other, *_ = questions(13)
    runs = [ask(tmp_path, "a", seal, script), ask(tmp_path, "b", seal)]
    found = analyse_errors(runs, by="item").estimates
    rates = {one.slice["item"].partition("/")[2]: one for one in found if one.measure == "error_rate"}
    assert [rates[name].value for name in (seal, script, other)] == [100.0, 50.0, 0.0]
    assert rates[seal].counts == {"runs": 2, "runs_right": 0} and found[0].slice["item"].endswith(seal)
    section = analyse_errors(runs, by="answer", tasks=["T31"])
    assert {one.task for one in section.estimates} == {"mcs_bench/T31"}
    assert section.sentences[0].startswith(f"1 of {len(section.estimates)} reference answers: none of 2 Runs")


def test_answers_are_words_and_graded_tasks_have_mean_values(tmp_path: Path) -> None:
    bone, *_ = questions(28)
    run = ask(tmp_path, "a", bone)
    section = analyse_errors([run], by="answer")
    words = {answer_of(item) for item in RunFolder.open(run).items() if item.task.endswith("/T13")}
    named = {one.slice["answer"] for one in section.estimates if one.task.endswith("/T13")}
    assert named == words and not named & set("ABCDE"), "options' texts, not letters"
    bones = [one for one in section.estimates if one.task.endswith("/T28")]
    assert {one.measure for one in bones} == {"mean_score"} and min(one.value or 0 for one in bones) == 0.0
    assert bones[0].counts["runs_right"] == 0
    assert {listing.id for listing in section.listings} == {
        "error_kinds.answer.error_rate",
        "error_kinds.answer.mean_score",
    }


def test_the_command_and_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seal, *_ = questions(31)
    run = ask(tmp_path, "a", seal)
    with pytest.raises(SystemExit) as ended:
        main(["errors", str(run), "--by", "answer", "--task", "T31"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert "nobody" in shown and "By reference answer" in shown
    with pytest.raises(SpecError, match="no task"):
        analyse_errors([run], by="answer", tasks=["T99"])
    with pytest.raises(SystemExit):
        main(["report", str(run), "--format", "html", "--to", str(tmp_path / "report")])
    assert "Errors by reference answer" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")


def test_the_words_of_several_targets() -> None:
    one = Item(
        "i",
        "t",
        (text("?", "question"),),
        options=((text("春"),), (text("秋"),)),
        labels=("A", "B"),
        target=("A", "B"),
        answer="options",
    )
    assert answer_of(one) == "春；秋"
