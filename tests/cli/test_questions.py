"""`triptych run FILE`: a file of questions through the rooms, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from triptych.cli.main import main
from triptych.errors import RunFolderError

CSV = """id,question,A,B,C,answer,category,group
1,Which animal barks?,cat,dog,bird,B,animals,x
2,Which one has strings?,drum,flute,violin,C,music,y
3,Which animal says woof?,<b>bird</b>,dog,fish,B,animals,x
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sounds.csv").write_text(CSV)
    return tmp_path


def ended(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    return int(end.value.code or 0)


def values(capsys: pytest.CaptureFixture[str]) -> dict[str, float]:
    scores = json.loads(capsys.readouterr().out)["scores"]
    return {score["task"]: score["value"] for score in scores if not score["slice"]}


def test_a_run_says_what_it_recognised_and_scores(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("run", "sounds.csv", "--model", "baseline/reference", "--instance", "group") == 0
    told = capsys.readouterr().err
    assert "answer_is   letter" in told and "A. <b>bird</b>" in told and "--- reference: C" in told
    assert ended("run", "sounds.csv", "--model", "baseline/constant", "--json", "--condition", "blind") == 0
    assert values(capsys) == {"own-sounds/choice": 0.0}
    for command in (("report",), ("compare",)):
        runs = sorted(map(str, (here / "runs" / "own-sounds").iterdir()))
        assert ended(*command, *runs) == 0
    assert ended("check", "sounds.csv") == 0
    assert ended("audit", "data", "sounds.csv") == 0


def test_the_preview_has_the_prompt_and_the_conditions_that_are_asked(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine.toml").write_text('[mine]\ncontent = ["{options}", "PICK ONE: {question}"]\n')
    shown = set()
    for seed in range(4):
        how = ("--prompt", "mine.toml", "--condition", f"shuffle:seed={seed}", "--dry-run")
        assert ended("run", "sounds.csv", "--model", "baseline/reference", *how) == 0
        told = capsys.readouterr()
        preview = told.err[told.err.index("--- own-sounds/1") : told.err.index("--- own-sounds/2")].split("\n")[1:5]
        sent = told.out.partition("the first Request:")[2].split("\n")[2:6]
        assert [line.strip() for line in preview] == [line.strip() for line in sent]
        assert preview[3].strip() == "PICK ONE: Which animal barks?"
        shown.add(tuple(preview))
    assert len(shown) > 1, "the order of the options is the Condition's"


def test_check_and_audit_read_the_mapping(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "two.csv").write_text("question,A,B,answer,gold\nWhich?,x,y,A,B\nWho?,x,y,B,B\n")
    for command in (("check",), ("audit", "data")):
        assert ended(*command, "two.csv") == 2
        assert "--map answer=gold" in capsys.readouterr().err
        assert ended(*command, "two.csv", "--map", "answer=gold") == 0, command
    assert ended("check", "mcga", "--map", "answer=gold") == 2
    assert "for files of questions" in capsys.readouterr().err


def test_a_folder_named_without_its_path_is_shown_with_it(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "pets").mkdir()
    assert ended("run", "pets", "--map", "ask=Which?", "--model", "baseline/reference") == 2
    assert "a folder of questions: ./pets" in capsys.readouterr().err
    assert ended("check", "mcga", "--map", "answer=gold") == 2
    assert "give the path of a file, or of a folder (./NAME)" in capsys.readouterr().err


def test_scores_by_hand(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"question": "How many?", "answer": 12},
        {"question": "And now?", "answer": "3"},
        {"question": "Which?", "options": ["x", "y", "z"], "answer": "A"},
    ]
    (here / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    replies = [(1, "There are twelve."), (2, "4"), (3, "A")]
    (here / "r.csv").write_text("id,reply\n" + "".join(f"{n},{text}\n" for n, text in replies))
    assert ended("score", "q.jsonl", "--predictions", "r.csv", "--json") == 0
    assert values(capsys) == {"own-q/number": 50.0, "own-q/choice": 100.0}


def test_a_folder_that_names_a_file_elsewhere_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "bad").mkdir()
    (here / "bad" / "benchmark.toml").write_text('questions = "../sounds.csv"\n')
    assert ended("check", "./bad") == 2
    assert "does not name a file inside the folder" in capsys.readouterr().err


def test_nothing_is_asked_of_a_file_with_faults(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "sounds.csv").write_text(CSV + "4,Which?,a,b,c,Z,animals,x\n5,too,short\n")
    assert ended("run", "sounds.csv", "--model", "baseline/first") == 2
    told = capsys.readouterr().err
    assert "row 4, column answer: 'Z'" in told and "row 5: it has 3 cells" in told and not (here / "runs").exists()


def test_every_kind_of_answer_is_asked_scored_compared_and_reported(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": n, "question": f"How natural is {n}?", "mos": mos, "g": "x"} for n, mos in ((1, 4), (2, 2))]
    (here / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name in ("one", "two"):
        asked = ("run", "r.jsonl", "--map", "scale=1-5", "--instance", "g", "--model", "baseline/reference")
        assert ended(*asked, "--name", name, "--json") == 0
    runs = sorted(map(str, (here / "runs/own-r").iterdir()))
    capsys.readouterr()
    for command in (("report",), ("compare",), ("analyse",)):
        assert ended(*command, *runs) == 0, command
    assert "MAE" in capsys.readouterr().out


def test_a_bad_name_of_the_hub_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("run", "hf/../x", "--model", "baseline/first") == 2
    assert "hf/ORG/NAME" in capsys.readouterr().err


def test_a_renamed_question_file_is_another_benchmark_and_the_error_says_so(tmp_path: Path) -> None:
    questions = tmp_path / "q.csv"
    questions.write_text("id,question,A,B,answer\n1,What is heard?,rain,wind,A\n", encoding="utf-8")
    triptych.run(str(questions), "baseline/first", out=tmp_path / "run")
    moved = tmp_path / "elsewhere" / "q.csv"
    moved.parent.mkdir()
    questions.rename(moved)
    triptych.run(str(moved), "baseline/first", out=tmp_path / "run")  # done already: the folder doesn't matter
    renamed = moved.rename(tmp_path / "renamed.csv")
    with pytest.raises(RunFolderError, match="the questions are the same under another name: rename their file back"):
        triptych.run(str(renamed), "baseline/first", out=tmp_path / "run")
