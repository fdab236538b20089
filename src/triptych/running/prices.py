"""What answers cost, from a dated file. A price that isn't known is None, never 0."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec

from triptych.errors import SpecError
from triptych.records import Kind, Usage
from triptych.records.unreadable import NO_TOML

BUILT_IN = Path(__file__).with_name("prices.toml")


_Dollars = Annotated[float, msgspec.Meta(ge=0, le=1e9)]  # NaN and infinity are no prices


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """US dollars per million tokens of the models that `model` matches (`*` stands for anything).

    `endpoint`: only for an endpoint that begins so. `kinds`: only for Requests of these kinds, where others are
    charged otherwise; empty: any. `cached_input` where a cached prompt has its own price (what is cached is taken to
    be text). `audio_input` where sound has one: an answer to a Request with sound or video then has a price if the
    server tells how many tokens were sound. `up_to_input`: for prompts of so many tokens; longer ones have a price that
    isn't here, and so none. `as_of`, `source`: where they differ from the file's.
    """

    model: str
    input: _Dollars
    output: _Dollars
    cached_input: _Dollars | None = None
    endpoint: str = ""
    kinds: tuple[Kind, ...] = ()
    audio_input: _Dollars | None = None
    up_to_input: int | None = None
    as_of: str = ""
    source: str = ""


class PriceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`as_of`: the day on which the prices were looked up; `source`: where."""

    as_of: str
    source: str
    price: tuple[Price, ...]


class Prices:
    """One or more price files; the first match counts."""

    def __init__(self, files: Sequence[PriceFile]) -> None:
        self._prices = [price for file in files for price in file.price]
        self.find = cache(self._find)

    def _find(self, model: str, endpoint: str, kinds: frozenset[Kind]) -> Price | None:
        """The price for Requests of these kinds, or None where it isn't known."""
        for price in self._prices:
            named = fnmatchcase(model, price.model) and endpoint.startswith(price.endpoint)
            if named and (not price.kinds or kinds <= set(price.kinds)):
                return price
        return None

    def cost(self, model: str, endpoint: str, kinds: frozenset[Kind], usage: Usage | None) -> float | None:
        """US dollars for one answer; None where the price or the tokens are not known."""
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
        if min(usage.input_tokens - sound, usage.output_tokens, sound) < 0:  # no count can be so
            return None
        told = max(0, usage.cached_tokens or 0)
        cached = min(told, usage.input_tokens - sound) if price.cached_input is not None else 0
        fresh = usage.input_tokens - cached - sound
        given = fresh * price.input + cached * (price.cached_input or 0) + sound * (price.audio_input or 0)
        return (given + usage.output_tokens * price.output) / 1e6


_SOUNDING: frozenset[Kind] = frozenset({"audio", "video"})


def load_prices(path: Path | None = None) -> Prices:
    """The user's price file, if any, before the built-in one. Raises SpecError for a file that can't be read."""
    return Prices([_read(file) for file in (path, BUILT_IN) if file is not None])


def _read(path: Path) -> PriceFile:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), PriceFile)
    except OSError as error:
        raise SpecError(f"the price file can't be read ({error.strerror})", where=path) from None
    except (*NO_TOML, msgspec.ValidationError) as error:
        raise SpecError("the price file is malformed", where=path, got=str(error)) from None
