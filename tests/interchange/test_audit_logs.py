"""Tests of `interchange/audit_logs.py`: `audit run` for logs of other harnesses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.interchange import harness_folders as make
from triptych.errors import DataError
from triptych.interchange.audit_logs import audit_results
from triptych.records import Finding
from triptych.records.checked import Audited

Maker = Callable[[Path], Path]
MAKERS: dict[str, Maker] = {
    "evalscope": lambda place: make.evalscope(place),
    "vlmevalkit xlsx": lambda place: make.vlmevalkit(place / "m" / "m_Toy_openai_result.xlsx"),
    "vlmevalkit tsv": lambda place: make.vlmevalkit(place / "m" / "m_Toy.tsv"),
    "vlmevalkit json": lambda place: make.vlmevalkit(place / "m" / "m_Toy.json"),
    "helm": lambda place: make.helm(place / "toy,model=org_m"),
    "opencompass": lambda place: make.opencompass(place / "20260101_000000"),
}


def told(found: Audited, *leave_out: str) -> list[Finding]:
    return [f for f in found if f.severity != "note" and f.kind not in leave_out]


@pytest.mark.parametrize("name", MAKERS)
def test_a_true_log_has_no_finding_but_its_size(name: str, tmp_path: Path) -> None:
    found = audit_results([MAKERS[name](tmp_path / "log")])
    assert not told(found), [f.message for f in told(found)]
    assert (
        found.verdict == "1 Run, 20 replies: 1 of 1 stated figure follows from the samples; nothing severe was found."
    )


def test_answers_drawn_at_random_are_counted(tmp_path: Path) -> None:
    replies = [make.key(n) if n >= 37 else "It sounds like a barking animal" for n in range(1000)]
    found = audit_results([make.lmms_mmau(tmp_path / "log", replies)])
    (drawn,) = (f for f in found if f.kind == "drawn")
    assert "of 1,000 answers, 37 were a random option" in drawn.message and drawn.severity == "warning"
    by_chance = sum(make.key(n) == "A" for n in range(37))
    assert (drawn.published, drawn.recomputed) == ((963 + by_chance) / 10, 96.3)
    assert drawn.terms == ("as scored", "if they count as wrong")
    assert "37 answers were drawn at random" in found.verdict
    assert "1 of 1 stated figure follows" in found.verdict, "the figure is the mean in percent"
    empty = audit_results([make.lmms_mmau(tmp_path / "empty", ["" if n < 5 else make.key(n) for n in range(100)])])
    assert "5 of these replies are empty" in next(f.message for f in empty if f.kind == "drawn")


def test_answers_that_vlmevalkit_drew_are_counted(tmp_path: Path) -> None:
    found = audit_results([make.vlmevalkit(tmp_path / "m_Toy.xlsx", n=100, right=90, drawn=12)])
    (drawn,) = (f for f in found if f.kind == "drawn")
    assert "of 100 answers, 12 were a random option" in drawn.message and drawn.severity == "warning"


def test_the_same_reply_to_most_questions(tmp_path: Path) -> None:
    log = make.lmms_mmau(tmp_path / "log", ["B"] * 90 + [make.key(n) for n in range(90, 100)])
    (found,) = (f for f in audit_results([log]) if f.kind == "constant")
    assert "93 of 100" in found.message and found.terms == ("score", "always this reply")


def test_a_malformed_log_is_a_finding_and_the_others_are_audited(tmp_path: Path) -> None:
    make.evalscope(tmp_path / "good")
    make.helm(tmp_path / "bad")
    (tmp_path / "bad" / "scenario_state.json").write_text("{", encoding="utf-8")
    found = audit_results([tmp_path])
    (malformed,) = (f for f in found if f.kind == "malformed")
    assert str(malformed.file) == str(tmp_path / "bad") and "1 file can't be read" in found.verdict
    assert "20 replies" in found.verdict
    with pytest.raises(DataError):
        audit_results([tmp_path / "bad"])
