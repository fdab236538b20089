"""Parameters of stages: one Struct for each stage, with the type, range, default and meaning of every field.

    class Length(Parameters, frozen=True):
        most: Annotated[int, Meta(ge=1, description="greatest number of characters")] = 200

    @stage("length", version=1, reads=["text"], writes=["characters"], parameters=Length)
    def length(values: Values, context: Context[Length]) -> Outcome:
        n = len(values["text"])
        return kept(characters=n) if n <= context.parameters.most else dropped("too-long", f"{n} characters")

Ranges are those of `msgspec.Meta` (`ge`, `gt`, `le`, `lt`, `min_length`, `pattern`), choices are a `Literal`. Rules
that concern several fields are checked by `__post_init__`, which raises ValueError. Values of `[stages.NAME]` are
checked when the configuration is read, before anything is built.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from triptych.errors import SpecError, nearest


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parameters of a stage. The fields of a stage without parameters are none."""

    def __getitem__(self, name: str) -> Any:
        if name not in self.__struct_fields__:
            raise KeyError(name)
        return getattr(self, name)

    def keys(self) -> tuple[str, ...]:
        """The names of the fields, so that `dict(parameters)` is the mapping of names to values."""
        return self.__struct_fields__

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a field, or `default` if there is no such field."""
        return getattr(self, name) if name in self.__struct_fields__ else default

    def __iter__(self) -> Iterator[str]:
        return iter(self.__struct_fields__)


@dataclass(frozen=True)
class Field:
    """A parameter for people: its name, what its values may be, its default, and its meaning."""

    name: str
    expected: str
    default: Any
    meaning: str


def fields_of(kind: type[Parameters] | Parameters) -> list[Field]:
    """Return the fields of a stage's parameters, in the order of the Struct.

    The defaults of a Struct's instance are its values.
    """
    instance = kind() if isinstance(kind, type) else kind
    described = inspect.type_info(type(instance))
    assert isinstance(described, inspect.StructType)
    return [
        Field(each.name, expected(each.type), instance[each.name], _field_description(each.type))
        for each in described.fields
    ]


def changed(stage: str, parameters: Parameters, field_values: Mapping[str, Any]) -> Parameters:
    """Return the parameters with other values.

    Raises SpecError for an unknown name, or a value of another type or out of range. Numbers stay as they are written
    (30 is not turned into 30.0), since keys and outputs contain them.
    """
    types = _types(type(parameters))
    values = {}
    for name, value in field_values.items():
        if name not in types:
            type_names = ", ".join(types) or "none: the stage has no parameters"
            raise SpecError(
                f"stage {stage!r} has no parameter {name!r}",
                where=f"[stages.{stage}]",
                expected=type_names if len(type_names) < 200 else f"a name of `triptych list stages {stage}`",
                fix=nearest(name, types),
            )
        try:
            _check_finite(value)
            values[name] = _as_written(value, msgspec.convert(value, types[name]))
        except (msgspec.ValidationError, OverflowError):
            raise _wrong_value_error(stage, name, value, type(parameters)) from None
    try:
        return msgspec.structs.replace(parameters, **values)
    except ValueError as error:
        wrong = ", ".join(f"{name} = {value!r}" for name, value in field_values.items())
        raise SpecError(
            f"stage {stage!r}: the parameters don't fit together: {error}", where=f"[stages.{stage}]", got=wrong
        ) from None


def as_parameters(
    stage: str,
    parameters: Parameters | type[Parameters] | Mapping[str, Any] | None,
    defaults: Mapping[str, Any],
    base: type[Parameters] = Parameters,
) -> Parameters:
    """Return a stage's parameters. If only names and defaults are given, the types are those of the defaults."""
    if isinstance(parameters, Parameters):
        return parameters
    if isinstance(parameters, type):
        return parameters()
    loose = {**(parameters or {}), **defaults}
    made = [
        (name, _type_of(value), msgspec.field(default_factory=_constant_factory(value)))
        for name, value in loose.items()
    ]
    name = "".join(part.capitalize() for part in stage.replace("_", "-").split("-"))
    kind = msgspec.defstruct(
        name, made, bases=(base,), frozen=True, kw_only=True, forbid_unknown_fields=True, module=__name__
    )
    return kind()  # type: ignore[return-value]


def declared_loosely(parameters: Parameters) -> bool:
    """Return whether only names and defaults of some parameters were declared, so that these have no meaning."""
    return type(parameters).__module__ == __name__ and any(not field.meaning for field in fields_of(parameters))


def expected(kind: inspect.Type) -> str:
    """Return what a value may be, in words.

    >>> expected(inspect.type_info(int)), expected(inspect.type_info(tuple[str, ...]))
    ('whole number', 'list: text')
    """
    match kind:
        case inspect.Metadata():
            return expected(kind.type)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"whole number{_range(kind)}"
        case inspect.FloatType():
            return f"number{_range(kind)}"
        case inspect.StrType():
            minimum = " that is not empty" if kind.min_length else ""
            return f"text{minimum}" + (f" that matches {kind.pattern}" if kind.pattern else "")
        case inspect.LiteralType():
            return "one of: " + ", ".join(map(str, kind.values))
        case inspect.NoneType():
            return "nothing"
        case inspect.VarTupleType() | inspect.ListType():
            minimum = f"{kind.min_length} or more of " if kind.min_length else ""
            return f"list: {minimum}{expected(kind.item_type)}"
        case inspect.TupleType():
            return f"list of {len(kind.item_types)}: {'; '.join(dict.fromkeys(map(expected, kind.item_types)))}"
        case inspect.DictType():
            return f"table: {expected(kind.key_type)} = {expected(kind.value_type)}"
        case inspect.UnionType():
            types = list(dict.fromkeys(map(expected, kind.types)))
            return "number" if set(types) == {"whole number", "number"} else " or ".join(types)
        case inspect.StructType():
            return "table: " + ", ".join(each.name for each in kind.fields)
    return "any value"


def _range(kind: inspect.IntType | inspect.FloatType) -> str:
    low = f"{kind.ge:,} or more" if kind.ge is not None else f"above {kind.gt:,}" if kind.gt is not None else ""
    if kind.le is None and kind.lt is None:
        return f", {low}" if low else ""
    high = f"{kind.le:,}" if kind.le is not None else f"less than {kind.lt:,}"
    if kind.ge is not None:
        return f" from {kind.ge:,} to {high}"
    return f", {low} and up to {high}" if low else f" up to {high}"


def _wrong_value_error(stage: str, name: str, value: Any, kind: type[Parameters]) -> SpecError:
    field = next(each for each in fields_of(kind) if each.name == name)
    choices = field.expected.removeprefix("one of: ").split(", ") if field.expected.startswith("one of: ") else []
    finite = " (finite)" if "number" in field.expected else ""
    return SpecError(
        f"stage {stage!r}: the parameter {name!r} has a wrong value",
        where=f"[stages.{stage}]",
        got=repr(value)[:80],
        expected=f"{field.expected}{finite}; the default is {field.default!r}"[:300],
        fix=close if isinstance(value, str) and (close := nearest(value, choices)).startswith("did you mean") else None,
    )


def _field_description(kind: inspect.Type) -> str:
    """Return the description of a field's `Meta`."""
    if isinstance(kind, inspect.Metadata):
        return str((kind.extra_json_schema or {}).get("description", "")) or _field_description(kind.type)
    return ""


@cache
def _types(kind: type[Parameters]) -> dict[str, Any]:
    from typing import get_type_hints

    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__struct_fields__}


def _as_written(content: Any, converted: Any) -> Any:
    """Return a converted value with the numbers as they were given."""
    if isinstance(converted, msgspec.Struct):
        return converted
    if isinstance(content, int | float):
        return content
    if isinstance(content, Mapping):
        return {name: _as_written(value, converted[name]) for name, value in content.items()}
    if isinstance(content, Sequence) and not isinstance(content, str | bytes):
        return type(converted)(_as_written(a, b) for a, b in zip(content, converted, strict=True))
    return converted


def _check_finite(value: Any) -> None:
    """Raise OverflowError for a number that is not finite, since keys are JSON, which lacks it."""
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError(value)
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    for each in inner:
        _check_finite(each)


def _constant_factory(value: Any) -> Any:
    return lambda: value


def _type_of(default: Any) -> Any:
    """Return the type of the values that are like a default: number, text, list of the same, table."""
    for kind, wanted in ((bool, bool), (int | float, int | float), (str, str), (Mapping, dict[str, Any])):
        if isinstance(default, kind):
            return wanted
    if isinstance(default, Sequence):
        first = next(iter(default), None)
        return tuple[Any if first is None else _type_of(first), ...]  # type: ignore[misc]
    return Any
