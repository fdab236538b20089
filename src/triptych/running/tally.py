"""The state of a session: counts by status, tokens, cost, time."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from triptych.records import Response, Usage


def tokens_of(usage: Usage | None) -> int:
    """Return the tokens that count against a budget; negative numbers in a journal count as 0."""
    return max(0, usage.input_tokens or 0) + max(0, usage.output_tokens or 0) if usage else 0


@dataclass
class Tally:
    """Counts of one session. `spent_*` include earlier sessions of the Run, which a budget must count, too."""

    planned: int | None = None
    already: int = 0
    already_answered: int | None = None  # of those already done; None for all
    counts: Counter[str] = field(default_factory=Counter)
    in_flight: int = 0
    retries: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0
    uncounted: int = 0
    spent_tokens: int = 0
    spent_usd: float = 0.0
    spent_on: int = 0
    in_batches: int = 0  # Requests that a service has in its batches
    in_data: int = 0  # Items of the Run's Tasks in the data; 0 if not known
    note: str = ""  # notes for the user on how the Run is carried out
    began: float = field(default_factory=time.perf_counter)
    end: float | None = None

    def add(self, response: Response) -> None:
        """Count a Response of this session."""
        self.counts[response.status] += 1
        if response.cached:  # no cost this time
            self.cached += 1
            return
        self.spend(response)
        if usage := response.usage:
            self.input_tokens += usage.input_tokens or 0
            self.output_tokens += usage.output_tokens or 0
        if response.status in ("failed", "skipped"):
            return
        self.uncounted += response.usage is None
        if response.cost_usd is None:
            self.unpriced += 1
        else:
            self.usd += response.cost_usd

    def take_back(self, status: str) -> None:
        """Change the count of a Response from `status` to `failed` (or remove a `failed` one that is asked again); its
        cost stays.
        """
        self.counts[status] -= 1
        if status != "failed":
            self.counts["failed"] += 1

    def spend(self, response: Response) -> None:
        """Count what a Response of this or an earlier session used of a budget."""
        if usage := response.usage:
            self.spent_on += 1
            self.spent_tokens += tokens_of(usage)
        self.spent_usd += max(0.0, response.cost_usd or 0.0)

    @property
    def responses(self) -> int:
        """Number of Responses in this session."""
        return sum(self.counts.values())

    @property
    def has_answers(self) -> bool:
        """Whether the model has given any answer, in this or an earlier session."""
        return bool(self.already or self.counts["answered"] or self.counts["truncated"] or self.counts["refused"])

    def stop_clock(self) -> None:
        """Stop the clock of `finished_s`."""
        self.end = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since the session began."""
        return time.perf_counter() - self.began

    @property
    def finished_s(self) -> float:
        """Seconds from the beginning of the session to its end, or until now."""
        return (self.end or time.perf_counter()) - self.began

    @property
    def remaining_s(self) -> float | None:
        """Estimated remaining seconds at the rate so far; None if there is no basis yet."""
        if self.planned is None or not self.responses:
            return None
        return max(0, self.planned - self.already - self.responses) * self.seconds / self.responses

    @property
    def usage(self) -> Usage:
        """Tokens of this session; None if no server reported any."""
        is_counted = self.responses - self.cached > self.uncounted
        return Usage(self.input_tokens if is_counted else None, self.output_tokens if is_counted else None)

    @property
    def cost_usd(self) -> float | None:
        """Cost of this session in USD; None if the price of an answer is unknown."""
        return None if self.unpriced else self.usd
