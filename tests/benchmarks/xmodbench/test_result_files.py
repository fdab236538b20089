"""Tests of `benchmarks/xmodbench/result_files.py`: read results in the authors' formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.xmodbench.conftest import write_results
from tests.benchmarks.xmodbench.test_outputs import FILE, GENERAL, answer, read, session
from triptych.benchmarks import Benchmark
from triptych.errors import DataError, TwoAnswersError


@pytest.mark.parametrize("content", ["", "[]", '{"results": []}', '{"results": 3}', "\x00", '{"score": 1}'])
def test_a_file_that_is_no_results_file_is_refused(bench: Benchmark, tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(DataError, match="results file can't be read"):
        read(bench, tmp_path)


def test_files_with_other_names_are_no_results(bench: Benchmark, tmp_path: Path) -> None:
    write_results(tmp_path, "perception_general_audio_smell.json", {"0": answer("B")})
    with pytest.raises(DataError, match="no result files"):
        read(bench, tmp_path)


def test_an_archive_is_to_be_unpacked(bench: Benchmark, tmp_path: Path) -> None:
    (tmp_path / "results.tar.xz").write_bytes(b"x")
    with pytest.raises(DataError, match="unpack the archive first"):
        read(bench, tmp_path / "results.tar.xz")


def test_what_sessions_can_not_be(bench: Benchmark, tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(session((GENERAL, 90, "A", "A"))), encoding="utf-8")
    with pytest.raises(TwoAnswersError, match="two people answered one question"):
        read(bench, tmp_path)
    (tmp_path / "b.json").write_text(json.dumps(session(("no/such_file", 1, "A", "A"))), encoding="utf-8")
    with pytest.raises(DataError, match="unknown question"):
        read(bench, tmp_path)
    (tmp_path / "b.json").unlink()
    write_results(tmp_path, FILE, {"0": answer("B")})
    with pytest.raises(DataError, match="a model and sessions of people"):
        read(bench, tmp_path)


def test_a_key_that_is_there_twice_is_refused(bench: Benchmark, tmp_path: Path) -> None:
    """Decoders keep the last value without a word: whichever reply was meant, nobody can say."""
    twice = '{"response": "A", "response": "B", "correct_answer": "B"}'
    (tmp_path / FILE).write_text('{"results": {"0": ' + twice + "}}")
    with pytest.raises(DataError, match="ambiguous"):
        read(bench, tmp_path)
    (tmp_path / FILE).unlink()
    content = json.dumps(session((GENERAL, 90, "A", "A"))).replace('"session_id"', '"session_id": "zz", "session_id"')
    (tmp_path / "P1.json").write_text(content)
    with pytest.raises(DataError, match="session_id"):
        read(bench, tmp_path)
