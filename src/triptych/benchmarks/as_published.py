"""How a paper asked its models, as data: `as_published.toml` next to the specification (`run … --as-in NAME`).

`[all]` applies to every model, each `[[systems]]` to the models of the catalogue that it names. Each
table says where its values come from: `source`, a section of the paper or a file of its released code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.registry import known_benchmarks, load_benchmark
from triptych.errors import SpecError
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason

FILE = "as_published.toml"


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How some models, or all, were asked.

    source    where this is stated: a section of the paper, a file of the released code
    models    keys of the catalogue
    when      facet -> values: only where a Run asks no other values of the facet
    decoding  decoding settings, as `-M` takes them; an empty text takes one back that holds for all
    settings  other settings of adapters, as `-M` takes them; applied by adapters that have them
    packing   how media were sent, as `--packing` reads it
    served    the packing of adapters that can't carry that one out, such as endpoints that get whole films
    system    the system prompt, word by word; empty: none was sent
    filters   facet -> the values that were asked
    software  what ran the model, such as a release of transformers; stated, not applied
    notes     what else a reader must know, such as what can't be repeated
    """

    source: str
    models: tuple[str, ...] = ()
    when: dict[str, tuple[str, ...]] = {}
    decoding: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    packing: str = ""
    served: str = ""
    system: str | None = None
    filters: dict[str, tuple[str, ...]] = {}
    software: str = ""
    notes: tuple[str, ...] = ()

    def applies(self, facet_values: Mapping[str, Iterable[str]]) -> bool:
        """Return whether a Run that asks these values of facets is one that this is stated about."""
        chosen = {facet: set(facet_values.get(facet, ())) for facet in self.when}
        return all(chosen[facet] and chosen[facet] <= set(values) for facet, values in self.when.items())

    def as_row(self) -> dict[str, Any]:
        """Return what is stated, without the models and what is empty, for listings and JSON."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__ if name != "models"}
        return {name: value for name, value in fields.items() if value or (name == "system" and value is not None)}


class AsPublished(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    all: Published
    systems: tuple[Published, ...] = ()

    def entries_of(self, key: str) -> tuple[Published, ...]:
        """Return how a model of the catalogue was asked, what is stated about some of its questions last; empty if
        nothing is stated about it alone."""
        return tuple(sorted((one for one in self.systems if key in one.models), key=lambda one: bool(one.when)))


@cache
def as_published(benchmark: str) -> AsPublished:
    """Return how a benchmark's paper asked its models. Raises SpecError if that is not known."""
    path = load_benchmark(benchmark).folder / FILE if benchmark in known_benchmarks() else None
    if path is None or not path.is_file():
        names = ", ".join(papers())
        raise SpecError(f"the settings of a paper {benchmark!r} are not known", where="--as-in", expected=names)
    return read_published(path)


def read_published(path: Path) -> AsPublished:
    """Return the content of such a file. Raises SpecError if it is damaged."""
    try:
        return msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), AsPublished)
    except (OSError, msgspec.ValidationError, *NO_TOML) as error:
        raise SpecError("the settings of the paper can't be read", where=path, got=reason(error)) from None


def papers() -> list[str]:
    """Return the benchmarks whose papers' settings are known."""
    return [name for name in known_benchmarks() if (load_benchmark(name).folder / FILE).is_file()]
