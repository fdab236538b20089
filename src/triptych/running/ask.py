"""One Request, from preparation to Response: attempts, retries and time limits. Errors of a Request stay within this
module.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec

from triptych.errors import DataError, MediaError, ProviderError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter, Reply, plausible_usage
from triptych.records import ErrorInfo, Request, Response, ResponseStatus
from triptych.records.exchange import full_revision
from triptych.records.unreadable import UNREADABLE, reason
from triptych.running.gate import Gate, backoff
from triptych.running.prices import Prices
from triptych.running.stop import Stop
from triptych.running.tally import Tally
from triptych.secrets import hide_known, scrub
from triptych.store.folder import Entry
from triptych.store.response_cache import ResponseCache

_log = logging.getLogger(__name__)
_REPLY, _ENCODER = msgspec.json.Decoder(Reply), msgspec.json.Encoder()
MAX_WAIT_S = 600.0  # if an endpoint asks for a longer pause, the Request is left for another session


@dataclass(slots=True)
class _Tries:
    """The state of one Request. `seen`: number of answers to others when it was last turned away; `counted`: attempts
    that count against its retries.
    """

    seen: int
    attempts: int = 0
    counted: int = 0


class Asker:
    """Sends Requests to one adapter, and makes a Response from every outcome."""

    def __init__(
        self,
        adapter: Adapter,
        media: MediaReader,
        gate: Gate,
        stop: Stop,
        tally: Tally,
        prices: Prices,
        cache: ResponseCache | None,
        retries: int,
        timeout_s: float | None,
    ) -> None:
        self.adapter: Adapter = adapter
        self.media: MediaReader = media
        self.gate: Gate = gate
        self.stop: Stop = stop
        self.tally: Tally = tally
        self.prices: Prices = prices
        self.cache: ResponseCache | None = cache
        self.retries: int = retries
        self.timeout_s: float | None = timeout_s
        self._unsettled: dict[Entry, Response] = {}  # answers that may belong to another question
        self._revision = full_revision(adapter.revision, adapter.settings)

    async def ask(self, request: Request) -> Response:
        """Return the Response to a Request, whatever the outcome.

        Raises Stopped if the Run ends first, and a fatal ProviderError if no other Request can succeed either. No other
        exception is raised, except a cancellation.
        """
        if unaskable := request.unaskable:
            return self._empty(request, unaskable.status, ErrorInfo(unaskable.kind, scrub(unaskable.why)))
        if missing := request.kinds - self.adapter.accepts:
            what = f"{self.adapter.name} does not take {', '.join(sorted(missing))}"
            return self._empty(request, "skipped", ErrorInfo("unsupported", what))
        try:
            prepared = await self.adapter.prepare(request, self.media)
        except Exception as error:
            if isinstance(error, ProviderError) and error.fatal:
                raise
            return self._failed_response(request, error, 0)
        key, hashed = self._key(request)
        if cached := self._from_cache(request, key, hashed):
            return cached
        response = await self._attempts(request, prepared, key)
        if self.cache and hashed and self._is_deterministic(request):
            self._unsettled[response.entry] = response
            if self._in_step is None:
                self.trust(request)
        return response

    async def prepare_request(self, request: Request) -> tuple[Any, Response | None]:
        """Return what the adapter prepared of a Request, to be sent in a batch; or its Response, if it isn't sent.

        Raises a fatal or retryable ProviderError.
        """
        if unaskable := request.unaskable:
            return None, self._empty(request, unaskable.status, ErrorInfo(unaskable.kind, scrub(unaskable.why)))
        if missing := request.kinds - self.adapter.accepts:
            what = f"{self.adapter.name} does not take {', '.join(sorted(missing))}"
            return None, self._empty(request, "skipped", ErrorInfo("unsupported", what))
        try:
            prepared = await self.adapter.prepare(request, self.media)
        except Exception as error:
            if isinstance(error, ProviderError) and (error.fatal or error.retryable):
                raise
            return None, self._failed_response(request, error, 0)
        return prepared, self._from_cache(request, *self._key(request))

    def key_of(self, request: Request) -> str:
        """Return the Request's key; its media were read."""
        return self._key(request)[0]

    def answered_response(self, request: Request, reply: Reply, attempts: int, key: str) -> Response:
        """Return the Response with a reply from a batch; it has no time of its own."""
        return self._response(request, _checked(reply), attempts, 0.0, key)

    def failed_response(self, request: Request, error: Exception, attempts: int = 0, key: str = "") -> Response:
        """Return the Response of a Request without an answer."""
        return self._failed_response(request, error, attempts, key)

    @property
    def _in_step(self) -> Any:
        """The monitor of the adapter's connections, if there is one."""
        return getattr(self.adapter, "in_step", None)

    def trust(self, request: Request) -> None:
        """Confirm that the answer belongs to the Request, so that it can be cached."""
        response = self._unsettled.pop((request.id, request.condition, request.repeat), None)
        if response is None or self.cache is None:
            return
        try:
            self.cache.put(response)
        except DataError as error:  # answers, received or in progress, must not be lost because of a cache error
            self.stop.set(str(error))

    def doubted_response(self, request: Request, why: ProviderError) -> Response:
        """Return the Response that replaces an answer which may belong to another Request."""
        self._unsettled.pop((request.id, request.condition, request.repeat), None)
        return self._failed_response(request, why, 1)

    async def _attempts(self, request: Request, prepared: Any, key: str) -> Response:
        """Try until there is an answer, or until another attempt is pointless."""
        tries = _Tries(self.gate.answers)
        while True:
            await self.gate.enter(self.stop.sleep)
            tries.attempts += 1
            began = time.perf_counter()
            try:
                reply = await self._attempt(request, prepared)
            except Exception as error:
                if isinstance(error, ProviderError) and error.fatal:
                    raise
                wait = self._wait_after(error, tries)
                _log.info(
                    "%s: attempt %d failed: %s; %s",
                    request.id,
                    tries.attempts,
                    scrub(str(error)),
                    "no further attempt" if wait is None else f"again in {wait:.1f} s",
                )
                if wait is None:
                    return _with_sent(self._failed_response(request, error, tries.attempts, key), prepared)
            else:
                seconds = time.perf_counter() - began
                response = self._response(request, reply, tries.attempts, seconds, key)
                _log.debug("%s: %s in %.3f s, attempt %d", request.id, response.status, seconds, tries.attempts)
                return _with_sent(response, prepared)
            finally:
                self.gate.leave()
            self.tally.retries += 1
            await self.stop.sleep(wait)

    def _wait_after(self, error: Exception, tries: _Tries) -> float | None:
        """Return the seconds until the next attempt; None if another attempt is pointless."""
        if not (isinstance(error, ProviderError) and error.retryable):
            return None
        turned_away = error.status == 429
        asked_for = error.retry_after
        if asked_for is not None and asked_for > MAX_WAIT_S:
            if self.gate.answers > tries.seen:  # other Requests succeed, so the cause is this Request
                return None
            self.stop.set(f"{self.adapter.name} asks to wait {asked_for:.0f} s: {error.problem}")
        wait = self.gate.turned_away(asked_for) if turned_away else asked_for or 0.0
        # rejections while other Requests succeed are congestion, which is temporary
        if not (turned_away and self.gate.answers > tries.seen):
            tries.counted += 1
        tries.seen = self.gate.answers
        if tries.counted > self.retries:
            return None
        return wait if turned_away else max(wait, backoff(tries.counted))

    async def _attempt(self, request: Request, prepared: Any) -> Reply:
        try:
            async with asyncio.timeout(self.timeout_s):
                return await self._respond(request, prepared)
        except TimeoutError:
            problem = f"no answer within {self.timeout_s:g} s" if self.timeout_s else "the attempt timed out"
            raise ProviderError(problem, kind="timeout", retryable=True) from None

    async def _respond(self, request: Request, prepared: Any) -> Reply:
        if (steps := self._in_step) is None:
            return _checked(await self.adapter.respond(request, prepared))
        with steps.context_of(request) as asking:
            reply = _checked(await self.adapter.respond(request, prepared))
            steps.record_answer(asking, reply.status)
            return reply

    def _key(self, request: Request) -> tuple[str, bool]:
        """Return the Request's key, and whether it contains the content hash of every media file."""
        parts = request.media_parts
        hashes = {p.content_name: h for p in parts if (h := self.media.known_hash(p.content_name))}
        key = request.key(self.adapter.name, self._revision, hashes)
        return key, all(part.content_name in hashes for part in parts)

    def _is_deterministic(self, request: Request) -> bool:
        settings = {**self.adapter.settings, **request.settings}
        fixed = settings.get("temperature") == 0 or settings.get("seed") is not None
        return fixed and self.adapter.deterministic

    def _from_cache(self, request: Request, key: str, hashed: bool) -> Response | None:
        if not (self.cache and hashed and self._is_deterministic(request)):
            return None
        response = self.cache.get(key)
        if response is None:
            return None
        return msgspec.structs.replace(
            response, item=request.id, condition=request.condition, repeat=request.repeat, cached=True, cost_usd=0.0
        )

    def _response(self, request: Request, reply: Reply, attempts: int, seconds: float, key: str) -> Response:
        usage = reply.usage
        tokens = None if usage is None else (usage.input_tokens or 0) + (usage.output_tokens or 0)
        self.gate.record_answer(tokens)
        error = None
        if reply.note and reply.status in ("failed", "skipped", "refused"):
            error = ErrorInfo("model", scrub(reply.note))
        return Response(
            item=request.id,
            condition=request.condition,
            repeat=request.repeat,
            status=reply.status,
            text=hide_known(reply.text),
            key=key,
            finish_reason=_hidden(reply.finish_reason),
            usage=usage,
            attempts=attempts,
            seconds=round(seconds, 6),
            error=error,
            thinking=_hidden(reply.thinking or None),
            intermediates=tuple(msgspec.structs.replace(one, text=hide_known(one.text)) for one in reply.intermediates),
            encoded=reply.encoded,
            adapter=reply.adapter,
            logprobs=None if reply.logprobs is None else msgspec.Raw(_hidden_in(reply.logprobs)),
            served_model=_hidden(reply.served_model),
            cost_usd=self.prices.cost(priced_as(self.adapter), self.adapter.endpoint, request.kinds, usage),
            time=_now_text(),
        )

    def _failed_response(self, request: Request, error: Exception, attempts: int, key: str = "") -> Response:
        return self._empty(request, "failed", explain(error), attempts, key)

    def _empty(
        self, request: Request, status: ResponseStatus, error: ErrorInfo, attempts: int = 0, key: str = ""
    ) -> Response:
        return Response(
            request.id,
            request.condition,
            request.repeat,
            status,
            "",
            key,
            attempts=attempts,
            error=error,
            time=_now_text(),
        )


def _with_sent(response: Response, prepared: Any) -> Response:
    """Return a Response with what was sent for each media Part, and the LoRA adapter, if what was prepared says so."""
    if response.status == "skipped":
        return response
    sent, adapter = tuple(getattr(prepared, "sent", ())), getattr(prepared, "adapter", "") or response.adapter
    if not sent and adapter == response.adapter:
        return response
    return msgspec.structs.replace(response, sent=sent or response.sent, adapter=adapter)


def _hidden(text: str | None) -> str | None:
    """Return what a server said without the secrets that it may echo; None stays None."""
    return None if text is None else hide_known(text)


def _hidden_in(document: bytes) -> bytes:
    return hide_known(document.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _checked(reply: Reply) -> Reply:
    """Return the Reply if a journal can store it. Raises ProviderError for unpaired surrogates and invalid token
    counts.
    """
    if not isinstance(reply, Reply):
        problem = f"respond of the adapter gave {type(reply).__name__} instead of a Reply"
        raise ProviderError(problem, kind="internal", fatal=True)
    texts = (reply.text, reply.thinking, *(one.text for one in reply.intermediates))
    if wrong := [one for one in texts if isinstance(one, bytes | bytearray | memoryview)]:  # stored as base64
        problem = f"respond of the adapter gave a Reply with {type(wrong[0]).__name__} instead of text"
        raise ProviderError(problem, kind="internal", fatal=True)
    try:
        _REPLY.decode(_ENCODER.encode(reply))
    except (*UNREADABLE, UnicodeEncodeError, TypeError) as error:
        problem = f"the reply can't be stored in a journal ({reason(error)})"
        raise ProviderError(problem, kind="malformed", retryable=True) from None
    usage = plausible_usage(reply.usage)
    return reply if usage == reply.usage else replace(reply, usage=usage)


def priced_as(adapter: Adapter) -> str:
    """Return the name under which a price file lists the model; an adapter may add a prefix to it."""
    return str(getattr(adapter, "priced_as", adapter.name))


def explain(error: Exception) -> ErrorInfo:
    """Return the kind and message of an exception for a journal, without secrets."""
    if isinstance(error, ProviderError):
        return ErrorInfo(error.kind, scrub(str(error)), error.status)
    if isinstance(error, MediaError):
        return ErrorInfo("media", scrub(str(error)))
    if isinstance(error, MemoryError):
        return ErrorInfo("memory", "out of memory")
    return ErrorInfo("internal", scrub(f"{type(error).__name__}: {error}"))


def _now_text() -> str:
    milliseconds = time.time_ns() // 1_000_000
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03d}+00:00"


@lru_cache(maxsize=1)
def _second(second: int) -> str:
    """Return a second of UTC in ISO 8601. It is the same for hundreds of Responses."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
