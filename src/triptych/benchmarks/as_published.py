"""How a paper asked its models, as data: `as_published.toml` next to the specification (`run … --as-in NAME`).

`[all]` applies to every model, each `[[systems]]` to the models of the catalogue that it names. Each
table says where its values come from: `source`, a section of the paper or a file of its released code.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.registry import known_benchmarks, load_benchmark
from triptych.errors import SpecError
from triptych.records.unreadable import NO_TOML

FILE = "as_published.toml"


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How some models, or all, were asked.

    source    where this is stated: a section of the paper, a file of the released code
    models    keys of the catalogue
    decoding  decoding settings, as `-M` takes them; 0 or an empty text takes one back that holds for all
    packing   how media were sent, as `--packing` reads it
    system    the system prompt, word by word; empty: none was sent
    filters   facet -> the values that were asked
    notes     what else a reader must know, such as what can't be repeated
    """

    source: str
    models: tuple[str, ...] = ()
    decoding: dict[str, Any] = {}
    packing: str = ""
    system: str | None = None
    filters: dict[str, tuple[str, ...]] = {}
    notes: tuple[str, ...] = ()


class AsPublished(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    all: Published
    systems: tuple[Published, ...] = ()

    def of(self, key: str) -> Published | None:
        """Return how a model of the catalogue was asked; None if nothing is stated about it alone."""
        return next((one for one in self.systems if key in one.models), None)


@cache
def as_published(benchmark: str) -> AsPublished:
    """Return how a benchmark's paper asked its models. Raises SpecError if that is not known."""
    path = load_benchmark(benchmark).folder / FILE if benchmark in known_benchmarks() else None
    if path is None or not path.is_file():
        known = ", ".join(papers())
        raise SpecError(f"no paper {benchmark!r} whose settings are known", where="--as-in", expected=known)
    return read_published(path)


def read_published(path: Path) -> AsPublished:
    """Return the content of such a file. Raises SpecError if it is damaged."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), AsPublished)
    except (OSError, msgspec.ValidationError, *NO_TOML) as error:
        raise SpecError("the settings of the paper can't be read", where=path, got=str(error)) from None


def papers() -> list[str]:
    """Return the benchmarks whose papers' settings are known."""
    return [name for name in known_benchmarks() if (load_benchmark(name).folder / FILE).is_file()]
