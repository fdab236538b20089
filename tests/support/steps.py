"""How much work a call does, counted in lines of Python that are run: the same on a busy machine and on a quiet one.

assert steps(lambda: align(long, long)) < 3 * steps(lambda: align(short, short))
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[[], object]) -> int:
    """The lines of Python that are run by a call, in this thread. What happens within C code is not counted.

    The garbage collector waits meanwhile: what it calls (Hypothesis measures it) comes at any time, or not at all.
    """
    count = 0

    def line(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()
    sys.settrace(line)
    try:
        work()
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
    return count
