"""Replies that are missing, as a reader of a leaderboard needs to know: also if a benchmark has a single Task."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import audit_run
from triptych.cli.main import main

QUESTIONS = 100


def written(folder: Path, replies: int) -> tuple[Path, Path]:
    """A question file, and predictions for the first `replies` of its questions."""
    questions, predictions = folder / "q.csv", folder / "p.csv"
    keys = [("ABCD" * QUESTIONS)[7 * n % 31] for n in range(QUESTIONS)]
    rows = [f"{n},What is heard in clip {n}?,rain,a dog,a bell,wind,{key}" for n, key in enumerate(keys)]
    questions.write_text("\n".join(["id,question,A,B,C,D,answer", *rows]), encoding="utf-8")
    answers = [f"{n},{keys[n] if n % 3 else 'A'}" for n in range(replies)]
    predictions.write_text("\n".join(["id,reply", *answers]), encoding="utf-8")
    return questions, predictions


@pytest.mark.parametrize(
    ("replies", "severity"), [(70, "severe"), (81, "warning"), (95, "warning"), (96, "note"), (100, "")]
)
def test_missing_replies_to_a_question_file_are_lost(tmp_path: Path, replies: int, severity: str) -> None:
    questions, predictions = written(tmp_path, replies)
    lost = [f for f in audit_run([predictions], benchmark=str(questions)) if f.kind == "lost"]
    assert [f.severity for f in lost] == [severity] * bool(severity)
    if lost:
        assert f"{100 - replies} of 100 questions have no reply" in lost[0].message


def test_the_exit_code_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions, predictions = written(tmp_path, 70)
    with pytest.raises(SystemExit) as ended:
        main(["audit", "run", str(predictions), "--benchmark", str(questions)])
    assert ended.value.code == 1
    assert "SEVERE  lost: replies of a system are missing" in capsys.readouterr().out
