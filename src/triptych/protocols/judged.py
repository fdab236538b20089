"""Select the parts of a Unit that a judge sees.

A specification names the rubric of a metric (`rubrics` of a task). A benchmark whose Units need more than question,
reference and reply defines a function in its protocols.py:

    judged(unit, metric, protocol) -> Wanted | None      None: nothing to judge under this protocol
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from triptych.judges.cases import Case
from triptych.judges.rubric import Order, Rubric, check_stands_for, load_rubric
from triptych.protocols.outcomes import ANY_TEXT, lost_status
from triptych.protocols.protocol import Unit
from triptych.records import Item, Part
from triptych.records.parts import text


@dataclass(frozen=True, slots=True)
class Wanted:
    """The text of a rubric's slots, and the orders in which the protocol needs it judged."""

    slots: Mapping[str, str]
    orders: tuple[Order, ...] = ("straight",)


Hook = Callable[[Unit, str, str], Wanted | None]


def usual_slots(unit: Unit) -> dict[str, str]:
    """Return `question`, `options`, `source` (the content's text), `reference` and `reply`."""
    item = unit.item
    return {
        "question": "\n".join(p.text for p in item.parts if not p.is_media and p.role != "content"),
        "source": "\n".join(p.text for p in item.parts if not p.is_media and p.role == "content"),
        "options": "\n".join(item.option_texts()),
        "reference": "\n".join(item.targets),
        "reply": "\n".join(r.text for r in unit.responses if r is not None),
    }


def usual_case(unit: Unit, metric: str, protocol: str) -> Wanted | None:
    """Return question, reference and reply, judged once; None if there is no reply or no reference."""
    if lost_status(unit, ANY_TEXT) or unit.item.target is None:
        return None
    return Wanted(usual_slots(unit))


def cases_of(
    unit: Unit,
    named: Mapping[str, str],
    protocols: Iterable[str],
    hook: Hook,
    descriptions: Mapping[str, str] | None = None,
    rubrics: Mapping[str, Rubric] | None = None,
    *,
    media: bool = False,
) -> list[Case]:
    """Return all cases of a Unit that these protocols need judged; cases that two of them share are judged once.

    `named`: the names of the Task's rubrics, by metric. `rubrics`: replacements of the Task's rubrics, by metric.
    `media`: the Item's media are for judges that take them, where the rubric has a place for their description.
    Raises SpecError if a rubric can't be used instead of the Task's.
    """
    cases: dict[tuple[str, tuple[tuple[str, str], ...]], Case] = {}
    described = _description(unit.item, descriptions or {})
    for metric, name in named.items():
        rubric = usual_one = load_rubric(name)
        for protocol in protocols:
            wanted = hook(unit, metric, protocol)
            if wanted is None:
                continue
            slots = {**wanted.slots, **({"description": described} if described else {})}
            if (rubric := (rubrics or {}).get(metric, usual_one)) is not usual_one:
                check_stands_for(rubric, usual_one, metric, {"description": "", **slots})
            key = (metric, tuple(sorted(slots.items())))
            case_orders = cases[key].orders if key in cases else ()
            orders = tuple(dict.fromkeys((*case_orders, *wanted.orders)))
            shown = media_of(unit.item) if media and "description" in rubric.slots else ()
            cases[key] = Case(unit.unit_id, metric, rubric, slots, orders, media=shown)
    return list(cases.values())


def _description(item: Item, descriptions: Mapping[str, str]) -> str:
    """Return the descriptions of the Item's media, found by its id or by their paths, in order."""
    if item.id in descriptions:
        return descriptions[item.id]
    return "\n\n".join(descriptions[p.path] for p in item.parts if p.is_media and p.path in descriptions)


def media_of(item: Item) -> tuple[Part, ...]:
    """Return the media of a question, as the model was given them; those of options each after the option's letter.
    Empty for a question without media."""
    shown = [part for part in item.parts if part.is_media]
    for number, option in enumerate(item.options):
        if media := [part for part in option if part.is_media]:
            shown += [text(f"{item.labels[number] if number < len(item.labels) else number + 1}."), *media]
    return tuple(shown)
