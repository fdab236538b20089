"""Tests of `benchmarks/questions`: hub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.questions.test_items_released_columns import files
from tests.benchmarks.questions.test_xlsx import embedded, wav
from tests.support.mock_hub import Hub
from tests.support.wire import Wire
from triptych.benchmarks import own_questions
from triptych.errors import DataError


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """A data set with embedded sounds, on a Hub of this machine."""
    pytest.importorskip("huggingface_hub")
    row = {"question": "What is heard?", "options": ["bell", "dog"], "answer": "B"}
    made = embedded(tmp_path / "made/q.parquet", [{**row, "audio": {"bytes": wav(), "path": "a.wav"}}])
    served = Hub("lab/sounds", {"README.md": b"# Sounds", "data/test-00000-of-00001.parquet": made.read_bytes()})
    with Wire(served) as wire:
        monkeypatch.setenv("HF_ENDPOINT", wire.url)
        for name in ("HF_TOKEN", "HF_HUB_OFFLINE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.chdir(tmp_path)
        yield served


def test_a_data_set_of_the_hub_is_fetched_once(hub: Hub, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = own_questions("hf/lab/sounds")
    assert bench is not None and bench.home == Path("data/hf/lab--sounds") and bench.name == "own-lab-sounds"
    (one,) = bench.items(bench.home)
    assert one.target == "B" and (bench.home / files(one)[0][1]).read_bytes() == wav()
    assert "lab/sounds at " in capsys.readouterr().err
    import os

    os.environ["HF_ENDPOINT"] = "http://127.0.0.1:9"  # restored by the fixture: nothing answers there
    assert own_questions("hf/lab/sounds") is not None
    with pytest.raises(DataError):
        own_questions("hf/lab/others")
