"""Quotas: a greatest number of questions for each category; a question that can't stay is replaced by the next one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.stages.guessing import unguessable
from triptych.construction.stages.options import balance_keys
from triptych.errors import SpecError, nearest

_ROUNDS = 20


class Quotas(Parameters, frozen=True):
    most: Annotated[
        dict[str, Annotated[int, Meta(ge=0)]],
        Meta(description='greatest number of questions by task and category or group: { "main/SR" = 300 }'),
    ] = msgspec.field(default_factory=dict)
    most_per_stratum: Annotated[
        int,
        Meta(ge=0, description="greatest number of questions of a task about each `stratum`, such as a genre; 0: all"),
    ] = 0
    groups: Annotated[
        dict[str, str], Meta(description="the group of each category, by task and category; set by the recipe")
    ] = msgspec.field(default_factory=dict)


@stage(
    "quotas",
    version=2,
    kind="whole",
    reads=["task", "category", "stratum?", "question?", "options?", "answers?", "blind_right?"],
    writes=[],
    parameters=Quotas,
)
def quotas(records: Sequence[Values], context: Context[Quotas]) -> list[Outcome]:
    """Limit the questions of each task and category or group of categories, and of each `stratum` in a task.

    The seed decides on the order in which questions are taken. A question that `unguessable` would leave out is
    replaced by the next of its kind, as long as there is one. A question that an earlier stage or a person drops is
    replaced too, since quotas are filled again from the questions that are left.
    """
    wanted = context.parameters
    if unknown := sorted(
        wanted.most.keys() - wanted.groups.keys() - set(wanted.groups.values()) if wanted.groups else ()
    ):
        names = sorted({*wanted.groups, *wanted.groups.values()})
        raise SpecError(
            f"quotas: no category {unknown[0]!r}",
            where="[stages.quotas.most]",
            fix=nearest(unknown[0], names),
            expected="TASK/CATEGORY or TASK/GROUP: " + ", ".join(sorted(set(wanted.groups.values()))),
        )
    order = sorted(records, key=lambda values: context.random("quotas", values.id).random())
    replaced = dict[str, str]()
    for _ in range(_ROUNDS):
        taken, full = _select_by_quotas([values for values in order if values.id not in replaced], wanted)
        guessable_ids = _guessable(taken, context)
        waiting = Counter(kind for values in order if values.id in full for kind in [full[values.id]])
        swapped = dict[str, str]()
        for values in taken:
            kind = next((kind for kind in _kinds(values, wanted) if waiting[kind]), None)
            if values.id in guessable_ids and kind is not None:
                waiting[kind] -= 1
                swapped[values.id] = guessable_ids[values.id]
        if not swapped:
            break
        replaced |= swapped
    taken, full = _select_by_quotas([values for values in order if values.id not in replaced], wanted)
    return [_decided(values, full, replaced) for values in records]


def _decided(values: Values, full: Mapping[str, str], replaced: Mapping[str, str]) -> Outcome:
    if values.id in replaced:
        return dropped("guessable-replaced", replaced[values.id])
    return dropped("over-quota", full[values.id]) if values.id in full else kept()


def _select_by_quotas(order: Sequence[Values], wanted: Quotas) -> tuple[list[Values], dict[str, str]]:
    """Return the questions that the quotas let through, in order, and for each other one the quota that is full."""
    held, taken, full = Counter[str](), list[Values](), dict[str, str]()
    for values in order:
        kinds = _kinds(values, wanted)
        over = next((kind for kind, limit in kinds.items() if held[kind] >= limit), None)
        if over is None:
            taken.append(values)
            held.update(kinds.keys())
        else:
            full[values.id] = over
    return taken, full


def _kinds(values: Values, wanted: Quotas) -> dict[str, int]:
    """Return the quotas that a question counts in, each with its limit."""
    name = f"{values['task']}/{values['category']}"
    named = [name, *([wanted.groups[name]] if name in wanted.groups else [])]
    kinds = {kind: wanted.most[kind] for kind in named if kind in wanted.most}
    if values["stratum"] and wanted.most_per_stratum:
        kinds[f"{values['task']} of {values['stratum']}"] = wanted.most_per_stratum
    return kinds


def _guessable(taken: Sequence[Values], context: Context[Quotas]) -> dict[str, str]:
    """Return the questions that `unguessable` would leave out of these, once their options are balanced."""
    with_options = sorted((v for v in taken if v["options"] is not None), key=lambda values: values.id)
    if not with_options:
        return {}
    placed = balance_keys.run(with_options, context)
    values_asked = [
        Values(unguessable, values.id, {**values, **outcome.fields})
        for values, outcome in zip(with_options, placed, strict=True)
    ]
    guessed = unguessable.run(values_asked, Context(unguessable.parameters, context.media, context.seed, context.base))
    return dict(_dropped(values_asked, guessed))


def _dropped(records: Sequence[Values], outcomes: Sequence[Outcome]) -> Iterator[tuple[str, str]]:
    for values, outcome in zip(records, outcomes, strict=True):
        if outcome.decision == "dropped":
            yield values.id, outcome.note
