"""The gate before an endpoint: rate limits set by the user, and pauses requested by the endpoint.

A 429 response slows down all Requests, not only the one that received it: the gate closes for the requested time, times
the share of recent attempts that were rejected. A single rejection among many answers therefore costs little, while
during a rate limit, which rejects everything, all Requests wait. If most attempts since the last pause were rejected,
fewer are let through at once; every answer raises the number again.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Awaitable, Callable

_log = logging.getLogger(__name__)
Nap = Callable[[float], Awaitable[None]]
POLL_S = 0.05  # seconds until an attempt that waits for others checks again
MAX_BACKOFF_S = 60.0
MEMORY = 1 / 8  # weight of the latest attempt in the share of rejected attempts


def backoff(tries: int, base: float = 0.5) -> float:
    """Return the seconds to wait after this number of attempts: full jitter below an exponential ceiling."""
    return random.uniform(0, min(MAX_BACKOFF_S, base * 2.0 ** min(tries - 1, 10)))


class Bucket:
    """A token bucket: `per_minute` flow in evenly; it holds one second's worth, or `least` if that is more."""

    def __init__(self, per_minute: float, minimum: float = 1.0) -> None:
        self.per_second: float = per_minute / 60
        self.capacity: float = max(minimum, self.per_second)
        self.level: float = self.capacity
        self._updated = time.monotonic()

    def wait(self, now: float, need: float = 1.0) -> float:
        """Return the seconds until `need` is available; 0 if it is."""
        self.level = min(self.capacity, self.level + (now - self._updated) * self.per_second)
        self._updated = now
        return max(0.0, (need - self.level) / self.per_second)


class Gate:
    """Admits attempts to one endpoint."""

    def __init__(
        self, concurrency: int, rate_per_minute: float | None = None, tokens_per_minute: float | None = None
    ) -> None:
        self.answers: int = 0  # so far; a rejected Request uses it to see whether others succeed
        self._concurrency = self._width = float(concurrency)
        self._inside = 0
        self._requests = Bucket(rate_per_minute) if rate_per_minute else None
        self._tokens = Bucket(tokens_per_minute) if tokens_per_minute else None
        self._mean_tokens, self._counted = 0.0, 0
        self._paused_until = 0.0
        self._turned_away = self._let_through = self._streak = 0
        self._share = 0.0  # share of recent attempts that were rejected

    @property
    def paused_s(self) -> float:
        """Seconds for which the gate stays closed; 0 if it is open."""
        return max(0.0, self._paused_until - time.monotonic())

    async def enter(self, nap: Nap) -> None:
        """Wait for admission; `leave` must follow."""
        while wait := self._seconds_to_wait():
            await nap(wait)
        self._inside += 1

    def leave(self) -> None:
        """An attempt has ended, with any outcome."""
        self._inside -= 1

    def record_answer(self, tokens: int | None) -> None:
        """An attempt was answered, using this number of tokens if known."""
        self.answers += 1
        self._let_through += 1
        self._streak = 0
        self._share -= self._share * MEMORY
        if self._width < self._concurrency:
            self._width = min(self._concurrency, self._width + 1 / self._width)
        if self._tokens and tokens is not None:
            self._tokens.level += self._mean_tokens - tokens  # the tokens taken on entering were an estimate
            self._counted += 1
            self._mean_tokens += (tokens - self._mean_tokens) / self._counted

    def turned_away(self, retry_after: float | None) -> float:
        """An attempt received a 429. Returns the seconds that its Request should wait: the time requested by the
        endpoint, otherwise an increasing time, plus jitter so that Requests don't return all at once.
        """
        now = time.monotonic()
        if now >= self._paused_until:  # the first rejection of a burst evaluates the time since the previous one
            if self._turned_away > self._let_through:
                self._width = max(1.0, self._width / 2)
            self._turned_away = self._let_through = 0
            self._streak += 1
        self._turned_away += 1
        self._share += (1 - self._share) * MEMORY
        delay = backoff(self._streak, 1.0) if retry_after is None else retry_after
        self._paused_until = max(self._paused_until, now + delay * self._share)
        _log.info("the endpoint answered 429: next Requests in %.1f s, %.0f at a time", self.paused_s, self._width)
        return delay * random.uniform(1, 1.125) + POLL_S * random.uniform(1, 3)

    def _seconds_to_wait(self) -> float:
        """Return the seconds until another try makes sense; 0 admits the attempt and charges the rate limits."""
        if self._paused_until and (paused := self.paused_s):
            return paused + random.uniform(0, min(1.0, paused / 8))  # so that Requests don't start all at once
        if self._inside >= self._width:
            return POLL_S
        if self._requests or self._tokens:
            return self._take_rates()
        return 0.0

    def _take_rates(self) -> float:
        now = time.monotonic()
        wait = self._requests.wait(now) if self._requests else 0.0
        if self._tokens:
            wait = max(wait, self._tokens.wait(now, min(self._mean_tokens, self._tokens.capacity) or 1.0))
        if wait:
            return wait
        if self._requests:
            self._requests.level -= 1
        if self._tokens:
            self._tokens.level -= self._mean_tokens
        return 0.0
