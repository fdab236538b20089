"""The adapter: what a model is to Triptych. One file an adapter; a new one touches no central file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from triptych.errors import SpecError, nearest
from triptych.media.payload import MediaReader
from triptych.records import Intermediate, Kind, Request, ResponseStatus, Usage

MOST_TOKENS = 1_000_000_000  # of one Request; a server that tells more tells nothing
OUT_OF_STEP = "the answer may be another question's: the server sent one over this connection that nobody had asked for"
ALL_KINDS: frozenset[Kind] = frozenset({"text", "audio", "image", "video"})


# Settings of `-M` that belong to the Request (they can change any model's answer), not to the adapter
DECODING = ("temperature", "top_p", "top_k", "max_tokens", "stop", "seed")
# Settings of `-M` that are told of the model in tables, as the papers do, and never sent
ABOUT = ("size", "type", "group")
# Settings of `-M` that no adapter sees: those, and how long a recording may be before it is cut
OURS = (*ABOUT, "audio_seconds")


@dataclass(frozen=True, slots=True)
class Reply:
    """What an adapter returns for one attempt that gave an answer (no answer is a `ProviderError`)."""

    text: str
    status: ResponseStatus = "answered"
    finish_reason: str | None = None
    usage: Usage | None = None
    thinking: str | None = None
    intermediates: tuple[Intermediate, ...] = ()
    logprobs: bytes | None = None
    served_model: str | None = None
    note: str = ""


def counted(told: object) -> int | None:
    """A number of tokens as a server tells it; None for what can't be one."""
    fits = isinstance(told, int) and not isinstance(told, bool) and 0 <= told <= MOST_TOKENS
    return told if fits and isinstance(told, int) else None


def possible(usage: Usage | None) -> Usage | None:
    """The tokens, as far as they can be true: None where a total can't be; a share that can't be, or is larger than its
    total, is unknown. A negative number would give back to a budget what was spent."""
    if usage is None:
        return None
    totals = usage.input_tokens, usage.output_tokens
    if any(told is not None and counted(told) is None for told in totals):
        return None
    return Usage(
        *totals,
        counted(usage.reasoning_tokens),  # some servers leave them out of the total
        _share(usage.cached_tokens, usage.input_tokens),
        _share(usage.audio_tokens, usage.input_tokens),
    )


def _share(part: int | None, whole: int | None) -> int | None:
    told = counted(part)
    return told if told is not None and (whole is None or told <= whole) else None


class Adapter(Protocol):
    """A model behind a uniform face.

    name           as on the command line: `openai/gpt-4o-audio-preview`
    revision       whatever pins the weights or the service's version; empty when nothing does
    settings       what this adapter was told beyond the Request and what can change an answer; goes into the manifest
    accepts        the kinds of Parts it takes; a Request with another kind is `skipped`
    endpoint       what rate limits are counted against (a URL, a device); never part of an identity
    deterministic  same Request, same answer: the cache may serve it

    An adapter that keeps connections alive may have an `in_step` once it is open (`models/in_step.py`): the run loop
    asks again what that has come to doubt.
    """

    name: str
    revision: str
    settings: Mapping[str, Any]
    accepts: frozenset[Kind]
    endpoint: str
    deterministic: bool

    async def open(self) -> None:
        """Make ready: connections, weights. Called once, inside the loop that will run it."""

    async def close(self) -> None:
        """Let go of everything that `open` took."""

    async def prepare(self, request: Request, media: MediaReader) -> Any:
        """Read and encode what the attempts of this Request share (its body); raises MediaError."""

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """One attempt. Raises `ProviderError` when there is no answer."""


class SimpleAdapter:
    """Defaults for adapters that need no connection and no media: subclass and write `respond`."""

    name = ""
    revision = ""
    accepts = ALL_KINDS
    endpoint = "local"
    deterministic = True

    def __init__(self, settings: Mapping[str, Any] | None = None) -> None:
        self.settings: Mapping[str, Any] = dict(settings or {})

    async def open(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    async def prepare(self, request: Request, media: MediaReader) -> Any:
        """Nothing to prepare."""

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """One attempt: the subclass's."""
        raise NotImplementedError


def take_settings(adapter: str, given: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """`known` (name: default) overlaid with `given`, each value brought to its default's type.

    Raises SpecError for a name that isn't known (with the nearest one that `-M` takes) or a value of another type.
    """
    taken = dict(known)
    for key, value in given.items():
        if key not in known:
            fix = nearest(key, [*known, *DECODING, *OURS])
            raise SpecError(f"{adapter} has no setting {key!r}", fix=fix, got=f"-M {key}={value}")
        taken[key] = _coerce(adapter, key, value, known[key])
    return taken


def _coerce(adapter: str, key: str, value: Any, default: Any) -> Any:
    """Bring a command line's string to the type of the default; None accepts anything."""
    if default is None or not isinstance(value, str) or isinstance(default, str):
        return value
    try:
        if isinstance(default, bool):
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[value.lower()]
        return type(default)(value)
    except (KeyError, ValueError, TypeError):
        wanted = type(default).__name__
        raise SpecError(f"{adapter}: setting {key!r} can't be read", expected=wanted, got=repr(value)) from None
