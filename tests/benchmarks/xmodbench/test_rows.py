"""Tests of `benchmarks/xmodbench/rows.py`: one row of a released question file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.xmodbench.conftest import HOME, content, row, write_rows
from tests.benchmarks.xmodbench.test_reader import AT
from triptych.benchmarks import Benchmark
from triptych.benchmarks.xmodbench.rows import media_path
from triptych.errors import DataError
from triptych.records import Problem

BROKEN = {
    "malformed-row": [{"question": "Which?"}, [], "text", 3, None, row("audio_text", conditions=None)],
    "options": [row("audio_text", options={"A": content("Text", "x")}), row("audio_text", options={})],
    "target-not-an-option": [row("audio_text", correct_answer="E"), row("audio_text", correct_answer="b")],
    "modality": [row("audio_text", conditions={"modality": "Smell", "input": "dog"})],
    "empty-input": [row("audio_text", conditions={"modality": "Audio", "input": " "})],
}


@pytest.mark.parametrize(("kind", "bad"), [(k, r) for k, rows in BROKEN.items() for r in rows])
def test_a_malformed_row_is_reported_and_the_others_stay(
    bench: Benchmark, tmp_path: Path, kind: str, bad: object
) -> None:
    write_rows(tmp_path, AT, [row("audio_text"), bad, row("audio_text", key="C")])
    problems: list[Problem] = []
    items = list(bench.items(tmp_path, report=problems.append))
    assert [i.id.rpartition("/")[2] for i in items] == ["0", "2"]  # positions, and so Instances, don't shift
    assert [(p.severity, p.kind) for p in problems] == [("error", kind)]
    assert problems[0].where.endswith("_audio_text.json[1]")
    with pytest.raises(DataError):
        list(bench.items(tmp_path))


def test_media_paths_are_mapped_below_the_data_folder() -> None:
    assert media_path(f"{HOME}Data/a b/ü#1.jpg") == "Data/a b/ü#1.jpg"
    assert media_path("/x/AudioBench//benchmark//scripts/p.jpg") == "scripts/p.jpg"
    assert media_path(f"{HOME}Data/benchmark/x.wav") == "Data/benchmark/x.wav"
    assert media_path("media/x.ogg") == "media/x.ogg"
    assert media_path("/etc/passwd") == "/etc/passwd"  # unmapped: the media reader refuses it
    assert media_path(f"{HOME}Data/x.wav", "benchmark/") == "benchmark/Data/x.wav"
