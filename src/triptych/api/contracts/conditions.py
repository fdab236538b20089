"""Conditions of a package: each entry of `CONDITIONS` has a name of its own, a summary, arguments, and a function that
makes it; each is made with its defaults and tried on questions (`condition_trial`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

from triptych.api.condition_trial import condition_trial
from triptych.api.contracts.signatures import NOTE, plainly_takes, texts
from triptych.conditions.condition import Argument, Offer, fault_of_default, known_conditions
from triptych.records.plug_ins import origin_of, shown

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_KINDS = (str, int, float)


def check(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    """Yield the faults of a module of the group `triptych.conditions`."""
    offered = getattr(module, "CONDITIONS", None)
    if not offered or not isinstance(offered, Mapping):
        got = "missing or empty" if not offered else shown(offered)
        yield f"CONDITIONS is {got}; expected a mapping of names to Offer(summary, make, arguments)"
        return
    for name, entry in offered.items():
        if not isinstance(entry, tuple) or not 2 <= len(entry) <= 3:
            yield f"CONDITIONS[{name!r}] is {shown(entry)}; expected Offer(summary, make, arguments)"
            continue
        if not isinstance(entry, Offer):
            yield f"{NOTE}CONDITIONS[{name!r}] is a plain tuple; Offer(summary, make, arguments) declares its arguments"
        yield from _offer(point, name, Offer(*entry))


def _offer(point: EntryPoint, name: Any, offer: Offer) -> Iterator[str]:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        yield f"the name {name!r} can't be given to --condition; expected small letters, digits, - and _, as in `shout`"
        return
    owner = known_conditions().get(name)
    if owner is not None and owner.origin != origin_of(point):
        yield f"{name}: {owner.origin} has a Condition with this name; this one can't be used"
        return
    faults = [
        *texts(offer, ("summary",), f"{name}: the "),
        *argument_faults(name, offer.arguments),
        *([f"{name}: make is not a function"] if not callable(offer.make) else ()),
    ]
    if callable(offer.make):
        faults += plainly_takes(offer, "make", 2, f"{name}: make(arguments, seed)")
    yield from faults or condition_trial(name, offer)


def argument_faults(name: str, arguments: object) -> Iterator[str]:
    """Yield the faults of the arguments that an Offer declares."""
    if arguments is None:
        return
    if not isinstance(arguments, tuple) or not all(isinstance(one, Argument) for one in arguments):
        yield f"{name}: arguments is {arguments!r}; expected a tuple of Argument"
        return
    for argument, count in Counter(argument.name for argument in arguments).items():
        if count > 1:
            yield f"{name}: two arguments are named {argument!r}"
    for argument in arguments:
        about = f"{name}: the argument {argument.name!r}"
        yield from texts(argument, ("name", "help"), f"{about}: ")
        if argument.kind not in _KINDS:
            yield f"{about}: kind is {argument.kind!r}; expected str, int or float"
        elif argument.default is not None and not isinstance(argument.default, str):
            yield f"{about}: default is {argument.default!r}; expected a text, as on the command line, or None"
        elif (fault := fault_of_default(argument)) is not None:
            yield f"{about} has a default that is refused: {fault}"
