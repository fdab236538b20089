"""When a session ends before its plan: a budget is spent or can't be enforced, or no Request can succeed."""

from __future__ import annotations

from triptych.errors import BudgetExceeded
from triptych.records import Response
from triptych.running.stop import Stop
from triptych.running.tally import Tally

# Errors that all Requests may share; others (missing media, a Condition) concern one Item
_COMMON = frozenset({"bad_request", "malformed", "server", "timeout", "rate_limit", "internal"})
_IN_VAIN = {"connection": "can't be reached", "bad_request": "rejects every Request"}


class Limits:
    """The budget of a session, and its patience with a model that doesn't answer.

    `concurrency`: Requests in progress at once. `hopeful`: errors don't end the session, since they are not the model's
    (a replay has those of another Run).
    """

    def __init__(
        self, name: str, tally: Tally, stop: Stop, usd: float | None, tokens: int | None, concurrency: int,
        hopeful: bool = False,
    ) -> None:  # fmt: skip
        self._name, self._tally, self._stop, self._usd, self._tokens = name, tally, stop, usd, tokens
        self._concurrency, self._hopeful, self._in_vain = concurrency, hopeful, 0

    def watch(self, response: Response) -> None:
        """Stop if Requests fail one after the other for a shared reason, or if a budget can't be enforced.

        Shared reasons: the endpoint is unreachable, or has answered nothing since the first Request (wrong address, an
        invalid key, media in no accepted form).
        """
        kind = response.error.kind if response.error and response.status == "failed" else ""
        hopeless = kind == "connection" or (kind in _COMMON and not self._tally.heard)
        self._in_vain = self._in_vain + 1 if hopeless and not self._hopeful else 0
        if response.error and self._in_vain >= max(3, self._concurrency):
            what = _IN_VAIN.get(kind, "has answered no Request")
            self._stop.because(f"{self._name} {what}: {response.error.message}", fatal=True)
        if self._usd is not None and self._tally.unpriced:
            self._stop.because("the price of an answer is unknown, so the USD budget can't be enforced", fatal=True)
        if self._tokens is not None and self._tally.uncounted:
            self._stop.because("the endpoint doesn't report tokens, so the token budget can't be enforced", fatal=True)

    def over_budget(self) -> bool:
        """Return whether another Request, with those in progress, could exceed the budget; if so, stop the Run."""
        usd, tokens, tally = self._usd, self._tokens, self._tally
        if usd is None and tokens is None:
            return False
        share = 1 + tally.in_flight / max(1, tally.spent_on)  # Requests in progress are assumed to cost the mean
        spent: list[str] = []
        # sums of amounts in floating point are inexact
        if usd is not None and tally.spent_usd * share >= usd * (1 - 1e-9):
            spent.append(f"{tally.spent_usd:.4f} of {usd:g} USD")
        if tokens is not None and tally.spent_tokens * share >= tokens:
            spent.append(f"{tally.spent_tokens:,} of {tokens:,} tokens")
        if spent:
            if tally.in_flight:
                spent.append("Requests in progress will use the rest")
            fix = "resume with a larger budget"
            self._stop.because(str(BudgetExceeded(f"the budget is spent ({', '.join(spent)})", fix=fix)))
        return bool(spent)
