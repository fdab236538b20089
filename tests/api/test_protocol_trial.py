"""Tests of `api/protocol_trial.py`: protocols with planted faults have one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from triptych.api.protocol_trial import unit_faults, unread_faults
from triptych.benchmarks import load_benchmark
from triptych.protocols.outcomes import lost_status, scored, unscored
from triptych.protocols.protocol import Unit
from triptych.records import Item, Response, Score, text

CAPITAL = Item("i", "rivers/name", (text("Which river flows through Lyon?"),), target="Rhône")
ANSWERED = Unit((CAPITAL,), (Response("i", "", 0, "answered", "Rhône"),))


def sound(unit: Unit) -> Sequence[Score]:
    if lost := lost_status(unit):
        return [unscored(unit, "acc", lost)]
    assert unit.response is not None
    return [scored(unit, "acc", unit.response.text == unit.item.target)]


def none_for_a_failed_call(unit: Unit) -> Sequence[Score]:
    return [] if lost_status(unit) else sound(unit)


def wrong_for_a_failed_call(unit: Unit) -> Sequence[Score]:
    return [scored(unit, "acc", 0)] if lost_status(unit) else sound(unit)


def text_of_nothing(unit: Unit) -> Sequence[Score]:
    assert unit.response is not None
    return [scored(unit, "acc", unit.response.text == unit.item.target)]


def another_metric(unit: Unit) -> Sequence[Score]:
    return [replace_metric(score) for score in sound(unit)]


def replace_metric(score: Score) -> Score:
    return Score(**{**{name: getattr(score, name) for name in score.__struct_fields__}, "metric": "em"})


def by_chance(unit: Unit) -> Sequence[Score]:
    return [scored(unit, "acc", random.random())] if not lost_status(unit) else sound(unit)


def first_letter(unit: Unit) -> Sequence[Score]:
    if not lost_status(unit) and unit.response is not None:
        assert unit.response.text.strip()[0]
    return sound(unit)


def unparsed(unit: Unit) -> bool:
    return lost_status(unit) is None and unit.response is not None and unit.response.text != "Rhône"


def nothing_for_unparsed(unit: Unit) -> Sequence[Score]:
    return [] if unparsed(unit) else sound(unit)


def undeclared_for_unparsed(unit: Unit) -> Sequence[Score]:
    return [unscored(unit, "em", "unparsed")] if unparsed(unit) else sound(unit)


def of_another_task(unit: Unit) -> Sequence[Score]:
    return [Score("i", "rivers/other", "acc", "unparsed", 0, 1)] if unparsed(unit) else sound(unit)


def of_no_status(unit: Unit) -> Sequence[Score]:
    return [unscored(unit, "acc", "wrong")] if unparsed(unit) else sound(unit)  # type: ignore[arg-type]


def a_set_extracted(unit: Unit) -> Sequence[Score]:
    return [unscored(unit, "acc", "unparsed", extraction={"B"})] if unparsed(unit) else sound(unit)  # type: ignore[arg-type]


def mutating(unit: Unit) -> Sequence[Score]:
    unit.item.facets["seen"] = "yes"
    return sound(unit)


def of_ascii(unit: Unit) -> Sequence[Score]:
    str(unit.item.target).replace("ô", "o").encode("ascii")
    return sound(unit)


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        (sound, None),
        (none_for_a_failed_call, "can't score a Unit whose Response is failed"),
        (wrong_for_a_failed_call, "scores a Unit whose Response is failed as if it were answered"),
        (text_of_nothing, "a Unit without a Response"),
        (another_metric, "gives Scores of 'em', which the Task rivers/name doesn't list"),
        (by_chance, "other Scores for the same Unit the second time"),
        (first_letter, "can't score an empty reply: protocol 'mine' can't score a Unit; got: IndexError"),
        (nothing_for_unparsed, "can't score an empty reply"),
        (undeclared_for_unparsed, "gives Scores of 'em', which the Task rivers/name doesn't list"),
        (of_another_task, "gave a Score of another Task"),
        (of_no_status, "or with a status that doesn't exist; got: rivers/name, wrong"),
        (a_set_extracted, "an extraction that is set"),
        (of_ascii, "fails for text that is not ASCII: UnicodeEncodeError"),
        (mutating, "score changes the Unit's Item"),
    ],
)
def test_a_protocols_scores_are_tried_with_and_without_an_answer(
    rule: Callable[[Unit], Sequence[Score]], fault: str | None
) -> None:
    protocol = replace(load_benchmark("cmdar").protocol("standard"), name="mine", score=rule)
    faults = list(unit_faults(ANSWERED, protocol, ("acc",)))
    assert any(fault in line for line in faults) if fault else faults == []


def test_a_protocol_that_reads_no_reply_is_named() -> None:
    protocol = load_benchmark("cmdar").protocols["standard"]

    def faults(score: Callable[[Unit], Sequence[Score]], *units: Unit) -> list[str]:
        return list(unread_faults(units, replace(protocol, score=score)))

    assert faults(sound, ANSWERED) == faults(sound) == []
    assert faults(lambda unit: [unscored(unit, "judge_score", "unavailable")], ANSWERED) == []
    assert faults(lambda unit: [scored(unit, "acc", 0)], ANSWERED) == []  # the worst value, which is another fault
    for metric, value in (("acc", 1), ("wer", 0)):
        (fault,) = faults(lambda unit, metric=metric, value=value: [scored(unit, metric, value)], ANSWERED)  # type: ignore[misc]
        assert "the Scores of the reference answers, whatever the reply says" in fault
