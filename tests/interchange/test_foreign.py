"""Logs of other harnesses become Runs, whatever is in them; nothing is half written."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.interchange.logs_for_tests import ROW, written_lines
from triptych.errors import DataError
from triptych.interchange.exports import export_run, import_log
from triptych.interchange.foreign import ForeignLog, ForeignSample, write_run
from triptych.records import Usage
from triptych.scoring.runs import score_run
from triptych.store.folder import RunFolder

DEEP = "[" * 200_000


HOSTILE = {
    "no object": "[1, 2]",
    "too deep": '{"doc_id": 1, "x": ' + DEEP,
    "half a character as an id": '{"doc_id": "\\ud800", "input": "?", "resps": ["A"]}',
    "not our item": json.dumps(ROW | {"triptych": {"item": {"id": 1}}}),
    "no records": json.dumps(ROW | {"triptych": [1]}),
    "twice the same": json.dumps(ROW) + "\n" + json.dumps(ROW),
    "an endless number": '{"doc_id": 1, "input": "?", "resps": ["A"], "acc": 1' + "0" * 400 + "}",
    "odd counts": json.dumps(ROW | {"token_counts": [{"input_tokens": {"a": 1}}], "arguments": 3, "input": None}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_samples_are_refused_or_read_and_leave_nothing_half_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / "1_samples_t.jsonl"
    path.write_text(HOSTILE[name], encoding="utf-8")
    if name in ("not our item", "no records"):  # so that our records are looked for
        manifest = {"triptych": {"manifest": {"benchmark": "xmodbench"}}}
        (tmp_path / "1_results.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(DataError):
        score_run(import_log(path, tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_log_says_nothing_of_this_computers_files(run: RunFolder, tmp_path: Path) -> None:
    """A stranger's manifest could name any folder here as the one that media are shown from."""
    (path,) = export_run(run, "inspect", tmp_path)
    evil = tmp_path / "evil.eval"
    with zipfile.ZipFile(path) as log, zipfile.ZipFile(evil, "w") as other:
        for name in log.namelist():
            other.writestr(name, log.read(name).replace(b'"data":"mini"', b'"data":"/"'))
    assert import_log(path, tmp_path / "good").manifest.data == "mini"
    assert import_log(evil, tmp_path / "bad").manifest.data == "evil.eval"


def test_half_characters_and_marks_in_objects_are_read(tmp_path: Path) -> None:
    rows = [ROW | {"filtered_resps": "A\ud83d", "acc": {"id": 7, "score": 1}}, ROW | {"doc_id": 2, "acc": float("nan")}]
    folder = import_log(written_lines(tmp_path / "1_samples_t.jsonl", *rows), tmp_path / "run")
    assert [r.text for r in folder.responses()] == ["A?", "A"]
    (total,) = [a for a in score_run(folder)["official"] if a.task == "imported"]
    assert (total.value_answered, total.counts) == (100.0, {"scored": 1, "unavailable": 1})


def log_of(*samples: ForeignSample, **more: Any) -> ForeignLog:
    return ForeignLog("lab-harness", "quiz", "m-1", Path("log.json"), list(samples), **more)


def test_options_by_number_or_letter_become_letters(tmp_path: Path) -> None:
    numbered = ForeignSample("1", "?", ("B",), ("rain", "wind"), reply="B", scores={"acc": 1.0})
    in_text = ForeignSample("2", "? A) rain B) wind", ("A",), reply="A", scores={"acc": 1.0})
    one, two = write_run(log_of(numbered, in_text), tmp_path / "run").items()
    assert (one.labels, one.option_words(), one.target, one.answer) == (("A", "B"), ("rain", "wind"), "B", "letter")
    assert (two.labels, two.options, two.answer) == (("A", "B", "C", "D"), (), "letter")
    (text,) = write_run(log_of(ForeignSample("3", "?", ("Paris", "Lutetia"))), tmp_path / "text").items()
    assert (text.labels, text.answer, text.target) == ((), "text", ("Paris", "Lutetia"))
    assert text.id == "imported/quiz/3"


def test_tasks_of_one_log_have_letters_each_by_itself(tmp_path: Path) -> None:
    choice = ForeignSample("1", "? A) rain B) wind", ("A",), reply="A", scores={"acc": 1.0}, task="choice")
    open_ = ForeignSample("1", "2 + 16?", ("18",), reply="18", scores={"acc": 1.0}, task="sums")
    one, two = write_run(log_of(choice, open_), tmp_path / "run").items()
    assert (one.answer, one.labels) == ("letter", ("A", "B", "C", "D")) and (two.answer, two.labels) == ("text", ())


def test_the_scorer_of_figures_is_the_first_that_is_a_share(tmp_path: Path) -> None:
    rows = [
        ForeignSample(str(n), "?", ("A",), reply="A", scores={"words": 3.0 - n, "match": n % 2, "judge": 0.5})
        for n in range(4)
    ]
    folder = write_run(log_of(*rows), tmp_path / "run")
    assert {item.facets["scorer"] for item in folder.items()} == {"match"}
    lengths = [ForeignSample("1", "?", ("A",), scores={"length": 120.0, "size": 3.0})]
    (item,) = write_run(log_of(*lengths), tmp_path / "none").items()
    assert item.facets["scorer"] == "length", "without a share the first"


@pytest.mark.parametrize(
    ("samples", "problem"),
    [
        ([], "no samples"),
        ([ForeignSample("1", "?"), ForeignSample("1", "!")], "a sample twice"),
        ([ForeignSample("1", "?", epoch=-1)], "not a valid epoch number"),
        ([ForeignSample("1", "?", epoch=10_000)], "not a valid epoch number"),
        ([ForeignSample("\ud800", "?")], "can't be read"),
    ],
)
def test_what_is_no_log_leaves_no_folder(tmp_path: Path, samples: list[ForeignSample], problem: str) -> None:
    with pytest.raises(DataError, match=problem) as refused:
        write_run(log_of(*samples), tmp_path / "run")
    assert refused.value.where == "log.json" and not (tmp_path / "run").exists()


def test_data_is_only_joined_to_a_benchmark_of_ours(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not of a benchmark whose data could be joined") as refused:
        write_run(log_of(ForeignSample("1", "?")), tmp_path / "run", tmp_path)
    assert refused.value.got == "quiz of lab-harness" and refused.value.fix == "leave out --data"


def test_failures_thoughts_and_epochs_are_kept(tmp_path: Path) -> None:
    rows = [
        ForeignSample("1", "?", reply="好", thinking="想", epoch=0, seconds=1.5, usage=Usage(10, 2), served="m-1-0601"),
        ForeignSample("1", "?", status="failed", error="rate limit", epoch=1),
    ]
    folder = write_run(log_of(*rows), tmp_path / "run")
    one, two = sorted(folder.responses(), key=lambda response: response.repeat)
    assert (one.text, one.thinking, one.seconds, one.usage, one.served_model) == (
        "好",
        "想",
        1.5,
        Usage(10, 2),
        "m-1-0601",
    )
    assert two.error is not None and (two.status, two.error.message, two.repeat) == ("failed", "rate limit", 1)
    assert folder.manifest.repeats == 2 and folder.manifest.model == "replay/m-1"
