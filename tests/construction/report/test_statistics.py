"""Tests of `construction/report/statistics.py`: statistics of a build's records, as in papers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Record
from triptych.construction.report.statistics import as_json, spread, statistics
from triptych.media.sound.coding import encode_wav


def test_statistics_of_records_by_hand(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    sounds = [store.put(encode_wav(np.zeros((n * 16_000, 1)), 16_000), "wav") for n in (2, 3)]
    video = "media/00/" + "00" * 32 + ".mp4"

    def record(number: int, **fields: Any) -> Record:
        return Record(f"r{number}", fields, (f"film:{number % 2}",))

    records = [
        record(
            0, task="main", question="四个字呢", answer="b", options=["a", "b"], answers=[1], audio=sounds[0], genre="x"
        ),
        record(
            1, task="main", question="两字", answer="bcd", options=["a", "b"], answers=[0], audio=sounds[0], genre="y"
        ),
        record(2, task="open", question="q", answer="", clip_audio=sounds[1], audio=sounds[0], video=video, genre="x"),
    ]
    found = statistics(records, tmp_path)
    main, other = found.tasks
    assert (main.task, main.records, main.sources, main.media) == ("main", 2, 2, {"audio": 1})
    assert main.question == spread([4, 2]) and main.answer == spread([1, 3])
    assert main.question and (main.question.mean, main.question.median, main.question.total) == (3, 3, 6)
    assert (main.options, main.right) == (2.0, 1.0)
    assert other.media == {"audio": 1, "video": 1} and other.seconds == spread([3.0]) and other.answer is None
    assert found.positions == {2: [1, 1]}
    assert sorted(found.seconds) == [2.0, 3.0]  # the recording that tasks share counts once
    assert found.facets == {"genre": {"main": {"x": 1, "y": 1}, "open": {"x": 1}}}
    assert "seconds" not in as_json(found) and as_json(found)["positions"] == {"2": [1, 1]}


def test_no_figures_have_no_spread() -> None:
    assert spread([]) is None
