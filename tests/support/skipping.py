"""Waits that end as soon as only they are left: an event loop whose clock others set forward.

A timeout of some seconds stays what it is, and nothing but a request that hangs meets it; nobody waits for it.

    with asyncio.Runner(loop_factory=SkippingLoop) as runner: ...   # in this process
    python -m tests.support.skipping run …                          # `triptych run …`; see `Skipping`
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TURNS = 20  # of the loop before its clock is set forward: until then it has dealt with what had arrived


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock another thread may set forward."""

    _skipped = 0.0

    def time(self) -> float:
        """The seconds of the system's clock and those that were skipped."""
        return super().time() + self._skipped

    def skip(self, seconds: float) -> None:
        """Set the clock forward, once what has arrived has been dealt with."""
        self.call_soon_threadsafe(self._skip, seconds, TURNS)

    def _skip(self, seconds: float, turns: int) -> None:
        if turns:
            self.call_soon(self._skip, seconds, turns - 1)
        else:
            self._skipped += seconds


class Skipping:
    """A command of Triptych in a process of its own, whose waits `skip` cuts short."""

    def __init__(self, arguments: list[str], env: dict[str, str]) -> None:
        command = [sys.executable, "-m", "tests.support.skipping", *arguments]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, env=env)

    def skip(self, seconds: float) -> None:
        """Set the clock of its event loop forward."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{seconds}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended


def main() -> None:
    """Run `triptych`; each line of the standard input tells how many seconds to skip."""
    from triptych.cli.main import main as triptych

    loops: list[SkippingLoop] = []

    def new_loop() -> SkippingLoop:
        loops.append(SkippingLoop())
        return loops[-1]

    def listen() -> None:
        for line in sys.stdin:
            for loop in loops:
                if not loop.is_closed():
                    loop.skip(float(line))

    asyncio.events.new_event_loop = new_loop  # type: ignore[assignment]
    threading.Thread(target=listen, daemon=True).start()
    triptych(sys.argv[1:])


if __name__ == "__main__":
    main()
