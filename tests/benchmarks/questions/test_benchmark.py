"""Tests of `benchmarks/questions`: benchmark."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.benchmarks.questions.test_items import ROW
from tests.benchmarks.questions.test_items_released_columns import files, opened, written
from tests.benchmarks.questions.test_xlsx import folder_items, wav
from triptych.benchmarks import question_file
from triptych.errors import SpecError


def test_audiofolder_with_metadata(tmp_path: Path) -> None:
    for split in ("train", "test"):
        (tmp_path / split).mkdir()
        rows = [{"file_name": "a.wav", "transcription": f"{split} words"}]
        (tmp_path / split / "metadata.jsonl").write_text("".join(json.dumps(row) for row in rows))
        (tmp_path / split / "a.wav").write_bytes(wav())
    with pytest.raises(SpecError, match="--map 'ask="):
        folder_items(tmp_path)
    (one,) = folder_items(tmp_path, ask="Write down what is said.")
    assert one.target == "test words" and files(one) == [("audio", "test/a.wav")]
    assert one.parts[-1].text == "Write down what is said."
    (two,) = folder_items(tmp_path, ask="Write down what is said.", split="train")
    assert two.target == "train words" and files(two) == [("audio", "train/a.wav")]


def test_without_being_told_whole_files_are_sent_and_a_warning_says_how_to_cut(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", [{**ROW, "start_time": 1, "end_time": 2}], ["v.mp4"])
    bench = opened(file)
    assert [p.transform for p in next(iter(bench.items(tmp_path))).parts if p.is_media] == [""]
    lines = "\n".join(bench.mapping_lines(tmp_path))  # type: ignore[attr-defined]
    assert "--map start=start_time --map end=end_time sends the part" in lines


def test_numbers_and_a_few_words_are_text_with_a_warning(tmp_path: Path) -> None:
    rows = [{"question": "n?", "answer": a} for a in ("3", "4", "5", "12%")]
    file = written(tmp_path, "q.jsonl", rows)
    lines = "\n".join(opened(file).mapping_lines(tmp_path))  # type: ignore[attr-defined]
    assert "open_is     text" in lines and "3 of 4 answers are numbers; '12%' is not" in lines


def test_a_table_of_many_columns_is_read_at_once_and_some_of_their_names_are_shown(tmp_path: Path) -> None:
    names = [f"extra {n}" for n in range(20_000)]
    rows = [["question", "answer", *names], *([f"q{n}", "x", *["1"] * len(names)] for n in range(5))]
    (tmp_path / "q.csv").write_text("\n".join(map(",".join, rows)))
    start = time.process_time()
    lines = opened(tmp_path / "q.csv").mapping_lines(tmp_path)  # type: ignore[attr-defined]
    assert time.process_time() - start < 3
    assert any(line.endswith("extra 48, extra 49, … 19950 more") for line in lines)


def test_doubtful_answers_and_options_are_warned_of(tmp_path: Path) -> None:
    rows = [
        {"question": "q", "options": [], "answer": "N/A"},
        {"question": "q", "options": [], "answer": "the dog"},
        {"question": "q", "options": ["A. red", "B. blue", "C. C", "D. B"], "answer": "A"},
    ]
    bench = opened(written(tmp_path, "q.jsonl", rows))
    lines = [line for line in bench.mapping_lines(tmp_path) if line.startswith("warning")]
    assert any("'N/A' of own-q/1" in line for line in lines) and any("own-q/3" in line for line in lines)
    warned = [problem for problem in bench.check(tmp_path) if problem.kind == "doubtful-answer"]
    assert len(warned) == 2 and {problem.severity for problem in warned} == {"warning"}


def test_the_question_file_of_a_run_is_found_in_its_data_folder_by_the_name(tmp_path: Path) -> None:
    assert question_file("own-q", tmp_path) is None is question_file("own-q", tmp_path / "none")
    file = written(tmp_path, "Q.jsonl", [{"question": "q", "answer": "x"}])
    assert question_file("own-q", tmp_path) == file and question_file("own-other", tmp_path) is None
    (tmp_path / "q.csv").write_text("question,answer\nq,x\n")
    assert question_file("own-q", tmp_path) is None, "two files with this name"
    (tmp_path / "benchmark.toml").write_text("")
    assert question_file("own-q", tmp_path) == tmp_path
