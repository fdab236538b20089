"""Tests of `analysis/errors/kinds.py`: what kind of errors a model makes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from triptych.analysis.errors.kinds import Diagnosis, error_kinds
from triptych.api.errors import analyse_errors as of_runs
from triptych.interchange.exports import import_log
from triptych.metrics.statistics.intervals import wilson


def test_the_distribution_counts_every_unit_once() -> None:
    def made(n: int, kind: str, category: str) -> list[Diagnosis]:
        return [Diagnosis(f"{kind}{i}", f"{kind}{i}", 0, "t", category, kind, reply="[b]") for i in range(n)]

    found = made(6, "", "a") + made(3, "refusal", "a") + made(1, "content", "b") + made(2, "mine", "b")
    section = error_kinds({"m": found})
    total = {e.slice["kind"]: e for e in section.estimates if "category" not in e.slice}
    assert list(total) == ["refusal", "content", "mine"]
    assert total["refusal"].value == 25 and total["refusal"].n == 12
    low, high = wilson(3, 12)
    assert total["refusal"].interval == pytest.approx((100 * low, 100 * high))
    assert total["refusal"].counts == {"count": 3, "errors": 6}
    own = [e for e in section.estimates if e.slice == {"kind": "refusal", "category": "a"}]
    assert [(e.n, e.counts["count"]) for e in own] == [(9, 3)]
    assert "6 of 12" in section.sentences[0]
    assert [row[2] for row in section.listings[0].rows] == [
        "refusal0",
        "refusal1",
        "refusal2",
        "content0",
        "mine0",
        "mine1",
    ]
    msgspec.json.encode(section)


def test_a_question_asked_again_is_no_other_question() -> None:
    """Four questions asked five times each, one always refused: as sure as four questions are, not as twenty."""
    found = [
        Diagnosis(f"u{i}", f"u{i}", repeat, "t", "c", "refusal" if not i else "")
        for i in range(4)
        for repeat in range(5)
    ]
    section = error_kinds({"m": found})
    (refused,) = (e for e in section.estimates if "category" not in e.slice)
    low, high = wilson(1, 4)
    assert (refused.value, refused.n) == (25.0, 20) and refused.interval == pytest.approx((100 * low, 100 * high))
    assert section.sentences[0].startswith("m: 5 of 20 answers show an error")


def test_a_choice_is_wrong_or_right_whatever_its_metric_is_called(tmp_path: Path) -> None:
    """A stored score has a name of its own; what it says of a lettered question is still right or wrong."""
    logs = Path(__file__).resolve().parents[2] / "interchange" / "logs"
    folder = import_log(logs / "choice.eval", tmp_path / "run").path
    (sentence,) = of_runs([folder]).sentences
    assert sentence.endswith("8 of 8 questions show an error: 7 content, 1 format.")
