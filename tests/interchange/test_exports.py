"""Tests of `interchange/exports.py`: the formats for export and import."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interchange import harness_folders as make
from tests.interchange.test_audit_logs import MAKERS
from triptych.errors import DataError
from triptych.interchange.exports import import_log
from triptych.scoring.runs import score_run


@pytest.mark.parametrize("name", MAKERS)
def test_a_log_becomes_a_run_with_every_reply_target_and_score(name: str, tmp_path: Path) -> None:
    folder = import_log(MAKERS[name](tmp_path / "log"), tmp_path / "run")
    items, responses = list(folder.items()), list(folder.responses())
    assert len(items) == len(responses) == 20 and {r.status for r in responses} == {"answered"}
    assert folder.manifest.model_settings["harness"] == name.split()[0]
    by_id = {response.item: response for response in responses}
    for item in items:
        number = int(item.id.rpartition("/")[2].removeprefix("id"))
        assert f"q{number}" in item.parts[0].text and item.targets == (make.key(number),)
        assert make.right_until(15)(number) in by_id[item.id].text
    official = score_run(folder)["official"]
    assert [figure.value for figure in official if figure.task == "imported"] == [75.0]
    standard = [figure.value for figure in score_run(folder)["standard"] if figure.task == "imported"]
    assert standard == [75.0], "the replies say the same"


@pytest.mark.parametrize("content", ["[]", "[1]", '{"a": 1}', "not json", '[{"index": 1}]'])
def test_a_json_file_that_is_no_log_is_refused_by_import(content: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError):
        import_log(path, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_question_in_a_table_is_text_and_nothing_else(tmp_path: Path) -> None:
    """A row whose cells look like formulas or markup stays what it is."""
    path = tmp_path / "m_Toy.json"
    row = {"index": 1, "question": "=HYPERLINK(1)", "answer": "A", "A": "<b>", "B": "y", "prediction": "A", "hit": 1}
    path.write_text(json.dumps([row]), encoding="utf-8")
    (item,) = import_log(path, tmp_path / "run").items()
    assert item.parts[0].text == "=HYPERLINK(1)" and item.option_words()[0] == "<b>"
