"""Fixtures that several files of tests of `experiment` share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.experiment.test_several import QUESTIONS
from tests.support.mock_process import MockProcess
from triptych import api


@pytest.fixture
def mock() -> Iterator[MockProcess]:
    with MockProcess(answer="text:8 4") as process:
        yield process


@pytest.fixture
def run(tmp_path: Path) -> Path:
    api.run("cmdar/open", "baseline/reference", out=tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "q.csv").write_text(QUESTIONS)
    return tmp_path
