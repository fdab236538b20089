"""Runs go out and come back the same; logs that other harnesses wrote come in with every sample."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interchange.logs_for_tests import LOGS, ROW, figures, written_lines
from triptych.errors import DataError, SpecError
from triptych.interchange.exports import export_run, import_log
from triptych.scoring.runs import score_run
from triptych.store.folder import RunFolder


@pytest.mark.parametrize("format_", ["inspect", "lmms"])
def test_a_run_that_goes_out_comes_back_with_the_same_figures(format_: str, run: RunFolder, tmp_path: Path) -> None:
    written = export_run(run, format_, tmp_path)
    logs = [path for path in written if path.suffix in (".eval", ".jsonl")]
    if format_ == "inspect":
        back = import_log(logs[0], tmp_path / "back")
        assert list(back.items()) == list(run.items())
        assert list(back.responses()) == list(run.responses())
        assert figures(back) == figures(run)
    else:  # a file holds one Task
        parts = [import_log(path, tmp_path / f"back{n}") for n, path in enumerate(logs)]
        assert sorted(i.id for part in parts for i in part.items()) == sorted(i.id for i in run.items())
        one, task = parts[0], next(iter(parts[0].items())).task
        assert [f for f in figures(one) if f[1] == task] == [f for f in figures(run) if f[1] == task]


def test_an_lmms_eval_log_comes_in(tmp_path: Path) -> None:
    folder = import_log(LOGS / "20261121_202302_samples_speed.jsonl", tmp_path / "run")
    stored = json.loads((LOGS / "20261121_202302_results.json").read_text())["results"]["speed"]["exact_match,none"]
    scores = score_run(folder)
    (total,) = [a for a in scores["official"] if a.task == "imported"]
    assert total.value == pytest.approx(100 * stored) and total.n == 8
    assert folder.manifest.model == "replay/mock" and len(list(folder.items())) == 8


def test_lm_evaluation_harness_lines_come_in(tmp_path: Path) -> None:
    row = {
        "doc_id": 3,
        "doc": {"q": "?"},
        "target": " Paris",
        "arguments": {"gen_args_0": {"arg_0": "Capital?"}},
        "resps": [["Paris."]],
        "filtered_resps": ["Paris."],
        "exact_match": 0.0,
        "doc_hash": "x",
    }
    path = tmp_path / "samples_capitals_2026.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps(row | {"doc_id": 4, "filtered_resps": [], "resps": []}) + "\n")
    folder = import_log(path, tmp_path / "run")
    first, second = folder.responses()
    assert (first.text, first.status, second.status) == ("Paris.", "answered", "failed")
    assert next(iter(folder.items())).parts[0].text == "Capital?"
    (total,) = [a for a in score_run(folder)["standard"] if a.task == "imported"]
    assert (total.value_answered, total.value_all, total.counts) == (100.0, 50.0, {"scored": 1, "failed": 1})


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    for name, content in (("a.eval", b"PK\x03\x04"), ("b.json", b"[1]"), ("c.jsonl", b"{"), ("d.txt", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError):
            import_log(tmp_path / name, tmp_path / "run")
        assert not (tmp_path / "run").exists()
    with pytest.raises(DataError, match="doesn't exist"):
        import_log(tmp_path / "none.eval", tmp_path / "run")


def test_a_line_without_an_end_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.interchange.harness_logs.MAX_DOCUMENT", 1000)
    monkeypatch.setattr("triptych.store.files.limits.MAX_DOCUMENT", 1000)
    with pytest.raises(DataError, match="a line is too large"):
        import_log(written_lines(tmp_path / "1_samples_t.jsonl", ROW | {"input": "x" * 2000}), tmp_path / "run")


def test_all_files_of_an_evaluation_come_in_as_one_run(run: RunFolder, tmp_path: Path) -> None:
    written = export_run(run, "lmms", tmp_path)
    back = import_log(written[0].parent, tmp_path / "back")
    assert sorted(i.id for i in back.items()) == sorted(i.id for i in run.items())
    assert figures(back) == figures(run)
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    for task in ("one", "two"):
        written_lines(foreign / f"9_samples_{task}.jsonl", ROW)
    slices = [
        a.slice for a in score_run(import_log(foreign, tmp_path / "both"))["official"] if a.task == "imported/log"
    ]
    assert slices == [{"log_task": "one"}, {"log_task": "two"}]
    (log,) = export_run(run, "inspect", tmp_path / "logs")
    for place, inside in ((tmp_path, written[0].parent), (tmp_path / "logs", log)):
        with pytest.raises(DataError) as refused:
            import_log(place, tmp_path / "none")
        assert str(inside) in str(refused.value), "what can be read there is named"
    written_lines(foreign / "8_samples_one.jsonl", ROW)
    with pytest.raises(DataError, match="one evaluation"):
        import_log(foreign, tmp_path / "none")


def test_an_unknown_format_is_refused(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="inspct"):
        export_run(run, "inspct", tmp_path)
