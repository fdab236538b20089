"""A budget shared by several sessions: a Run, the media read before it, and the judges after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from triptych.running.loop import Ledger, RunOptions
from triptych.running.tally import Tally


def remaining_budget(options: RunOptions, others: Iterable[Ledger]) -> RunOptions:
    """Return the options with the budget that others (the Run itself, earlier judges) have left.

    Each session counts what is in its own journal.
    """
    if options.budget_usd is None and options.budget_tokens is None:
        return options
    tally = Tally()
    for ledger in others:
        for response in ledger.history():
            if not response.cached:
                tally.spend(response)
    return replace(
        options,
        budget_usd=None if options.budget_usd is None else max(0.0, options.budget_usd - tally.spent_usd),
        budget_tokens=None if options.budget_tokens is None else max(0, options.budget_tokens - tally.spent_tokens),
    )
