"""A clock that no busy machine can disturb: waiting takes no time, and what is waited for comes in its order.

clock = Clock()
clock.run(main())     # asyncio.sleep(60) returns at once, and clock.now is 60 seconds later
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
A_STEP = 1e-6  # seconds for each turn of the loop: time never stands still, as it never does elsewhere


class Clock:
    """Seconds that pass only while an event loop of `run` has nothing else to do than to wait for its next timer."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        """In place of time.monotonic."""
        return self.now

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine to its end, in a loop that goes by this clock."""
        with asyncio.Runner(loop_factory=lambda: _Loop(self)) as runner:
            return runner.run(work)


class _Loop(asyncio.SelectorEventLoop):
    """A loop that sets the clock forward where others sleep."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(_Selector(clock))
        self._clock = clock

    def time(self) -> float:
        return self._clock.now


class _Selector(selectors.DefaultSelector):
    """Looks for what is ready; where nothing is, the time until the next timer has passed."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:  # no timer at all: something from outside must come
            return super().select(None)
        ready = super().select(0)
        self._clock.now += A_STEP if ready else max(timeout, A_STEP)
        return ready
