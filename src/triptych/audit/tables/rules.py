"""Rules for a benchmark's tables, data and prose, as data: `audit.toml` and `claims.toml`, read strictly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import TypeVar

import msgspec

from triptych.errors import SpecError, nearest
from triptych.records import FindingSeverity
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason


class Derived(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure that follows from others: `target` of each row in `table` must equal the value of `formula`.

    `rows`, `without`: patterns. `each`: names in braces in target and formula -> the values that they take in turn.
    `kind`: what a break of the rule is (`average`, `mismatch`, `ordering` …). `severe_from`: how far beyond rounding a
    break must be to be severe. `why`: the rule in words, with its source.
    """

    table: str
    target: str
    formula: str
    why: str
    rows: tuple[str, ...] = ("*",)
    without: tuple[str, ...] = ()
    each: dict[str, tuple[str, ...]] = {}
    kind: str = "average"
    severe_from: float = 0.5

    def instances(self) -> Iterator[tuple[str, str]]:
        """(target, formula) for each combination of the values of `each`."""
        for names in combinations_of(self.each):
            yield fill_names(self.target, names), fill_names(self.formula, names)


Counts = int | tuple[int, ...]


class Shares(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cells that are k / n, times `scale`: a value that no whole k gives is impossible.

    `n`: for all columns, or one per column (patterns); several if any of them may be meant. `pooled`: a column of the
    shares over all these columns' n together. Values that fit another column's n are reported as a permutation. `rows`,
    `without`: patterns. `fewer`: a few questions may be missing from n (those unanswered), so a single cell that is not
    a share is only a note, with the number of which it may be a share.
    """

    table: str
    n: Counts | dict[str, Counts]
    why: str
    columns: tuple[str, ...] = ("*",)
    rows: tuple[str, ...] = ("*",)
    without: tuple[str, ...] = ()
    scale: float = 100.0
    pooled: str = ""
    severity: FindingSeverity = "severe"
    fewer: bool = False

    def n_of(self, column: str) -> tuple[int, ...]:
        """Return the numbers of which a column may hold shares; empty if no rule gives one."""
        if not isinstance(self.n, dict):
            return _listed(self.n)
        return next(
            (_listed(n) for pattern, n in self.n.items() if fnmatchcase(column, pattern) or column == pattern), ()
        )


def _listed(n: Counts) -> tuple[int, ...]:
    return n if isinstance(n, tuple) else (n,)


class Ordered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Columns whose values can't fall from left to right, in any row."""

    table: str
    columns: tuple[str, ...]
    why: str
    rows: tuple[str, ...] = ("*",)
    without: tuple[str, ...] = ()
    each: dict[str, tuple[str, ...]] = {}
    severity: FindingSeverity = "severe"


class Holds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comparison that must hold in every row: `'F1' <= ('P' + 'R') / 2`."""

    table: str
    formula: str
    why: str
    rows: tuple[str, ...] = ("*",)
    without: tuple[str, ...] = ()
    each: dict[str, tuple[str, ...]] = {}
    kind: str = "ordering"
    severity: FindingSeverity = "severe"


class Bounded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cells that must be in the range from `low` to `high`."""

    table: str
    low: float
    high: float
    why: str
    columns: tuple[str, ...] = ("*",)
    rows: tuple[str, ...] = ("*",)


class Distinct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scope of the search for repeats: among rows, among columns, or (`other`) between cells of two tables.

    `columns`, `rows`, `without` leave out cells that may be equal for a reason. `groups`: with `other`, patterns of
    columns that are compared as a whole, row by row.
    """

    table: str
    columns: tuple[str, ...] = ("*",)
    rows: tuple[str, ...] = ("*",)
    without: tuple[str, ...] = ()
    other: str = ""
    groups: tuple[str, ...] = ("*",)
    why: str = ""


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement of the text about its tables: a `printed` number with the `formula` that gives it, or what `holds`.

    `where`: section or page. `says`: the claim in our own words. `within`: the deviation that the text allows
    ("about"), in the unit of the number.
    """

    where: str
    says: str
    printed: str = ""
    formula: str = ""
    holds: str = ""
    within: float = 0.0
    severity: FindingSeverity = "warning"


class DataRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules for the released questions.

    `banned`: words that must not occur in what a model is shown or in a target. `longest_seconds`, `shortest_seconds`:
    of audio and video. `balance`: facets whose groups should be alike in size. `split_facet`: the facet that says train
    or test, if any. `published_counts`: Task, or pattern of Tasks (`*/audio_text`), -> how many questions the paper
    counts. `maker`: who generated the questions.
    `skip`: Tasks that combine others and have no data of their own.
    """

    banned: tuple[str, ...] = ()
    longest_seconds: float = 0.0
    shortest_seconds: float = 0.0
    balance: tuple[str, ...] = ()
    split_facet: str = ""
    published_counts: dict[str, int] = {}
    maker: str = ""
    skip: tuple[str, ...] = ()


class PublishedCells(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which published cells a Task's results should give; `task` and `column` hold the same names in braces."""

    task: str
    table: str
    column: str


class PublishedFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which published cells a protocol's aggregates should give; `slice` and `column` hold the same names in braces.

    `whatever_there_is`: the paper's figure is over the Tasks that there were, so it is compared where some are missing.
    `rows`: patterns of the published rows whose figure this is.
    """

    metric: str
    table: str
    column: str
    slice: dict[str, str] = {}
    whatever_there_is: bool = False
    rows: tuple[str, ...] = ("*",)


class RunRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules for Runs and released results.

    `systems`: the name of a results folder or file, or a pattern of it -> the row of the published tables. `cells`:
    which cells a Task's accuracy should give, and so the models with which guessing is compared; `names`: what the
    names in braces stand for, as {name: {value in a task: value in a column}}. `figures`: the same of averages and what
    else is put together. `no_models`: rows of people, chance and references.
    """

    systems: dict[str, str] = {}
    cells: tuple[PublishedCells, ...] = ()
    figures: tuple[PublishedFigures, ...] = ()
    names: dict[str, dict[str, str]] = {}
    no_models: tuple[str, ...] = ()

    def row_of(self, system: str) -> str | None:
        """Return the published row of a system; None if no rule names it. A whole name takes precedence over
        patterns."""
        if system in self.systems:
            return self.systems[system]
        return next((row for pattern, row in self.systems.items() if fnmatchcase(system, pattern)), None)


class TableRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of `audit.toml`. `decimals`: digits that a table prints at least. `aliases`: a row's other name."""

    decimals: dict[str, int] = {}
    aliases: dict[str, str] = {}
    derived: tuple[Derived, ...] = ()
    shares: tuple[Shares, ...] = ()
    ordered: tuple[Ordered, ...] = ()
    holds: tuple[Holds, ...] = ()
    bounded: tuple[Bounded, ...] = ()
    distinct: tuple[Distinct, ...] = ()
    data: DataRules = DataRules()
    runs: RunRules = RunRules()


class Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of `claims.toml`."""

    claim: tuple[Claim, ...] = ()


class StatedRules(TableRules, frozen=True, forbid_unknown_fields=True):
    """The whole of a file for `audit tables --rules`: rules as in `audit.toml`, and claims as in `claims.toml`."""

    claim: tuple[Claim, ...] = ()


Read = TypeVar("Read", TableRules, Claims, StatedRules)


def load_rules(benchmark: Path) -> TableRules:
    """The rules in a benchmark's folder; none where it declares none. Raises SpecError."""
    return _read(benchmark / "audit.toml", TableRules)


def load_claims(benchmark: Path) -> Claims:
    """The claims in a benchmark's folder; none where it declares none. Raises SpecError."""
    return _read(benchmark / "published" / "claims.toml", Claims)


def load_stated(path: Path) -> StatedRules:
    """Return the rules and claims of a file. Raises SpecError if it doesn't exist or can't be read."""
    if not path.is_file():
        raise SpecError("no such file of rules", where=path)
    return _read(path, StatedRules)


def _read(path: Path, kind: type[Read]) -> Read:
    if not path.is_file():
        return kind()
    try:
        return msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), kind)
    except msgspec.ValidationError as error:
        unknown = re.search(r"unknown field `([^`]+)`", str(error))
        fix = nearest(unknown.group(1), _fields()) if unknown else None
        raise SpecError("a rule can't be read", where=path, got=error, fix=fix) from None
    except NO_TOML as error:
        raise SpecError(f"{path.name} is not valid TOML", where=path, got=reason(error)) from None


def _fields() -> set[str]:
    records = (
        Derived,
        Shares,
        Ordered,
        Holds,
        Bounded,
        Distinct,
        Claim,
        DataRules,
        RunRules,
        PublishedCells,
        PublishedFigures,
        TableRules,
        Claims,
        StatedRules,
    )
    return {field for record in records for field in record.__struct_fields__}


def combinations_of(each: dict[str, tuple[str, ...]]) -> Iterator[dict[str, str]]:
    """Every choice of one value for each name; one empty choice where there are no names."""
    for chosen in product(*each.values()):
        yield dict(zip(each, chosen, strict=True))


def fill_names(text: str, names: dict[str, str]) -> str:
    """The text with each `{name}` replaced by its value."""
    for name, value in names.items():
        text = text.replace("{" + name + "}", value)
    return text
