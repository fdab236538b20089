"""The errors that Triptych raises on purpose: a small tree that callers can rely on.

Every message says what was wrong, what was expected, what came instead, where, and what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from triptych.secrets import scrub


class TriptychError(Exception):
    """Base of all errors raised on purpose. `exit_code` is what the command line ends with.

    `problem` is a plain sentence; the keyword parts are added to the message when given. Secrets are hidden.
    """

    exit_code = 2

    def __init__(
        self,
        problem: str,
        *,
        expected: object = None,
        got: object = None,
        where: object = None,
        fix: str | None = None,
    ) -> None:
        problem, fix = scrub(problem), None if fix is None else scrub(fix)
        expected, got, where = (value if value is None else scrub(str(value)) for value in (expected, got, where))
        self.problem, self.expected, self.got, self.where, self.fix = problem, expected, got, where, fix
        parts = [problem]
        for label, value in (("expected", expected), ("got", got), ("where", where), ("what to do", fix)):
            if value is not None:
                parts.append(f"{label}: {value}")
        super().__init__("\n  ".join(parts))


class SpecError(TriptychError):
    """A specification or a request to Triptych is wrong: unknown key, task, metric, option, model."""


class DataError(TriptychError):
    """A benchmark's or a Run's data is missing, malformed or contradicts itself."""


class TwoAnswersError(DataError):
    """Results hold two answers to one question, and don't say which counts."""


class MediaError(DataError):
    """A media file is missing, unreadable, of the wrong kind, or outside the data root."""


class RunFolderError(DataError):
    """A Run folder is locked, of an unknown schema, or doesn't match what is asked of it."""


class WeightsError(TriptychError):
    """A model's weights are missing, or what was fetched doesn't have the right hash."""


class BudgetExceeded(TriptychError):
    """The token or money budget is spent; the Run can be resumed with a larger one."""

    exit_code = 1


class ProviderError(TriptychError):
    """A model (a server, or one in this process) gave no answer.

    kind: `rate_limit`, `server`, `timeout`, `connection`, `malformed`, `auth`, `unknown_model`,
    `bad_request`, `media` or `internal`. `retryable`: worth asking again. `fatal`: no other Request can succeed
    either (wrong key, unknown model), so the Run stops. `retry_after`: seconds that the server asked for.
    """

    def __init__(
        self,
        problem: str,
        *,
        kind: str,
        retryable: bool = False,
        fatal: bool = False,
        retry_after: float | None = None,
        status: int | None = None,
        fix: str | None = None,
    ) -> None:
        super().__init__(problem, fix=fix)
        self.kind, self.retryable, self.fatal = kind, retryable, fatal
        self.retry_after, self.status = retry_after, status


class JudgeError(TriptychError):
    """A judge's verdict could not be had or parsed."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A "did you mean" clause for an unknown name, or the list of the known ones when none is near."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
    return f"known: {shown}" if names else "none is known"
