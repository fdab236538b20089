"""Cost of a Run: tokens, time and money reported in its Responses. A value that was not reported is unknown, not 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from triptych.records import Response
from triptych.running.costs import sums


@dataclass(frozen=True)
class Cost:
    """The cost of a Run's Responses. None: not reported. `reported`: number of Responses that report their tokens."""

    responses: int
    input_tokens: int
    output_tokens: int
    reported: int
    seconds: float | None
    usd: float | None
    cached: int

    @classmethod
    def sum_of(cls, responses: Sequence[Response]) -> Cost:
        """Return the sum over the Responses; a Response from the cache costs nothing."""
        totals = sums(responses)
        return cls(
            responses=len(responses),
            input_tokens=int(totals["input_tokens"].value),
            output_tokens=int(totals["output_tokens"].value),
            reported=totals["input_tokens"].known_count,
            seconds=totals["seconds"].value if totals["seconds"].known_count else None,
            usd=totals["usd"].complete_sum,
            cached=sum([r.cached for r in responses]),
        )

    @property
    def tokens(self) -> str:
        """Tokens as text: `12,345 in, 678 out`."""
        return f"{self.input_tokens:,} in, {self.output_tokens:,} out" if self.reported else "not reported"

    @property
    def time(self) -> str:
        """Time until the answers as text, summed over Requests, including those that ran in parallel."""
        if self.seconds is None:
            return "not reported"
        for unit, size in (("h", 3600), ("min", 60)):
            if self.seconds >= size:
                return f"{self.seconds / size:.1f} {unit}"
        return f"{self.seconds:.1f} s" if self.seconds >= 0.05 else "under 0.1 s"

    @property
    def money(self) -> str:
        """Cost in US dollars as text; `unknown`, not 0, if a price is unknown."""
        return "unknown" if self.usd is None else "0" if not self.usd else f"${self.usd:,.4f}".rstrip("0").rstrip(".")
