"""When a session ends before its plan: a budget is spent or can't be enforced, or no Request can succeed."""

from __future__ import annotations

import sys
from math import ceil

from triptych.errors import BudgetExceeded
from triptych.records import Response
from triptych.running.stop import Stop
from triptych.running.tally import Tally

# Errors that all Requests may share; others (missing media, a Condition) concern one Item
_COMMON = frozenset({"bad_request", "malformed", "server", "timeout", "rate_limit", "internal"})
_NEARLY_ALL = 1 - 1e-9  # of a budget: sums and shares in floating point are inexact
_IN_VAIN = {"connection": "can't be reached", "bad_request": "rejects every Request"}


class Limits:
    """The budget of a session, and its patience with a model that doesn't answer.

    `concurrency`: Requests in progress at once. `hopeful`: errors don't end the session, since they are not the model's
    (a replay has those of another Run).
    """

    def __init__(
        self,
        name: str,
        tally: Tally,
        stop: Stop,
        usd: float | None,
        tokens: int | None,
        concurrency: int,
        hopeful: bool = False,
    ) -> None:
        self._name, self._tally, self._stop, self._usd, self._tokens = name, tally, stop, usd, tokens
        self._concurrency, self._hopeful, self._in_vain = concurrency, hopeful, 0

    def watch(self, response: Response) -> None:
        """Stop if Requests fail one after the other for a shared reason, or if a budget can't be enforced.

        Shared reasons: the endpoint is unreachable, or has answered nothing since the first Request (wrong address, an
        invalid key, media in no accepted form).
        """
        kind = response.error.kind if response.error and response.status == "failed" else ""
        hopeless = kind == "connection" or (kind in _COMMON and not self._tally.has_answers)
        self._in_vain = self._in_vain + 1 if hopeless and not self._hopeful else 0
        if response.error and self._in_vain >= max(3, self._concurrency):
            what = _IN_VAIN.get(kind, "has answered no Request")
            self._stop.set(f"{self._name} {what}: {response.error.message}", fatal=True)
        if self._usd is not None and self._tally.unpriced:
            self._stop.set("the price of an answer is unknown, so the USD budget can't be enforced", fatal=True)
        if self._tokens is not None and self._tally.uncounted:
            self._stop.set("the endpoint doesn't report tokens, so the token budget can't be enforced", fatal=True)

    @property
    def has_budget(self) -> bool:
        """Whether tokens or money are limited."""
        return self._usd is not None or self._tokens is not None

    def room(self, in_progress: int) -> int | None:
        """Return how many Requests can be asked in addition to those in progress; None without a budget.

        All of them are assumed to cost the mean of the answers so far. Before the first answer, they may be as many as
        can be in progress at once.

        Example:
            >>> limits = Limits("model", Tally(spent_tokens=300, spent_on=10), Stop(), None, 1000, concurrency=4)
            >>> limits.room(0), limits.room(20), limits.room(50)
            (24, 4, 0)
        """
        tally = self._tally
        rooms: list[float] = []
        for spent, wanted in ((tally.spent_usd, self._usd), (tally.spent_tokens, self._tokens)):
            if wanted is None:
                continue
            if spent >= (budget := wanted * _NEARLY_ALL):
                return 0
            if not tally.spent_on:
                rooms.append(self._concurrency)
            elif spent:
                rooms.append(max(1, ceil(tally.spent_on * budget / spent) - tally.spent_on))
        if rooms:
            return max(0, int(min(rooms)) - in_progress)
        return sys.maxsize if self.has_budget else None

    def over_budget(self, *, reserved: bool = False) -> bool:
        """Return whether another Request, with those in progress, could exceed the budget; if so, stop the Run.

        `reserved`: no Request was begun that had no `room`, so those in progress need not be counted again.
        """
        usd, tokens, tally = self._usd, self._tokens, self._tally
        if not self.has_budget:
            return False
        # Requests in progress are assumed to cost the mean
        share = 1 if reserved else 1 + tally.in_flight / max(1, tally.spent_on)
        spent: list[str] = []
        if usd is not None and tally.spent_usd * share >= usd * _NEARLY_ALL:
            spent.append(f"{tally.spent_usd:.4f} of {usd:g} USD")
        if tokens is not None and tally.spent_tokens * share >= tokens * _NEARLY_ALL:
            spent.append(f"{tally.spent_tokens:,} of {tokens:,} tokens")
        if spent:
            if tally.in_flight:
                spent.append("Requests in progress will use the rest")
            fix = "resume with a larger budget"
            self._stop.set(str(BudgetExceeded(f"the budget is spent ({', '.join(spent)})", fix=fix)))
        return bool(spent)
