"""Tests of `benchmarks/questions`: embedded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.questions.test_items_released_columns import files, items, opened
from tests.benchmarks.questions.test_xlsx import embedded, png, wav
from triptych.errors import DataError


def test_embedded_media_become_files_named_by_content(tmp_path: Path) -> None:
    rows = [
        {
            "index": n,
            "question": "What is heard?",
            "options": ["a bell", "a dog"],
            "answer": "a dog",
            "audio": {"bytes": wav(tone), "path": "../../evil.wav"},
            "image": {"bytes": png(tone), "path": None},
        }
        for n, tone in enumerate((40, 80, 40))
    ]
    file = embedded(tmp_path / "omni.parquet", rows)
    one, two, three = items(file)
    assert [kind for kind, _ in files(one)] == ["audio", "image"] and files(one) == files(three) != files(two)
    sound = tmp_path / files(one)[0][1]
    assert sound.read_bytes() == wav(40) and sound.parent == tmp_path / "omni.media"
    assert len(list((tmp_path / "omni.media").iterdir())) == 4 and not (tmp_path.parent / "evil.wav").exists()
    other = tmp_path / "elsewhere"
    other.mkdir()
    assert files(next(iter(opened(file).items(other)))) == files(one) and (other / "omni.media").is_dir()


def test_embedded_media_never_leave_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/q.media").symlink_to(tmp_path)
    row = {"question": "Who?", "answer": "x", "audio": {"bytes": wav(), "path": "a.wav"}}
    with pytest.raises(DataError, match="leads out"):
        items(embedded(tmp_path / "data/q.parquet", [row]))
    assert not list(tmp_path.glob("*.wav"))
