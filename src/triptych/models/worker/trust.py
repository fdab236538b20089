"""Whether code that isn't Triptych's may be run: code from the Hub, a runner of one's own, another Python.

Only a person can say so: the command line (`--trust-remote-code`) or a Python program calls `allow_foreign_code`.
Settings can't, since they may come from a file that somebody else wrote.
"""

from __future__ import annotations

from triptych.errors import SpecError

_allowed = False


def allow_foreign_code(allowed: bool = True) -> None:
    """Allow such code for the rest of this process, or forbid it again."""
    global _allowed
    _allowed = allowed


def foreign_code_allowed() -> bool:
    """Return whether such code is allowed, for processes that work for this one."""
    return _allowed


def check_trusted(model: str, what: str) -> None:
    """Raise SpecError unless such code is allowed; `what` names it."""
    if not _allowed:
        raise SpecError(
            f"{model} runs {what}, which is only done if you allow it",
            fix="read the code, and add --trust-remote-code to the command",
        )
