"""A Run is scored while its connections are checked for the last time; the files are those of a scoring afterwards."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import triptych
from tests.support.mock_process import MockProcess
from triptych.records import ErrorInfo, Response
from triptych.running.loop import RunOptions
from triptych.scoring import early
from triptych.scoring.outcome import Scored
from triptych.store.folder import RunFolder
from triptych.store.journals.journal import Journal, JournalWriter


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with MockProcess(answer="letter") as mock:
        yield mock.base_url


def carried_out(out: Path, endpoint: str) -> triptych.RunResult:
    options = RunOptions(concurrency=4)
    return triptych.run("cmdar/main", "openai/mock", base_url=endpoint, conditions=["blind"], out=out, options=options)


def files(folder: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.path.glob("scores/*.jsonl"))}


def test_scores_made_early_are_those_made_afterwards(
    tmp_path: Path, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Scored | None] = []
    valid_scores = early.EarlyScores.valid_scores

    def noted(self: early.EarlyScores) -> Scored | None:
        made.append(valid_scores(self))
        return made[-1]

    monkeypatch.setattr(early.EarlyScores, "valid_scores", noted)
    first = carried_out(tmp_path / "early", endpoint)
    assert made[0] is not None and first.scores == made[0]
    monkeypatch.setattr(early.EarlyScores, "is_possible", lambda *_: False)
    second = carried_out(tmp_path / "afterwards", endpoint)
    assert made[1] is None
    assert files(first.folder) and files(first.folder) == files(second.folder)
    assert first.scores.keys() == second.scores.keys()


def test_answers_that_the_check_withdraws_are_scored_anew(
    tmp_path: Path, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    score = early.EarlyScores.score

    def withdrawing(self: early.EarlyScores) -> None:
        score(self)
        journal = self._folder.path / "responses.jsonl"
        last = list(Journal(journal, Response))[-1]
        writer = JournalWriter(journal)
        error = ErrorInfo("connection", "withdrawn")
        writer.append(msgspec.structs.replace(last, status="failed", text="", error=error))
        writer.close()

    monkeypatch.setattr(early.EarlyScores, "score", withdrawing)
    result = carried_out(tmp_path / "run", endpoint)
    assert isinstance(result.scores, Scored) and result.scores.counts["failed"] == 1


def test_an_error_is_left_to_the_scoring_afterwards(
    tmp_path: Path, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Scored:
        raise RuntimeError("broken")

    monkeypatch.setattr(early, "score_run", broken)
    result = carried_out(tmp_path / "run", endpoint)
    assert result.scores and all(result.scores.values())


_SCORED = """
import sys
import triptych
from triptych.running.loop import RunOptions
from triptych.scoring import early

score, before = early.EarlyScores.score, set()

def noted(scores):
    before.update(sys.modules)
    score(scores)

early.EarlyScores.score = noted
url, out = sys.argv[1:]
options = RunOptions(concurrency=2, imports=("triptych.no_such_module",))
result = triptych.run("cmdar/main", "openai/mock", base_url=url, conditions=["blind"], out=out, options=options)
assert before and result.scores
print(*sorted(set(sys.modules) - before))
"""


def test_scoring_and_tables_import_nothing_after_the_last_answer(tmp_path: Path, endpoint: str) -> None:
    """Each of these imports would be waited for, while nothing was to do before; one that fails is passed over."""
    command = [sys.executable, "-c", _SCORED, endpoint, str(tmp_path / "run")]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [name for name in ended.stdout.split() if name.startswith(("triptych", "numpy"))] == []
