"""Prices of answers, from a dated file, TOML or JSON. An unknown price is None, never 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec

from triptych.errors import SpecError
from triptych.records import Kind, Usage
from triptych.records.repeated_keys import decode_once
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, UNREADABLE, reason
from triptych.store.files.text_files import read_text_input

BUILT_IN = Path(__file__).with_name("prices.toml")


_Dollars = Annotated[float, msgspec.Meta(ge=0, le=1e9)]  # NaN and infinity are not valid prices


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """US dollars per million tokens, for the models that `model` matches (`*` matches anything).

    endpoint       only for endpoints that begin with this text
    kinds          only for Requests with these kinds of media, if they are priced differently; empty: any
    cached_input   price of a cached prompt (cached tokens are assumed to be text)
    audio_input    price of audio tokens; an answer to a Request with audio or video then has a price only if the server
                   reports the number of audio tokens
    up_to_input    for prompts of at most this many tokens; longer prompts have no known price
    batch          share of these prices that a batch (`--batch`) costs; the services charge half
    until          last day on which it is charged (`2026-12-31`); empty: no end is known
    as_of, source  if they differ from those of the file
    """

    model: str
    input: _Dollars
    output: _Dollars
    cached_input: _Dollars | None = None
    endpoint: str = ""
    kinds: tuple[Kind, ...] = ()
    audio_input: _Dollars | None = None
    up_to_input: int | None = None
    batch: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.5
    until: str = ""
    as_of: str = ""
    source: str = ""


class StatedPrice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The price of one model, in US dollars per million tokens, as its user states it."""

    input: _Dollars
    output: _Dollars


EXAMPLE = """as_of = "2026-11-01"
source = "https://example.org/prices"

[[price]]
model = "openai/my-model*"
input = 0.50
output = 1.50"""


class PriceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of prices, looked up on the day `as_of` at `source`. As JSON it has the same keys."""

    as_of: str
    source: str
    price: tuple[Price, ...]


class Prices:
    """One or more price files; the first match counts."""

    def __init__(self, files: Sequence[PriceFile], *, batch: bool = False) -> None:
        self._files, self._batch = files, batch
        self._prices = [price for file in files for price in file.price]
        self.find: Callable[[str, str, frozenset[Kind]], Price | None] = cache(self._find)

    def _find(self, model: str, endpoint: str, kinds: frozenset[Kind]) -> Price | None:
        """Return the price for Requests with these kinds of media; None if unknown."""
        for price in self._prices:
            named = fnmatchcase(model, price.model) and endpoint.startswith(price.endpoint)
            if price.until and price.until < date.today().isoformat():  # noqa: DTZ011
                continue
            if named and (not price.kinds or kinds <= set(price.kinds)):
                return price
        return None

    def in_batches(self) -> Prices:
        """Return the prices of Requests that are sent in batches."""
        return Prices(self._files, batch=True)

    def cost(self, model: str, endpoint: str, kinds: frozenset[Kind], usage: Usage | None) -> float | None:
        """Return the cost of one answer in US dollars; None if the price or the tokens are unknown."""
        price = self.find(model, endpoint, kinds)
        if price is None:
            return None
        if not price.input and not price.output:
            return 0.0
        if usage is None or usage.input_tokens is None or usage.output_tokens is None:
            return None
        if price.up_to_input is not None and usage.input_tokens > price.up_to_input:
            return None
        sound = 0 if price.audio_input is None or not kinds & _SOUNDING else usage.audio_tokens
        if sound is None:
            return None
        if min(usage.input_tokens - sound, usage.output_tokens, sound) < 0:  # not a valid count
            return None
        reported = max(0, usage.cached_tokens or 0)
        cached = min(reported, usage.input_tokens - sound) if price.cached_input is not None else 0
        fresh = usage.input_tokens - cached - sound
        input_cost = fresh * price.input + cached * (price.cached_input or 0) + sound * (price.audio_input or 0)
        share = price.batch if self._batch else 1.0
        return share * (input_cost + usage.output_tokens * price.output) / 1e6


_SOUNDING: frozenset[Kind] = frozenset({"audio", "video"})


def load_prices(path: Path | None = None, stated: tuple[float, float] | None = None) -> Prices:
    """Load the user's price file, if any, and the built-in one. Raises SpecError for a file that can't be read.

    `stated`: (input, output) in US dollars per million tokens, for every model, before all files.
    """
    files = [*([_read(path)] if path else []), _built_in()]
    first = [PriceFile(date.today().isoformat(), "the command", (Price("*", *stated),))] if stated else []  # noqa: DTZ011
    return Prices([*first, *files])


@cache
def _built_in() -> PriceFile:
    return _read(BUILT_IN)


def _read(path: Path) -> PriceFile:
    try:
        content = read_text_input(path)
        if path.suffix.lower() == ".json":
            return decode_once(content, PriceFile)
        return msgspec.convert(parse_toml(content), PriceFile)
    except OSError as error:
        problem = f"the price file can't be read ({error.strerror})"
        fix = "give the path of a file, or the prices with --price-in and --price-out"
        raise SpecError(problem, where=path, expected=_expected(), fix=fix) from None
    except (*NO_TOML, *UNREADABLE) as error:
        raise SpecError("the price file is malformed", where=path, got=reason(error), expected=_expected()) from None


def _expected() -> str:
    shown = "".join(f"\n    {line}" for line in EXAMPLE.splitlines())
    return f"US dollars per million tokens, as TOML or JSON (docs/limits.md), such as{shown}"
