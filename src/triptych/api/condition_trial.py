"""What `check-plugin` tries of a Condition: it is made with its defaults, and applied twice to Items of mini sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

import msgspec

from triptych.api.contracts.signatures import NOTE, message_of
from triptych.benchmarks.registry import known_benchmarks
from triptych.conditions.applying import apply_all, prompt_under, type_fault
from triptych.conditions.condition import Argument, Condition, NotApplicable, Offer, condition_fault
from triptych.errors import SpecError, TriptychError
from triptych.prompts.template import PromptSpec
from triptych.records import Item
from triptych.records.plug_ins import line_of

ITEMS = 2  # of each Task of a mini set
_PROMPT = PromptSpec(("{content}", "{question}", "{options}"), source="check-plugin")


def condition_trial(name: str, offer: Offer) -> Iterator[str]:
    """Yield the faults of a Condition: what keeps it from being made, and from changing Items as the contract says."""
    arguments = usual_arguments(offer)
    if arguments is None:
        yield f"{NOTE}{name}: it needs the name of a file, so it was not tried"
        return
    made, faults = _make(name, offer, arguments)
    yield from faults
    if made is not None:
        others, faults = _other_arguments(name, offer, arguments, made)
        yield from faults
        distinct: dict[str, str] = {}
        for one in (made, *others):
            for fault in item_faults(name, one):
                distinct.setdefault(fault.replace(repr(one.name), repr(name)), fault)
        yield from distinct.values()


def usual_arguments(offer: Offer) -> dict[str, str] | None:
    """Return values for the arguments that have no default; None if one of them is a file or a text of any kind."""
    arguments = {}
    for argument in offer.arguments or ():
        if argument.default is None:
            values = _values(argument)
            if not values:
                return None
            arguments[argument.name] = values[0]
    return arguments


def _values(argument: Argument) -> list[str]:
    """Return two values that an argument may have; none if it is a text of any kind."""
    if argument.choices:
        return list(argument.choices[:2])
    if argument.kind is str or argument.opens:
        return []
    low = max(argument.least, min(argument.most - 1, 1))
    return [str(argument.kind(value)) for value in (low, low + 1) if value <= argument.most]


def _make(name: str, offer: Offer, arguments: Mapping[str, str]) -> tuple[Condition | None, list[str]]:
    with_ = "its defaults" if not arguments else ",".join(f"{key}={value}" for key, value in arguments.items())
    try:
        made = offer.make(dict(arguments), 0)
    except SpecError as error:
        why = " ".join(str(error).split())
        return None, [f"{NOTE}{name}: make with {with_} refuses, so it was not tried: {why}"]
    except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code can raise anything
        return None, [f"{name}: make with {with_} fails: {message_of(error)}"]
    if (fault := condition_fault(name, made)) is not None:
        return None, [f"{name}: make {fault}"]
    summary = getattr(made, "summary", None)
    if not isinstance(summary, str) or not summary:
        return made, [f"{name}: the Condition has no summary, a text of one line"]
    return made, []


def _other_arguments(
    name: str, offer: Offer, usual: Mapping[str, str], made: Condition
) -> tuple[list[Condition], list[str]]:
    """Return the Condition with another value of each argument, and the arguments that its name doesn't tell: Runs with
    other values would be one Run."""
    others: list[Condition] = []
    faults: list[str] = []
    for argument in offer.arguments or ():
        values = [value for value in _values(argument) if value != usual.get(argument.name, argument.default)]
        for value in values[:1]:
            other, wrong = _make(name, offer, {**usual, argument.name: value})
            faults += wrong
            if other is not None:
                others.append(other)
                if other.name == made.name:
                    shared = f"its name is {made.name!r} with {argument.name}={value} too"
                    faults.append(f"{name}: {shared}, so two Runs would be one")
    return others, faults


def item_faults(name: str, made: Condition) -> Iterator[str]:
    """Yield what is wrong with the Items that a Condition makes of those of the mini sets."""
    changed = empty = 0
    try:
        prompt_under(_PROMPT, [made])
    except TriptychError as error:
        yield f"{name}: {error.problem}"
    for item in mini_items():
        before = msgspec.json.encode(item)
        try:
            first = apply_all(item, [made])
            second = apply_all(item, [made])
        except NotApplicable:
            continue
        except TriptychError as error:
            yield f"{name}: {error.problem}, of {error.where}" + (f" ({line})" if (line := line_of(error)) else "")
            return
        changed += 1
        empty += all(not one.parts for one in first)
        if msgspec.json.encode(item) != before:
            yield f"{name}: it changes the Item that it is given (such as its facets); return another one: replace(…)"
            return
        if first != second:
            yield f"{name}: it makes something else of the same Item the second time; draw numbers from the seed alone"
            return
        yield from _item(name, first)
    if not changed:
        yield f"{NOTE}{name}: it can be applied to no Item of the mini sets, so it was not tried"
    elif empty == changed:
        yield f"{name}: it leaves no Item with parts, so no question would be asked"


def _item(name: str, items: tuple[Item, ...]) -> Iterator[str]:
    for item in items:
        if fault := type_fault(item):
            yield f"{name}: it makes {fault}"
    if doubled := [id for id, count in Counter(item.id for item in items).items() if count > 1]:
        yield f"{name}: variants gives several Items the id {doubled[0]!r}"


def mini_items() -> tuple[Item, ...]:
    """Return Items of the mini sets of all benchmarks, a few of each Task: new ones in each call, since a faulty
    Condition may change those that it is given."""
    return tuple(msgspec.msgpack.decode(_encoded_items(), type=list[Item]))


@cache
def _encoded_items() -> bytes:
    chosen = []
    for bench in known_benchmarks().values():
        tasks: Counter[str] = Counter()
        try:
            for item in bench.items(bench.mini, report=lambda problem: None):
                if tasks[item.task] < ITEMS:
                    tasks[item.task] += 1
                    chosen.append(item)
        except Exception:  # noqa: BLE001 - another package's benchmark, of which `check-plugin` says what is wrong
            continue
    return msgspec.msgpack.encode(chosen)
