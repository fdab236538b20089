"""Without its file, a benchmark of a user's questions can be scored and viewed, but not asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.benchmarks import load_benchmark
from triptych.benchmarks._questions.reader import read, source_files
from triptych.errors import SpecError


def test_there_are_no_question_files_and_reading_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "questions.csv").write_text("question,answer\n?,A\n", encoding="utf-8")
    assert source_files(tmp_path) == []
    with pytest.raises(SpecError, match="the question file is not known") as refused:
        read(load_benchmark("cmdar").spec, tmp_path, (), lambda problem: None)
    assert refused.value.fix == "name the file instead of the benchmark"
