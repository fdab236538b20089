"""Request and Response: what a model is sent, and what came back."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec

from triptych.records.items import Item
from triptych.records.parts import Kind, Part

MOST_REPEATS = 2**62  # what tables of 64 bits hold; a larger number in a journal is damage, or worse
ResponseStatus = Literal["answered", "refused", "truncated", "failed", "skipped"]
RESPONSE_STATUSES: tuple[ResponseStatus, ...] = ("answered", "refused", "truncated", "failed", "skipped")


class Message(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One turn of a chat: `system`, `user` or `assistant`, and its Parts in order."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Hopeless:
    """What becomes of a Request that can't be asked, and why; `kind` is that of the Response's error."""

    status: ResponseStatus
    why: str
    kind: str = "condition"


@dataclass(frozen=True, slots=True)
class Request:
    """What one model is asked once. `settings` are those that can change the answer (temperature, max_tokens …).

    `item` is there for baselines and for the run loop; an adapter of a real model never looks at it. `hopeless`: why
    it can't be asked at all (a text that its Condition needs is missing): its Response tells that, and nobody is asked.
    """

    id: str
    messages: tuple[Message, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    condition: str = ""
    repeat: int = 0
    item: Item | None = None
    hopeless: Hopeless | None = None

    @property
    def media_parts(self) -> tuple[Part, ...]:
        """All media Parts, in order."""
        return tuple(p for m in self.messages for p in m.parts if p.is_media)

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of content that it holds."""
        return frozenset(p.kind for m in self.messages for p in m.parts)

    def key(self, model: str, revision: str, hashes: Mapping[str, str]) -> str:
        """SHA-256 (32 hex digits) of all that can change the answer; `hashes`: a media Part's `content_name` -> the
        hash of what is sent, after any change that a Condition makes.

        Not in it: URL, credentials, concurrency, retries, and where the media lie.
        """
        messages = [
            [
                m.role,
                [
                    [p.kind, p.text] if not p.is_media else [p.kind, hashes.get(p.content_name, p.content_name)]
                    for p in m.parts
                ],
            ]
            for m in self.messages
        ]
        settings = sorted(self.settings.items())
        identity = msgspec.json.encode([model, revision, settings, messages, self.repeat])
        return hashlib.sha256(identity).hexdigest()[:32]


class Usage(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Tokens as the model's server counted them; None where it didn't say. `audio_tokens`: those of the input that are
    sound, which some charge otherwise."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    audio_tokens: int | None = None


class ErrorInfo(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Why there is no answer: see `ProviderError` for the kinds."""

    kind: str
    message: str
    http_status: int | None = None


class Intermediate(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A text that a cascade made on the way: which engine read which media Part, and what it read."""

    engine: str
    kind: Kind
    path: str
    text: str
    sha256: str = ""


class Response(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What came back for one Request: a line of `responses.jsonl`.

    `status`: `answered`; `refused` (the model or its filter declined); `truncated` (the token limit cut it);
    `failed` (no answer: transport, server, out of memory, unreadable media); `skipped` (the model can't take
    this input). `logprobs`: the server's JSON as it came; a `msgspec.Raw` when fresh, plain values when read back.
    """

    item: str
    condition: str
    repeat: Annotated[int, msgspec.Meta(ge=0, le=MOST_REPEATS)]
    status: ResponseStatus
    text: str = ""
    key: str = ""
    finish_reason: str | None = None
    usage: Usage | None = None
    attempts: int = 1
    seconds: float = 0.0
    error: ErrorInfo | None = None
    thinking: str | None = None
    intermediates: tuple[Intermediate, ...] = ()
    logprobs: Any = None
    served_model: str | None = None
    cost_usd: float | None = None
    cached: bool = False
    time: str = ""

    @property
    def entry(self) -> tuple[str, str, int]:
        """What journals are keyed by: Item id, Condition, repeat."""
        return (self.item, self.condition, self.repeat)
