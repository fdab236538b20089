"""Results in the authors' format: small hand-made files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.xmodbench.conftest import row, write_results, write_rows
from triptych.benchmarks import Benchmark
from triptych.benchmarks.protocol import Outputs
from triptych.errors import DataError

AT = "perception/general/audio_text"
FILE = "perception_general_audio_text.json"


def answer(response: Any, key: str = "B", question: str = "Which? (audio_text)", **more: Any) -> dict[str, Any]:
    return {"question": question, "response": response, "correct_answer": key, "is_correct": response == key, **more}


def read(bench: Benchmark, folder: Path, data: Path | None = None) -> Outputs:
    items = {i.id: i for i in bench.items(data)} if data else None
    return bench.outputs([folder], items)


def test_a_file_becomes_responses_and_items(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, FILE, {"0": answer("B"), "7": answer("c", reasoning="It barks.")}, score=50.0, all_count=2)
    outputs = read(bench, tmp_path)
    assert {k: (r.status, r.text, r.thinking) for k, r in outputs.responses.items()} == {
        f"{AT}/0": ("answered", "B", None),
        f"{AT}/7": ("answered", "c", "It barks."),
    }
    item = outputs.items[f"{AT}/7"]
    assert (item.task, item.target, item.instance) == (f"xmodbench/{AT}", "B", "perception/general/7")
    assert item.parts[0].text == "Which? (audio_text)"
    assert outputs.stored is not None
    assert outputs.stored[f"xmodbench/{AT}"]["score"] == 50.0


def test_no_reply_is_a_failure_and_an_empty_one_an_answer(bench: Benchmark, tmp_path: Path) -> None:
    """The runner stores both as null; only the empty one is in `all_count`."""
    write_results(tmp_path / "a", FILE, {"0": answer("B"), "1": answer(None)}, all_count=1, score=100.0)
    write_results(tmp_path / "b", FILE, {"0": answer("B"), "1": answer(None)}, all_count=2, score=50.0)
    lost, empty = (read(bench, tmp_path / name).responses[f"{AT}/1"] for name in "ab")
    assert (lost.status, lost.error is not None) == ("failed", True)
    assert (empty.status, empty.text) == ("answered", "")


def test_what_is_no_text_is_kept_as_text(bench: Benchmark, tmp_path: Path) -> None:
    rows = {
        "0": answer(3),
        "1": answer(["B"]),
        "2": answer({"answer": "B"}),
        "x": answer("B"),
        "1_0": answer("B"),
        "3": "B",
        "4": None,
    }
    write_results(tmp_path, FILE, rows)
    outputs = read(bench, tmp_path)
    assert [r.text for r in outputs.responses.values()] == ["3", '["B"]', '{"answer":"B"}']
    assert any("4 rows are malformed" in note for note in outputs.notes)


def test_a_key_that_is_not_there_is_taken_from_the_data(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path / "data", AT, [row("audio_text")])
    write_results(tmp_path / "out", FILE, {"0": {"response": "B"}})
    assert read(bench, tmp_path / "out").items[f"{AT}/0"].target is None
    assert read(bench, tmp_path / "out", tmp_path / "data").items[f"{AT}/0"].target == "B"


def test_the_datas_item_is_used_where_key_and_question_agree(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path / "data", AT, [row("audio_text")])
    write_results(tmp_path / "out", FILE, {"0": answer("B")})
    item = read(bench, tmp_path / "out", tmp_path / "data").items[f"{AT}/0"]
    assert item.parts[1].path == "Data/dog.wav"
    assert "questions" not in item.facets


@pytest.mark.parametrize("changed", [answer("B", key="C"), answer("B", question="Other?")])
def test_another_version_of_the_questions_is_scored_by_its_own_keys(
    bench: Benchmark, tmp_path: Path, changed: dict[str, Any]
) -> None:
    write_rows(tmp_path / "data", AT, [row("audio_text"), row("audio_text")])
    write_results(tmp_path / "out", FILE, {"0": answer("B"), "1": changed})
    outputs = read(bench, tmp_path / "out", tmp_path / "data")
    assert outputs.items[f"{AT}/1"].target == changed["correct_answer"]
    assert {i.facets["questions"] for i in outputs.items.values()} == {"other version"}  # both: positions prove nothing
    assert any(note.startswith("1 questions are of another version") for note in outputs.notes)


def test_rows_of_a_longer_list_than_the_data_are_another_version(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path / "data", AT, [row("audio_text")])
    write_results(tmp_path / "out", FILE, {"0": answer("B"), "5": answer("B")})
    assert len(read(bench, tmp_path / "out", tmp_path / "data").items) == 2


def test_contradicting_keys_are_not_paired(bench: Benchmark, tmp_path: Path) -> None:
    for direction, key in (("audio_text", "B"), ("audio_vision", "B"), ("text_audio", "C")):
        write_results(tmp_path, f"perception_general_{direction}.json", {"0": answer("B", key=key)})
    outputs = read(bench, tmp_path)
    assert outputs.items["perception/general/audio_vision/0"].instance == "perception/general/0"
    assert outputs.items["perception/general/text_audio/0"].instance == ""
    assert any("text_audio" in n and "not paired" in n for n in outputs.notes)


def test_emotion_lies_among_external_and_is_linguistic(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, "external_emotion_classification_text_vision.json", {"0": answer("B")})
    (item,) = read(bench, tmp_path).items.values()
    assert item.task == "xmodbench/linguistic/emotion_classification/text_vision"


def test_missing_files_and_wrong_stored_scores_are_told(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, FILE, {"0": answer("B"), "1": answer("C")}, score=80.0, all_count=2)
    notes = read(bench, tmp_path).notes
    (note,) = (note for note in notes if "101 of 102 result files are not there" in note)
    assert note.endswith(", and 81 more")
    assert any("stored score 80.00 does not follow" in note for note in notes)


def test_a_folder_of_several_systems_is_refused(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path / "one", FILE, {"0": answer("B")})
    assert len(read(bench, tmp_path).responses) == 1
    write_results(tmp_path / "two", FILE, {"0": answer("B")})
    with pytest.raises(DataError, match="one, two"):
        read(bench, tmp_path)


@pytest.mark.parametrize("content", ["", "[]", '{"results": []}', '{"results": 3}', "\x00", '{"score": 1}'])
def test_a_file_that_is_no_results_file_is_refused(bench: Benchmark, tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(DataError, match="results file can't be read"):
        read(bench, tmp_path)


def test_files_with_other_names_are_no_results(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, "perception_general_audio_smell.json", {"0": answer("B")})
    with pytest.raises(DataError, match="no result files"):
        read(bench, tmp_path)


def test_results_of_a_part_of_instruments_pair_past_the_missing_row(bench: Benchmark, tmp_path: Path) -> None:
    keys = {n: "ABCD"[n % 4] for n in range(300, 320)}
    full = {str(n): answer("A", key) for n, key in keys.items()}
    short = {str(n - (n > 308)): answer("A", key) for n, key in keys.items() if n != 308}
    write_results(tmp_path, "perception_instruments_vision_text.json", full)
    write_results(tmp_path, "perception_instruments_audio_text.json", short)
    outputs = read(bench, tmp_path)
    assert not [note for note in outputs.notes if "contradict" in note]
    assert outputs.items["perception/instruments/audio_text/310"].instance == "perception/instruments/311"


def test_an_archive_is_to_be_unpacked(bench: Benchmark, tmp_path: Path) -> None:
    (tmp_path / "results.tar.xz").write_bytes(b"x")
    with pytest.raises(DataError, match="unpack the archive first"):
        read(bench, tmp_path / "results.tar.xz")
