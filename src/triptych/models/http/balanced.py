"""One model behind several endpoints: each Request goes to the least busy one, and one that is down is left out.

The endpoints must serve the same weights with the same settings. The first one stands for all in prices and rates.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import DECODING, Adapter, Reply
from triptych.records import Kind, Request, ResponseStatus
from triptych.secrets import scrub

if TYPE_CHECKING:
    from triptych.models.http.in_step import AnsweredRequest, Asking, InStep

DOWN_AFTER = 3  # failed connections in a row, without an answer in between
FIRST_REST_S, MAX_REST_S = 5.0, 120.0  # before an endpoint that is down is tried again


def addresses_of(value: object) -> list[str]:
    """Return the base URLs of a setting: one or several, separated by spaces, or a sequence of them.

    Example:
        >>> addresses_of("http://a/v1 http://b/v1")
        ['http://a/v1', 'http://b/v1']
    """
    if isinstance(value, str):
        return value.split()
    return [str(one) for one in value] if isinstance(value, Sequence) else []


@dataclass(eq=False)
class _EndpointState:
    """An endpoint: Requests in progress, answers so far, failed connections in a row, time until it rests."""

    adapter: Adapter
    busy: int = 0
    answers: int = 0
    failures: int = 0
    rests_until: float = 0.0

    @property
    def is_resting(self) -> bool:
        return self.rests_until > time.monotonic()


class Balanced:
    """See the module. An adapter made of adapters that differ in their endpoint alone."""

    deterministic = True

    def __init__(self, adapters: Sequence[Adapter]) -> None:
        first = adapters[0]
        self.addresses: tuple[str, ...] = tuple(one.endpoint for one in adapters)
        if len(set(self.addresses)) != len(adapters):
            shown_addresses = scrub(", ".join(self.addresses))
            raise SpecError("an endpoint is given twice", got=shown_addresses, where="--model-base-url")
        self.name: str = first.name
        self.revision: str = first.revision
        self.endpoint: str = first.endpoint
        self.settings: Mapping[str, Any] = first.settings
        self.accepts: frozenset[Kind] = first.accepts
        self.decoding: frozenset[str] = getattr(first, "decoding", frozenset(DECODING))
        self.packing: str = str(getattr(first, "packing", ""))
        self._places = [_EndpointState(one) for one in adapters]

    async def open(self) -> None:
        """Open all sessions; nothing is sent yet."""
        for endpoint in self._places:
            await endpoint.adapter.open()
        self.in_step: Steps = Steps([getattr(endpoint.adapter, "in_step") for endpoint in self._places])  # noqa: B009

    async def close(self) -> None:
        """Close all sessions."""
        for endpoint in self._places:
            await endpoint.adapter.close()

    async def prepare(self, request: Request, media: MediaReader) -> bytes:
        """Build the body, which is the same for all endpoints."""
        body: bytes = await self._places[0].adapter.prepare(request, media)
        return body

    async def respond(self, request: Request, prepared: bytes) -> Reply:
        """Make one attempt; if the connection fails, the same attempt goes on at the other endpoints."""
        tried: set[_EndpointState] = set()
        while True:
            endpoint = self._least_busy(tried)
            tried.add(endpoint)
            endpoint.busy += 1
            try:
                reply = await endpoint.adapter.respond(request, prepared)
            except ProviderError as error:
                if error.kind != "connection":
                    raise
                self._record_failure(endpoint, error)
                if not any(one not in tried and not one.is_resting for one in self._places):
                    raise
            else:
                self._record_answer(endpoint)
                return reply
            finally:
                endpoint.busy -= 1

    def _least_busy(self, tried: set[_EndpointState]) -> _EndpointState:
        """Return the endpoint for the next attempt: one that is up and wasn't tried, if there is one."""
        left = [endpoint for endpoint in self._places if endpoint not in tried] or self._places
        up = [endpoint for endpoint in left if not endpoint.is_resting]
        if not up:
            return min(left, key=lambda candidate: candidate.rests_until)
        return min(up, key=lambda endpoint: (endpoint.busy, endpoint.answers))

    def _record_failure(self, state: _EndpointState, error: ProviderError) -> None:
        state.failures += 1
        if state.failures < DOWN_AFTER or state.is_resting:
            return
        rest = min(MAX_REST_S, FIRST_REST_S * 2.0 ** (state.failures - DOWN_AFTER))
        state.rests_until = time.monotonic() + rest
        if state.failures == DOWN_AFTER:
            _say(f"{state.adapter.endpoint} is down, and the other endpoints take its Requests ({error.problem})")

    def _record_answer(self, state: _EndpointState) -> None:
        if state.failures >= DOWN_AFTER:
            _say(f"{state.adapter.endpoint} answers again")
        state.failures, state.rests_until = 0, 0.0
        state.answers += 1


class Steps:
    """The connections of several sessions, as one `InStep` (`models/http/in_step.py`)."""

    def __init__(self, steps: Sequence[InStep]) -> None:
        self._steps = steps

    @contextmanager
    def context_of(self, request: Request) -> Iterator[Asking]:
        """Context of a Request."""
        with self._steps[0].context_of(request) as asking:
            yield asking

    def record_answer(self, asking: Asking, status: ResponseStatus) -> None:
        """Record an answer with the session whose connection brought it. Raises ProviderError as `InStep` does."""
        steps = self._steps[0] if asking.line is None else asking.line.steps
        steps.record_answer(asking, status)

    def trusted_and_doubted(self) -> tuple[list[Request], list[AnsweredRequest]]:
        """Return (Requests with trusted answers, Requests with doubted answers), each once."""
        steps = [one.trusted_and_doubted() for one in self._steps]
        return [r for trusted, _ in steps for r in trusted], [d for _, doubted in steps for d in doubted]

    @property
    def is_settled(self) -> bool:
        """Whether no connection has an answer that might belong to another Request."""
        return all(one.is_settled for one in self._steps)

    def end_soon(self) -> None:
        """Use no connection again (`InStep.end_soon`)."""
        for one in self._steps:
            one.end_soon()

    async def settle(self) -> None:
        """Check the connections whose latest answers might belong to other Requests."""
        await asyncio.gather(*(one.settle() for one in self._steps))


def _say(message: str) -> None:
    sys.stderr.write(f"{scrub(message)}\n")
