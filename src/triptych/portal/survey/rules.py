"""Rules of surveys, without a database: who gets which cells, in which order, and whose answers count.

A cell is a Task in one form of its Instances (a direction, a modality). A person does all questions of a cell. Two
cells that share an Instance are never given to the same person, so nobody sees an Instance in two forms.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import msgspec

T = TypeVar("T")
MIN_CHOICES = 8  # choices needed before the same position each time, or fast answers, say anything


class Validity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a participant's answers count.

    most_failed    attention checks that may be answered wrongly
    least_seconds  a shorter answer is a fast one
    most_fast      share of questions that may have a fast answer
    most_declined  share of questions that may be left unanswered
    """

    most_failed: int = 0
    least_seconds: float = 2.0
    most_fast: float = 0.2
    most_declined: float = 0.5


@dataclass(frozen=True)
class QuestionAnswer:
    """What validity depends on, for one question.

    seconds   time that it was on the screen
    passed    whether an attention check was answered correctly; None for a question of the benchmark
    position  of the single option chosen, as the person saw them, from 0; None for other forms
    options   number of options on the screen
    declined  the person could not answer
    """

    seconds: float
    passed: bool | None = None
    position: int | None = None
    options: int = 0
    declined: bool = False


def draw_cells(
    counts: Mapping[str, int], instances: Mapping[str, frozenset[str]], wanted: int, max_cells: int, draw: random.Random
) -> list[str]:
    """Return the cells of a new participant, in the order in which they were drawn.

    Only a cell with the lowest count is drawn, and the participant counts at once, so the counts differ by at most one
    unless people have left. No two cells share an Instance. Cells with `wanted` participants are full.

    Args:
        counts: Cell -> people who did it validly, or have it now.
        instances: Cell -> the Instances of its questions.
        wanted: Participants that each cell needs.
        max_cells: Cells that a person gets at most; 0 for no limit.
        draw: The generator that chooses between cells with the same count.

    Example:
        >>> draw_cells({"a": 1, "b": 0}, {"a": frozenset("x"), "b": frozenset("y")}, 2, 0, random.Random(0))
        ['b', 'a']
    """
    now, taken, seen = dict(counts), list[str](), set[str]()
    while now and (not max_cells or len(taken) < max_cells):
        lowest = min(now.values())
        open_ = [cell for cell in sorted(now) if now[cell] == lowest and cell not in taken]
        free = [cell for cell in open_ if not instances[cell] & seen]
        if lowest >= wanted or not free:
            break
        cell = draw.choice(free)
        now[cell] += 1
        taken.append(cell)
        seen |= instances[cell]
    return taken


def sequence(units: Sequence[Sequence[T]], checks: Sequence[T], draw: random.Random) -> list[T]:
    """Return the order of a person's questions: Units shuffled, each with its Items together and in their order, and
    attention checks spread evenly between Units, none at the very end.

    Example:
        >>> sequence([[1], [2, 3]], [9], random.Random(1))
        [2, 3, 9, 1]
    """
    shuffled = list(units)
    draw.shuffle(shuffled)
    step = len(shuffled) / (len(checks) + 1)
    before = {number: max(round(step * (number + 1)), 0) for number in range(len(checks))}
    made: list[T] = []
    for index, unit in enumerate([*shuffled, ()]):
        made += [check for number, check in enumerate(checks) if before[number] == index]
        made += unit
    return made


def positions(seed: int, person: str, key: str, number: int) -> list[int]:
    """Return the order in which a person sees options: the option at position n is `positions[n]` of the Item.

    It depends only on the arguments, so that a question looks the same after a reload. Every order is equally likely.
    """
    order = list(range(number))
    random.Random(f"{seed}/{person}/{key}").shuffle(order)
    return order


def original(picked: Sequence[int], order: Sequence[int]) -> list[int]:
    """Return the Item's options that were picked, in the Item's order, from positions on the screen.

    Example:
        >>> original([0, 2], [3, 1, 2, 0])
        [2, 3]
    """
    return sorted({order[position] for position in picked})


def faults(answers: Sequence[QuestionAnswer], rules: Validity) -> list[str]:
    """Return why a person's answers don't count; empty if they do.

    `inattentive`: more checks failed than allowed. `too-fast`: too many questions had a fast answer. `same-position`:
    at least 8 choices, all of them at the same position on the screen; options are shuffled, so answers to what was
    asked would not be. `unanswered`: too many questions were left.
    """
    unanswered = [answer for answer in answers if answer.passed is None]
    failed = sum(answer.passed is False for answer in answers)
    places = Counter(
        response.position for response in unanswered if response.position is not None and response.options > 1
    )
    problems = {
        "inattentive": failed > rules.most_failed,
        "too-fast": _share(answer.seconds < rules.least_seconds for answer in unanswered) > rules.most_fast,
        "same-position": len(places) == 1 and sum(places.values()) >= MIN_CHOICES,
        "unanswered": _share(answer.declined for answer in unanswered) > rules.most_declined,
    }
    return [name for name, is_so in problems.items() if is_so]


def typical_seconds(answers: Sequence[QuestionAnswer]) -> float:
    """Return the median time of an answer, in seconds; 0 without answers."""
    return float(median(answer.seconds for answer in answers)) if answers else 0.0


def _share(what: Iterable[bool]) -> float:
    values = list(what)
    return sum(values) / len(values) if values else 0.0
