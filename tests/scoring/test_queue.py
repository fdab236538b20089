"""The queue of ambiguous replies: what goes out, what people write comes in, and nothing else does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import triptych
from tests.cli.test_main import exit_code
from triptych.errors import DataError
from triptych.scoring.queue import read_queue
from triptych.scoring.runs import up_to_date

ROW = {"Task_ID": 36, "Image": "a.jpg", "Question_Simplified": "属于？A、铜器 B、瓷器", "Answer_Simplified": "B"}


def results(folder: Path, *replies: str) -> Path:
    path = folder / "results.json"
    path.write_text(json.dumps([{**ROW, "ID": n, "Response": r} for n, r in enumerate(replies)]), encoding="utf-8")
    return path


def figure(scores: Any) -> Any:
    return next(a for a in scores["paper"] if (a.task, a.metric) == ("mcs_bench/T36", "acc"))


def choose(path: Path, **choices: Any) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["choice"] = choices.get(line["item"].rpartition("/")[2], line.get("choice"))
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


def test_out_and_in(tmp_path: Path) -> None:
    path, queue = results(tmp_path, "B", "A或B", "AB", "B或A"), tmp_path / "queue.jsonl"
    first = triptych.score("mcs_bench", predictions=[path], queue=queue)
    assert figure(first).counts == {"scored": 1, "unparsed": 3}
    assert any("3 ambiguous replies wait" in note for note in first.notes)  # type: ignore[attr-defined]
    asked = read_queue(queue)
    assert (asked[0].reply, asked[0].labels, asked[0].named, asked[0].choice) == ("A或B", ("A", "B"), ("A", "B"), None)
    choose(queue, **{"1": "B", "2": ""})
    second = triptych.score("mcs_bench", predictions=[path], queue=queue)
    assert (figure(second).counts, figure(second).value) == ({"scored": 3, "unparsed": 1}, 50.0)
    assert "|decided:" in figure(second).signature
    assert "|decided:" not in figure(first).signature
    assert [(q.reply, q.choice) for q in read_queue(queue)] == [("A或B", "B"), ("AB", ""), ("B或A", None)]
    assert figure(triptych.score("mcs_bench", predictions=[path])).counts == {"scored": 1, "unparsed": 3}


def test_a_decision_about_another_reply_is_void(tmp_path: Path) -> None:
    queue = tmp_path / "queue.jsonl"
    triptych.score("mcs_bench", predictions=[results(tmp_path, "A或B")], queue=queue)
    choose(queue, **{"0": "B"})
    again = triptych.score("mcs_bench", predictions=[results(tmp_path, "AB?")], queue=queue)
    assert figure(again).counts == {"unparsed": 1}
    assert [(q.reply, q.choice) for q in read_queue(queue)] == [("AB?", None)]


@pytest.mark.parametrize(
    "line",
    ["{}", "nonsense", '{"item":"i","repeat":0,"question":"","reply":"","labels":["A"],"named":[],"choice":"Z"}'],
)
def test_what_cant_be_read_is_told_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "q.jsonl").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"q\.jsonl:2"):
        read_queue(tmp_path / "q.jsonl")


def test_a_folder_is_no_queue(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="queue can't be read"):
        read_queue(tmp_path)


def test_a_run_keeps_its_own_queue(tmp_path: Path) -> None:
    path = results(tmp_path, "A或B")
    run = triptych.run("mcs_bench/T36", "replay/x", settings={"path": str(path)}, out=tmp_path / "run")
    assert figure(run.scores).counts["unparsed"] == 1  # the mini set's own questions of this Task have no reply
    own = run.folder.path / "ambiguous.jsonl"
    triptych.score(run.folder.path, queue=own)
    choose(own, **{"0": "B"})
    assert figure(up_to_date(run.folder)).counts["scored"] == 1  # whoever reads the scores, without being told
    assert not [found for found in triptych.audit_run([run.folder.path]) if found.kind == "score"]


def test_by_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, queue = results(tmp_path, "A或B"), tmp_path / "queue.jsonl"
    assert exit_code("score", "mcs_bench", "--predictions", str(path), "--queue", str(queue), "--json") == 0
    document = json.loads(capsys.readouterr().out)
    row = next(r for r in document["scores"] if r["protocol"] == "paper" and r["metric"] == "score" and not r["slice"])
    assert row["parts"] == [1, 45]
    assert len(read_queue(queue)) == 1
