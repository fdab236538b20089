"""Tests of `construction/engine/funnel.py`: how many records came into each stage, and their outcomes."""

from __future__ import annotations

from triptych.construction.engine.folder import PASSED_BY, DecisionLine
from triptych.construction.engine.funnel import Tally, count_material
from triptych.construction.record import Outcome


def line(id: str, decision: str, reason: str = "", key: str = "k") -> DecisionLine:
    return DecisionLine(id, key, Outcome(decision, reason))  # type: ignore[arg-type]


LINES = [
    line("a", "kept"),
    line("b", "dropped", "too-long"),
    line("c", "dropped", "blank"),
    line("d", "dropped", "blank"),
    line("e", "pending", "no-result"),
    line("f", "revised", "spelling"),
]


def test_every_line_is_passed_on_and_counted_once() -> None:
    tally = Tally()
    assert list(tally.counted(LINES)) == LINES
    (counts,) = count_material(LINES)
    assert counts.came == 6 == sum(counts.decisions.values())
    assert counts.decisions == {"kept": 1, "revised": 1, "dropped": 3, "pending": 1}
    assert counts.went == 1


def test_reasons_are_ordered_by_frequency_and_then_by_name() -> None:
    (counts,) = count_material(LINES)
    assert list(counts.reasons.items()) == [
        ("dropped: blank", 2),
        ("dropped: too-long", 1),
        ("pending: no-result", 1),
        ("revised: spelling", 1),
    ]


def test_records_that_a_stage_does_not_apply_to_are_counted_apart() -> None:
    (counts,) = count_material([*LINES, line("g", "kept", key=PASSED_BY)])
    assert (counts.came, counts.passed_by) == (6, 1)


def test_material_that_can_all_be_used_has_no_row() -> None:
    assert count_material([line("a", "kept"), line("b", "kept")]) == count_material([]) == []
