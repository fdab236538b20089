"""Exceptions raised by Triptych: a small tree that callers can rely on.

Each message is one sentence on what is wrong, followed by what was expected, what was found, where, and what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from triptych.secrets import scrub_all


class TriptychError(Exception):
    """Base class of all exceptions that Triptych raises on purpose. `exit_code` is the exit code of the command line.

    `problem` is a sentence; the keyword arguments are appended if given. Secrets are replaced by ***.
    """

    expected: str | None
    got: str | None
    where: str | None
    fix: str | None

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
        details = (expected, got, where, fix)
        self.problem: str
        self.problem, *shown = scrub_all([problem, *(str(value) for value in details if value is not None)])
        rest = iter(shown)
        self.expected, self.got, self.where, self.fix = (None if v is None else next(rest) for v in details)
        parts = [self.problem]
        lines = (("expected", self.expected), ("got", self.got), ("where", self.where), ("what to do", self.fix))
        for label, value in lines:
            if value is not None:
                shown_value = value if value.strip() else repr(value)
                parts.append(f"{label}:{value}" if shown_value.startswith("\n") else f"{label}: {shown_value}")
        super().__init__("\n  ".join(parts))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the attributes: `__init__` of some subclasses requires other arguments than the message."""
        return _restored, (type(self), self.args, dict(self.__dict__))


class SpecError(TriptychError):
    """A specification or an argument is wrong: an unknown key, task, metric, option or model."""


class DataError(TriptychError):
    """The data of a benchmark or a Run are missing, malformed or contradictory."""


class TwoAnswersError(DataError):
    """Results contain two answers to one question and don't say which one counts."""


class MediaError(DataError):
    """A media file is missing, unreadable, of the wrong kind, or outside the data folder."""


class RunFolderError(DataError):
    """A Run folder is locked, has an unknown schema, or holds another Run than the one asked for."""


class WeightsError(TriptychError):
    """Model weights are missing, or a downloaded file has the wrong hash."""


class BudgetExceeded(TriptychError):
    """The token or money budget is spent. The Run can be resumed with a larger budget."""

    exit_code = 1


class ProviderError(TriptychError):
    """A model (on a server or in this process) returned no answer.

    kind         `rate_limit`, `server`, `timeout`, `connection`, `malformed`, `auth`, `unknown_model`, `bad_request`,
                 `media` or `internal`
    retryable    the same Request may succeed later
    fatal        no other Request can succeed either (wrong API key, unknown model), so the Run stops
    retry_after  seconds to wait, as requested by the server
    status       HTTP status code
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
        self.kind: str = kind
        self.retryable: bool = retryable
        self.fatal: bool = fatal
        self.retry_after: float | None = retry_after
        self.status: int | None = status


def _restored(kind: type[TriptychError], args: tuple[Any, ...], attributes: dict[str, Any]) -> TriptychError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Return a "did you mean" clause for an unknown name, or the list of known names if none is similar.

    Example:
        >>> nearest("CMDAR", ["cmdar", "mcga"])
        "did you mean 'cmdar'?"
    """
    names = sorted(set(candidates))
    by_fold = {one.casefold(): one for one in names}
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close := close or difflib.get_close_matches(name.casefold(), by_fold, n=1, cutoff=0.6):
        return f"did you mean {by_fold.get(close[0], close[0])!r}?"
    shown = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
    return f"known: {shown}" if names else "there are none"
