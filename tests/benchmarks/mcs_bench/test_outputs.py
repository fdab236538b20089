"""Results in the released format: a row needs its reply and what that is held against, and no more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.mcs_bench.rows_for_tests import CHOICE, OCR, write
from tests.benchmarks.mcs_bench.test_reader import MCS
from triptych.api import score
from triptych.benchmarks import load_benchmark

BENCH = load_benchmark("mcs_bench")


def figures(found: Any) -> dict[Any, Any]:
    return {(p, a.task, a.metric): a.value for p, own in found.items() for a in own if not a.slice}


@pytest.mark.parametrize(("row", "reply"), [(OCR, "学而时习"), (CHOICE, "B")])
def test_neither_picture_nor_question_is_needed(tmp_path: Path, row: dict[str, Any], reply: str) -> None:
    bare = {name: row[name] for name in ("ID", "Task_ID", "Answer_Simplified")} | {"Response": reply}
    whole = figures(score("mcs_bench", predictions=[write(tmp_path, row | {"Response": reply}, name="whole.json")]))
    assert figures(score("mcs_bench", predictions=[write(tmp_path, bare, name="bare.json")])) == whole


def test_what_a_row_lacks_is_taken_from_the_data(tmp_path: Path) -> None:
    known = {item.id: item for item in BENCH.items(write(tmp_path, OCR).parent)}
    bare = {"ID": 1, "Task_ID": 1, "Answer_Simplified": "别的", "Response": "学"}
    path = write(tmp_path, bare, name="out.json")
    assert BENCH.outputs([path], known).items == {}
    assert list(BENCH.outputs([path]).items) == list(known)


def test_a_file_in_a_folder_that_holds_no_rows_is_told(tmp_path: Path) -> None:
    write(tmp_path, OCR | {"Response": "学"}, name="out.json")
    (tmp_path / "settings.json").write_text('{"temperature": 0.8}', encoding="utf-8")
    found = BENCH.outputs([tmp_path])
    assert len(found.responses) == 1 and any("settings.json" in n and "left out" in n for n in found.notes)


def test_written_results_are_read_back(tmp_path: Path) -> None:
    from triptych.benchmarks.mcs_bench.outputs import write_outputs

    path = write(tmp_path, {**OCR, "Response": "学"}, {**CHOICE, "Response": None})
    outputs = MCS.outputs([path])
    again = MCS.outputs(write_outputs(outputs.items.values(), outputs.responses.values(), tmp_path / "to"))
    assert {k: (r.status, r.text) for k, r in again.responses.items()} == {
        k: (r.status, r.text) for k, r in outputs.responses.items()
    }
