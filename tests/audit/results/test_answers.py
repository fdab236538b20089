"""Tests of `audit/results/answers.py`: checks of the replies behind a score."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.audit.results.test_check import Reply, often, results
from triptych import audit_run
from triptych.interchange.foreign import ForeignLog, ForeignSample, write_run


def test_failures_counted_as_answers_and_what_the_score_would_be(tmp_path: Path) -> None:
    transcript = "system\nYou are X.\nuser\nq\nassistant\nThe answer is {}."

    def reply(index: int, key: str, rng: random.Random) -> str:
        if index < 40:
            return transcript.format(key)
        return ["Error code: 429 rate limit", "I'm sorry, I can't answer.", "hm"][index % 3] if index < 70 else key

    found = {
        f.columns[0]: f
        for f in audit_run([results(tmp_path / "a", reply)], benchmark="xmodbench")
        if f.kind == "failure"
    }
    assert set(found) == {"transcript", "error", "refusal", "other"}
    assert found["transcript"].published == 65.0 and found["transcript"].recomputed == 85.0  # (130 + 40) / 200
    assert "81.25 without them" in found["transcript"].effect  # 130 / 160
    assert found["transcript"].severity == "severe" and found["error"].severity == "warning"


def test_unanswered_blocks_and_thin_denominators(tmp_path: Path) -> None:
    reply: Reply = lambda index, key, rng: None if 50 <= index < 170 else often(index, key, rng)  # noqa: E731
    found = audit_run([results(tmp_path / "a", reply)], benchmark="xmodbench")
    (block,) = [f for f in found if f.kind == "failure"]
    assert "perception/general/audio_text/50 and 119 after it" in block.message
    (coverage,) = [f for f in found if f.kind == "coverage"]
    assert coverage.severity == "severe" and "80 of 2,000" in coverage.message


def test_positions_that_are_not_there(tmp_path: Path) -> None:
    folder = results(tmp_path / "a", often)
    path = folder / "perception_general_audio_text.json"
    file = json.loads(path.read_text(encoding="utf-8"))
    del file["results"]["7"], file["results"]["8"]
    path.write_text(json.dumps(file), encoding="utf-8")
    found = audit_run([folder], benchmark="xmodbench")
    assert any(f.kind == "missing" and "2 positions up to 199" in f.message for f in found)


def test_failed_calls_and_errors_that_a_log_scores_as_wrong(tmp_path: Path) -> None:
    samples = [ForeignSample(str(n), f"q{n}", ("A",), reply="A", read="A", scores={"acc": 1.0}) for n in range(100)]
    for n in range(6):
        samples[n] = ForeignSample(str(n), f"q{n}", ("A",), reply="Error code: 429", read="", scores={"acc": 0.0})
        failed = {"reply": "", "status": "failed", "error": "Failed to obtain answer via API."}
        samples[50 + n] = ForeignSample(str(50 + n), "q", ("A",), scores={"acc": 0.0}, **failed)
    run = write_run(ForeignLog("lab-harness", "exam", "m", Path("log.json"), samples), tmp_path / "run").path
    found = {one.columns[0]: one.message for one in audit_run([run]) if one.kind == "failure"}
    assert set(found) == {"error", "failed"}
    assert "6 of 100 replies counted as answers are calls that failed" in found["failed"]
