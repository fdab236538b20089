"""Request and Response: what is sent to a model, and what it returned."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec

from triptych.records.items import Item
from triptych.records.parts import Kind, Part

ENCODED_WITHIN_S = 0.2  # precision of the seconds that a processor encodes
MAX_REPEATS = 2**62  # fits in 64 bits; a larger number in a journal is damage or an attack
ResponseStatus = Literal["answered", "refused", "truncated", "failed", "skipped"]
RESPONSE_STATUSES: tuple[ResponseStatus, ...] = ("answered", "refused", "truncated", "failed", "skipped")


class Message(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One turn of a chat: `system`, `user` or `assistant`, and its Parts in order."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Unaskable:
    """The outcome of a Request that can't be sent, and the reason. `kind` becomes the kind of the Response's error."""

    status: ResponseStatus
    why: str
    kind: str = "condition"


@dataclass(frozen=True, slots=True)
class Request:
    """One question to one model. `settings` are those that can change the answer (temperature, max_tokens …).

    `item` is for baselines and the run loop; an adapter of a real model never reads it. `unaskable`: the reason why the
    Request can't be sent (a text that its Condition needs is missing). Its Response records this reason, and no model
    is called.
    """

    id: str
    messages: tuple[Message, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    condition: str = ""
    repeat: int = 0
    item: Item | None = None
    unaskable: Unaskable | None = None

    @property
    def media_parts(self) -> tuple[Part, ...]:
        """All media Parts, in order."""
        return tuple([p for m in self.messages for p in m.parts if p.kind != "text"])

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of content in the Request."""
        return frozenset([p.kind for m in self.messages for p in m.parts])

    def key(self, model: str, revision: str, hashes: Mapping[str, str]) -> str:
        """Return a hash (SHA-256, first 32 hex digits) of everything that can change the answer.

        Address, credentials, concurrency, retries and the location of media files are not part of it. `hashes`: the
        `content_name` of each media Part -> hash of the bytes that are sent, after any change made by a Condition.
        """
        messages = [
            [
                m.role,
                [
                    [p.kind, p.text] if p.kind == "text" else [p.kind, hashes.get(p.content_name, p.content_name)]
                    for p in m.parts
                ],
            ]
            for m in self.messages
        ]
        settings = sorted(self.settings.items())
        identity = msgspec.json.encode([model, revision, settings, messages, self.repeat])
        return hashlib.sha256(identity).hexdigest()[:32]


def full_revision(revision: str, settings: Mapping[str, Any]) -> str:
    """Return the revision of a model together with the adapter's own settings, as `Request.key` takes it: they change
    answers as a revision does."""
    if not settings:
        return revision
    return f"{revision} {msgspec.json.encode(dict(sorted(settings.items())), order='deterministic').decode()}"


class Usage(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Token counts as reported by the model's server; None if not reported. `audio_tokens`: the audio part of the
    input, which some services price differently.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    audio_tokens: int | None = None


class ErrorInfo(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Why there is no answer; `ProviderError` lists the kinds."""

    kind: str
    message: str
    http_status: int | None = None


class Intermediate(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An intermediate text of a cascade: which engine read which media Part, and the result."""

    engine: str
    kind: Kind
    path: str
    text: str
    sha256: str = ""


class Encoded(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """How much of a media Part reached the model, where the adapter can measure it.

    kind     `audio` (also the sound of a video) or `video`
    path     path of the Part
    given    seconds of the recording, or frames of the video
    encoded  seconds or frames that the model's processor encoded; fewer than given: the rest was dropped
    unit     `s` or `frames`
    """

    kind: Kind
    path: str
    given: float
    encoded: float
    unit: Literal["s", "frames"] = "s"

    @property
    def truncated(self) -> bool:
        """Whether the end of a recording was dropped. Frames are chosen from the whole video, so they are not."""
        return self.unit == "s" and self.encoded < self.given - ENCODED_WITHIN_S


class Sent(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The form in which one media Part of a Request was sent.

    kind       `audio`, `image` or `video`; the sound of a film is an `audio` of its own
    path       path of the Part
    form       `file` (as it is), `converted` (the whole file in another form), `upright` (turned as its EXIF data
               says), `resized` (a picture, smaller), `frames` (a video of these frames), `pictures` (a picture for
               each frame), `in_video` (a sound that is part of the video), `interleaved` (in pieces of a second,
               between the frames)
    at         number of the content part at which it begins, from 0
    seconds    length of a recording or film
    rate       sampling rate of a recording in Hz
    channels   channels of a recording
    width, height  of a picture or of each frame, in pixels
    times      seconds from the film's beginning at which the frames are shown
    frames     number of frames of the whole film
    size       bytes of the file or of all pieces
    format     `wav`, `jpeg`, `mp4` …; empty for media that are passed on decoded
    """

    kind: Kind
    path: str
    form: str
    at: int = 0
    seconds: float | None = None
    rate: int | None = None
    channels: int | None = None
    width: int | None = None
    height: int | None = None
    times: tuple[float, ...] = ()
    frames: int | None = None
    size: int | None = None
    format: str = ""


class Response(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The outcome of one Request: a line of `responses.jsonl`.

    Attributes:
        item: Id of the Item.
        condition: Name of the Condition; empty: none.
        repeat: Which of the repeated questions, from 0.
        status: `answered`; `refused` (the model or its filter declined); `truncated` (the token limit was reached);
            `failed` (no answer: transport, server, out of memory, unreadable media); `skipped` (the model doesn't
            support this input).
        text: The reply, without its reasoning if that came apart.
        key: Hash of everything that was asked; a changed question has another one.
        finish_reason: Why the model stopped, in the server's words.
        usage: Tokens as the server reports them.
        attempts: Number of attempts.
        seconds: Duration of the last attempt.
        error: Why there is no answer.
        thinking: The reasoning, if the server sends it apart from the reply.
        intermediates: Of a cascade: what its first stage read from each medium.
        logprobs: The server's JSON, unchanged; a `msgspec.Raw` when new, plain values when read from a file.
        served_model: The model that the server names.
        cost_usd: Cost in US dollars; None if a price is unknown.
        cached: Whether the answer comes from the cache.
        time: When the answer came, in UTC.
        encoded: How much of each recording and video the model's processor encoded, if the adapter measures it.
        sent: What was sent for each media Part, in order.
        adapter: The LoRA adapter that was asked for; empty: none.
    """

    item: str
    condition: str
    repeat: Annotated[int, msgspec.Meta(ge=0, le=MAX_REPEATS)]
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
    encoded: tuple[Encoded, ...] = ()
    sent: tuple[Sent, ...] = ()
    adapter: str = ""

    @property
    def entry(self) -> tuple[str, str, int]:
        """The key of a Response in a journal: Item id, Condition, repeat."""
        return (self.item, self.condition, self.repeat)
