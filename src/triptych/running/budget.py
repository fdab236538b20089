"""A budget that several sittings share: a Run, what was read before it, the judges after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from triptych.running.loop import Ledger, RunOptions
from triptych.running.tally import tokens_of


def left_over(options: RunOptions, others: Iterable[Ledger]) -> RunOptions:
    """The options with what others (the Run itself, the judges before) have left of the budget; each sitting counts
    its own journal."""
    if options.budget_usd is None and options.budget_tokens is None:
        return options
    fresh = [response for ledger in others for response in ledger.history() if not response.cached]
    usd = sum(max(0.0, response.cost_usd or 0.0) for response in fresh)
    tokens = sum(tokens_of(response.usage) for response in fresh)
    return replace(
        options,
        budget_usd=None if options.budget_usd is None else max(0.0, options.budget_usd - usd),
        budget_tokens=None if options.budget_tokens is None else max(0, options.budget_tokens - tokens),
    )
