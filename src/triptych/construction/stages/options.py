"""Questions with options: fairness of the options, and positions of the correct ones that reveal nothing.

A question's fields: `question`, `options` (texts), `answers` (positions of the correct ones, from 0).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.text_checks.options.choices import Limits, choice_fault
from triptych.construction.text_checks.wording import wording_fault


class Options(Parameters, frozen=True):
    """Parameters of `options`."""

    least: Annotated[int, Meta(ge=2, le=26, description="least number of options")] = 4
    most: Annotated[int, Meta(ge=2, le=26, description="greatest number of options")] = 4
    least_right: Annotated[int, Meta(ge=1, le=25, description="least number of correct options")] = 1
    most_right: Annotated[int, Meta(ge=1, le=25, description="greatest number of correct options")] = 1
    length_ratio: Annotated[
        float,
        Meta(
            ge=0,
            description="greatest ratio of the lengths of a correct and the mean wrong option (0: not checked)",
        ),
    ] = 2.0
    in_question: Annotated[
        bool, Meta(description="whether a question that contains a correct option and no wrong one is dropped")
    ] = True

    def __post_init__(self) -> None:
        if self.least > self.most or self.least_right > self.most_right:
            raise ValueError("a least number is greater than the greatest")


@stage(
    "options",
    version=7,
    reads=["question", "options", "answers"],
    writes=[],
    parameters=Options,
)
def options(values: Values, context: Context[Options]) -> Outcome:
    """Check a question's options: number, correct ones, unique, exclusive, similar length, answer not in the question.

    Two options are the same if they differ only in case, width, spaces and punctuation; an option that contains another
    one isn't exclusive. `length_ratio`: the greatest allowed ratio of the length of a correct option to the mean wrong
    one, in both directions (0: not checked). With `in_question`, a question is dropped if it contains a correct option
    and no wrong one, which reveals the answer. Options with letters of their own, marks ("(correct)"), markup or
    invisible characters, "all of the above", twins in another script, and a question that lists its options are faults
    too (`triptych.construction.text_checks.wording`).
    """
    fields = values["question"], values["options"]
    fault = wording_fault(*fields) or choice_fault(*fields, values["answers"], Limits(**context.parameters))
    return dropped(*fault) if fault else kept()


@stage(
    "balance-keys",
    version=2,
    reads=["options", "answers", "task?"],
    writes=["options", "answers"],
    kind="whole",
)
def balance_keys(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Reorder the options so that every position (or set of positions) is correct equally often.

    Among questions with the same numbers of options and of correct ones, each set of positions is used equally often
    (to within one), overall and within each `task`. The seed and the questions' ids decide which question gets which
    set, and the order of the other options.
    """
    groups: dict[tuple[int, int], list[Values]] = defaultdict(list)
    for values in records:
        groups[len(values["options"]), len(values["answers"])].append(values)
    placed: dict[str, Outcome] = {}
    for (number, right), group in sorted(groups.items()):
        sets = list(itertools.combinations(range(number), right))
        context.random("sets", number, right).shuffle(sets)
        order = sorted(group, key=lambda v: (str(v["task"] or ""), context.random("order", v.id).random()))
        for turn, values in enumerate(order):
            placed[values.id] = _place_answers(values, sets[turn % len(sets)], context)
    return [placed[values.id] for values in records]


def _place_answers(values: Values, places: tuple[int, ...], context: Context) -> Outcome:
    """Return the options with the correct ones at these positions."""
    draw, options = context.random("places", values.id), list(values["options"])
    right = [options[p] for p in values["answers"]]
    wrong = [option for index, option in enumerate(options) if index not in values["answers"]]
    draw.shuffle(right)
    draw.shuffle(wrong)
    made = [right.pop() if index in places else wrong.pop() for index in range(len(options))]
    return kept(options=made, answers=list(places))
