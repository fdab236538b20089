"""The adapter interface between Triptych and a model. Each adapter is one module; a new one needs no change
elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Protocol

import msgspec

from triptych.errors import SpecError, nearest
from triptych.media.payload import MediaReader
from triptych.records import Encoded, Intermediate, Kind, Request, ResponseStatus, Usage
from triptych.records.repeated_keys import decode_once

MAX_TOKENS = 1_000_000_000  # of one Request; larger numbers are not credible
OUT_OF_STEP = "the answer may belong to another question: the server sent an unrequested answer over this connection"
ALL_KINDS: frozenset[Kind] = frozenset({"text", "audio", "image", "video"})


# Settings of `-M` that belong to the Request (they can change any model's answer), not to the adapter
DECODING = (
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "stop",
    "seed",
    "num_beams",
    "no_repeat_ngram_size",
    "repetition_penalty",
)
# Those of them that only adapters carry out which say so (`more_decoding`)
MORE_DECODING = ("num_beams", "no_repeat_ngram_size", "repetition_penalty")
# Settings of `-M` that describe the model in tables, as in the papers, and are never sent
ABOUT = ("size", "type", "group")
# Settings of `-M` that adapters never see: those, and the length to which recordings are truncated
OURS = (*ABOUT, "audio_seconds")


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of one attempt that gave an answer; otherwise the adapter raises `ProviderError`."""

    text: str
    status: ResponseStatus = "answered"
    finish_reason: str | None = None
    usage: Usage | None = None
    thinking: str | None = None
    intermediates: tuple[Intermediate, ...] = ()
    logprobs: bytes | None = None
    served_model: str | None = None
    note: str = ""
    encoded: tuple[Encoded, ...] = ()
    adapter: str = ""


def counted(value: object) -> int | None:
    """Return a token count as reported by a server; None if it is invalid."""
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS
    return value if fits and isinstance(value, int) else None


def plausible_usage(usage: Usage | None) -> Usage | None:
    """Return the token counts that can be correct.

    An invalid total is None; a part that is invalid, or larger than its total, is None. A negative number would give
    back to a budget what was spent.
    """
    if usage is None:
        return None
    totals = usage.input_tokens, usage.output_tokens
    for total in totals:
        if total is not None and counted(total) is None:
            return None
    if usage.reasoning_tokens is usage.cached_tokens is usage.audio_tokens is None:  # most servers report totals alone
        return usage
    return Usage(
        *totals,
        counted(usage.reasoning_tokens),  # some servers don't include them in the total
        _share(usage.cached_tokens, usage.input_tokens),
        _share(usage.audio_tokens, usage.input_tokens),
    )


def _share(part: int | None, total: int | None) -> int | None:
    number = counted(part)
    return number if number is not None and (total is None or number <= total) else None


class Adapter(Protocol):
    """A model behind a uniform interface.

        name           as on the command line: `openai/gpt-4o-audio-preview`
        revision       identifies the weights or the service's version; empty if unknown
        settings       settings of this adapter that can change an answer; stored in the manifest
        accepts        supported kinds of Parts; a Request with another kind is `skipped`
        endpoint       what rate limits apply to (a URL, a device); never part of an identity
        deterministic  the same Request always gives the same answer, so the cache may serve it

        more_decoding  those of MORE_DECODING that this adapter carries out; none if there is no such attribute
        packing        how media are sent, as `--packing` reads it; empty or missing for models without media
        decoding       the settings of DECODING that it uses; one that is given besides is refused. All if there is no
                       such attribute

    What `prepare` returns may have an attribute `sent`, a tuple of `Sent`, and one `adapter`, the name of the LoRA
    adapter that is asked: the Response states them.

    An adapter that keeps connections alive may have an `in_step` once it is open (`models/http/in_step.py`); the run
    loop repeats the Requests whose answers it doubts.
    """

    name: str
    revision: str
    settings: Mapping[str, Any]
    accepts: frozenset[Kind]
    endpoint: str
    deterministic: bool

    async def open(self) -> None:
        """Prepare connections and weights. Called once, inside the event loop that will use the adapter."""

    async def close(self) -> None:
        """Release everything that `open` acquired."""

    async def prepare(self, request: Request, media: MediaReader) -> Any:
        """Read and encode what all attempts of this Request share (its body). Raises MediaError."""

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """Make one attempt. Raises `ProviderError` if there is no answer."""


class SimpleAdapter:
    """Defaults for adapters without connections and media: subclass it and write `respond`."""

    name = ""
    revision = ""
    accepts = ALL_KINDS
    endpoint = "local"
    deterministic = True

    def __init__(self, settings: Mapping[str, Any] | None = None) -> None:
        if settings is not None and not isinstance(settings, Mapping):
            raise TypeError(f"settings is {type(settings).__name__}; expected a mapping, as `take_settings` returns")
        self.settings: Mapping[str, Any] = dict(settings or {})

    async def open(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    async def prepare(self, request: Request, media: MediaReader) -> Any:
        """Nothing to prepare."""

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """Make one attempt; implemented by the subclass."""
        raise NotImplementedError


def check_used(adapter: Adapter, options: Mapping[str, Any], option: str = "-M") -> None:
    """Raise SpecError for a decoding setting that the adapter would ignore: it would be recorded, and change nothing.

    Temperature 0 is allowed if the adapter always gives its most probable answer. `options`: the user's settings.
    """
    used = getattr(adapter, "decoding", frozenset(DECODING))
    for key, value in options.items():
        if key not in DECODING or key in used or (key == "temperature" and value == 0 and adapter.deterministic):
            continue
        raise SpecError(
            f"{adapter.name} does not use {key}",
            got=f"{option} {key}={value}",
            expected=", ".join(sorted(used)) or "none of the decoding settings",
            fix=f"remove {option} {key}",
        )


def take_settings(adapter: str, options: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return `fields` (name: default) updated with `options`, each value converted to the type of its default.

    Raises SpecError for an unknown name (naming the nearest one that `-M` accepts) or a value of another type.
    """
    taken = dict(fields)
    for key, value in options.items():
        if key not in fields:
            fix = nearest(key, [*fields, *DECODING, *OURS])
            raise SpecError(f"{adapter} has no setting {key!r}", fix=fix, got=f"-M {key}={value}")
        taken[key] = _coerce(adapter, key, value, fields[key])
    return taken


def json_object(adapter: str, key: str, value: Any) -> dict[str, Any]:
    """Return a setting that is a JSON object, from the command line or from a file of settings. Raises SpecError.

    Example:
        >>> json_object("hf", "chat_template_kwargs", '{"enable_thinking": false}')
        {'enable_thinking': False}
    """
    if value is None or isinstance(value, Mapping):
        return dict(value or {})
    try:
        return decode_once(value, dict[str, Any])
    except (TypeError, msgspec.DecodeError) as error:
        example = f"-M {key}='{{\"name\": 1}}'"
        raise SpecError(
            f"{adapter}: {key} is not a JSON object", got=f"{value!r} ({error})", expected=example
        ) from None


def in_one_form(adapter: str, taken: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return the settings with those JSON objects written in one way, so that equal ones are one identity.

    Example:
        >>> in_one_form("hf", {"a": {"y": 1, "x": 2}, "b": None}, "a", "b")
        {'a': '{"x":2,"y":1}', 'b': None}
    """
    objects = {key: json_object(adapter, key, taken[key]) for key in keys if taken[key] is not None}
    return {**taken, **{key: msgspec.json.encode(value, order="sorted").decode() for key, value in objects.items()}}


def not_carried(adapter: Adapter, decoding: Mapping[str, Any]) -> list[str]:
    """Return the decoding settings that an adapter would not carry out."""
    able: frozenset[str] = getattr(adapter, "more_decoding", frozenset())
    return [key for key in decoding if key in MORE_DECODING and key not in able]


def check_decoding(adapter: Adapter, decoding: Mapping[str, Any]) -> None:
    """Raise SpecError for a decoding setting that an adapter would not carry out."""
    if wrong := not_carried(adapter, decoding):
        raise SpecError(
            f"{adapter.name} can't carry out {wrong[0]}",
            got=f"-M {wrong[0]}={decoding[wrong[0]]}",
            fix="remove it, or ask the model in this process (hf/…)",
        )


def _coerce(adapter: str, key: str, value: Any, default: Any) -> Any:
    """Convert a string from the command line to the type of the default; None accepts anything."""
    if default is None or not isinstance(value, str) or isinstance(default, str):
        return value
    try:
        if isinstance(default, bool):
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[value.lower()]
        converted = type(default)(value)
        if isinstance(converted, float) and not isfinite(converted):
            raise ValueError(value)
        return converted
    except (KeyError, ValueError, TypeError):
        wanted = type(default).__name__
        raise SpecError(f"{adapter}: setting {key!r} has an invalid value", expected=wanted, got=repr(value)) from None
