"""Models of a package: `make(name, settings)` and the adapter that it returns. Nothing is asked."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Collection, Iterator, Mapping
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any, get_args, get_type_hints

from triptych.api.contracts.awaited import returns_awaitable
from triptych.api.contracts.signatures import NOTE, takes
from triptych.errors import SpecError
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.models.registry import ADAPTERS
from triptych.records import Kind
from triptych.records.plug_ins import shown

_METHODS = {"open": 0, "close": 0, "prepare": 2, "respond": 2}  # of an adapter: name -> number of arguments
_NO_SETTING = "no_such_setting"
# Words of the names of secrets: `api_key` and `auth-token`, not `keyframes` and `max_tokens`
_SECRET = re.compile(
    r"(?<![^\W_])(?:(?:api|access|secret)?keys?|(?:api|access|auth|bearer)[\W_]?token|password|secret)(?![^\W_])", re.I
)


def check(point: EntryPoint, module: ModuleType, model: str) -> Iterator[str]:
    """Yield the faults of a module of the group `triptych.models`."""
    uncallable = list(takes(module, "make", 2, "make(name, settings)"))
    yield from uncallable
    settings = getattr(module, "SETTINGS", ())
    if isinstance(settings, str) or not isinstance(settings, Collection):
        yield f"SETTINGS is {shown(settings)}; expected the names of the settings, or a mapping by name"
    if uncallable:
        return
    name, none = model or "check", dict[str, Any]()
    try:
        adapter = module.make(name, none)
    except SpecError as error:
        yield f"{NOTE}make({name!r}, {{}}) refuses: {error}. Give a name that it accepts with --model NAME"
        return
    if inspect.isclass(adapter):
        yield f"make returns the class {adapter.__name__}; expected an object of it: {adapter.__name__}(…)"
        return
    if not hasattr(adapter, "respond") and not hasattr(adapter, "name"):
        yield f"make returns {shown(adapter)}; expected an adapter, an object with name, settings, respond …"
        return
    if none:
        yield f"make changes the settings that it is given (to {none}); copy them: dict(settings)"
    yield from _attributes(adapter)
    yield from _names(point, adapter)
    yield from _differences_when_remade(module, adapter, name)
    yield from _unknown_setting(module, name)
    yield from _functions(adapter)
    if isinstance(settings := getattr(adapter, "settings", None), Mapping):
        yield from setting_faults(settings)


def setting_faults(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the settings that can't be written to a manifest, or must not be.

    >>> list(setting_faults({"temperature": 0.5, "seen": {1}}))
    ["settings['seen'] is set; expected a value of JSON: text, number, true, false, list, table"]
    """
    for name, value in settings.items():
        if _SECRET.search(str(name)):
            yield f"settings has {name!r}: settings are written to the manifest; read keys from the environment"
        if not isinstance(name, str):
            yield f"settings has the name {name!r}; expected a text"
        if (wrong := _no_json(value)) is not None:
            got = shown(wrong) if not isinstance(wrong, float) else f"{wrong}"
            yield f"settings[{name!r}] is {got}; expected a value of JSON: text, number, true, false, list, table"


def _no_json(value: Any) -> Any:
    """Return the first value in a setting that JSON can't hold, such as a set or NaN; None if it holds all."""
    if isinstance(value, Mapping):
        if wrong := [name for name in value if not isinstance(name, str)]:
            return {name: value[name] for name in wrong}
        inner = list(value.values())
    elif isinstance(value, list | tuple):
        inner = list(value)
    elif isinstance(value, float) and not math.isfinite(value):
        return value
    else:
        return None if value is None or isinstance(value, str | int | float) else value
    return next((wrong for each in inner if (wrong := _no_json(each)) is not None), None)


def _differences_when_remade(module: ModuleType, adapter: Any, name: str) -> Iterator[str]:
    """Yield what differs when the same model is made again, and a name that another model has as well."""
    try:
        again, other = module.make(name, {}), module.make(f"{name}-2", {})
    except Exception:  # noqa: BLE001 - it accepts only certain names
        return
    for part in ("name", "revision", "settings"):
        first, second = getattr(adapter, part, None), getattr(again, part, None)
        if first != second and not (isinstance(first, Mapping) and list(setting_faults(first))):
            yield f"{part} differs when the same model is made again, so no Run can be resumed: {first}, {second}"
    if isinstance(adapter.name, str) and adapter.name and getattr(other, "name", None) == adapter.name:
        made = f"make({name!r}, …) and make({name + '-2'!r}, …)"
        yield f"name is {adapter.name!r} for both {made}, so their Runs would be one; take the name that make gets"


def _unknown_setting(module: ModuleType, name: str) -> Iterator[str]:
    """Yield a note if `make` accepts a setting of any name: a misspelt `-M` would be recorded, and change nothing."""
    try:
        module.make(name, {_NO_SETTING: "1"})
    except Exception:  # noqa: BLE001 - it is refused, in whatever words
        return
    accepted = f"make accepts a setting that doesn't exist ({_NO_SETTING})"
    yield f"{NOTE}{accepted}, so a misspelt -M is recorded and changes nothing; see `take_settings`"


def _names(point: EntryPoint, adapter: Any) -> Iterator[str]:
    """Yield the faults of the names by which a model is asked and shown."""
    if point.name in ADAPTERS:
        yield f"the name {point.name!r} belongs to a built-in adapter; this one can't be used"
    if "/" in point.name:
        yield f"the name {point.name!r} contains a slash, which separates ADAPTER/NAME; this one can't be used"
    name = getattr(adapter, "name", None)
    if isinstance(name, str) and name and "/" not in name:
        yield f"name is {name!r}; expected {point.name}/NAME, by which tables and manifests know the model"


def _attributes(adapter: Any) -> Iterator[str]:
    expected = {
        "name": str,
        "revision": str,
        "settings": Mapping,
        "accepts": frozenset,
        "endpoint": str,
        "deterministic": bool,
    }
    for name, type_ in expected.items():
        if not hasattr(adapter, name):
            yield f"the adapter has no attribute {name}"
        elif not isinstance(value := getattr(adapter, name), type_):
            yield f"{name} is {type(value).__name__}; expected {type_.__name__}"
        elif name == "name" and not value:
            yield "name is empty"
        elif isinstance(value, frozenset):
            yield from _kinds(value)


def _kinds(accepted: frozenset[Any]) -> Iterator[str]:
    if unknown := accepted - set(get_args(Kind)):
        kinds = ", ".join(map(str, sorted(unknown)))
        yield f"accepts has unknown kinds: {kinds}; known: {', '.join(get_args(Kind))}"
    elif not accepted:
        yield f"accepts is empty, so every Request would be skipped; expected some of: {', '.join(get_args(Kind))}"
    elif "text" not in accepted:
        yield f"{NOTE}accepts has no 'text', so every Request with words (a question, an instruction) is skipped"


def _functions(adapter: Any) -> Iterator[str]:
    if getattr(type(adapter), "respond", None) is SimpleAdapter.respond:
        yield "the adapter has no respond(request, prepared) of its own"
    for name, arguments in _METHODS.items():
        method = getattr(adapter, name, None)
        if not callable(method) or not returns_awaitable(method):
            yield (
                f"{name} is not a coroutine function (async def); if it returns a coroutine of another function, "
                "annotate it with -> Awaitable[…]"
            )
        else:
            yield from takes(adapter, name, arguments, f"{name} of the adapter")
    try:
        returned = get_type_hints(adapter.respond).get("return", Reply)
    except Exception:  # noqa: BLE001 - there is no such function, or its annotations can't be evaluated
        return
    if inspect.isclass(returned) and not issubclass(returned, Reply):
        yield f"respond returns {returned.__name__}, by its annotation; expected a Reply"
