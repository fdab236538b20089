"""How often the readers of protocol `standard` misread the replies that people have labelled."""

from __future__ import annotations

import sys
from functools import cache

from registry import figure
from sources import ROOT

sys.path.insert(0, str(ROOT))


@figure
def labelled_replies(*files: str) -> str:
    """How many replies some files of the corpus have."""
    from tests.metrics.replies.rates import DEV, read_rows

    return f"{sum(len(read_rows(DEV.with_name(f'{file}.jsonl'))) for file in files):,}"


@figure
def misread_replies(*files: str) -> str:
    """Both error rates by file and set, as a table."""
    head = "| set | half | replies | wrong | unread |\n|---|---|---|---|---|"
    return "\n".join([head, *(row for file in files for row in _rows(file))])


@cache
def _rows(file: str) -> tuple[str, ...]:
    from tests.metrics.replies.rates import DEV, SETS, rates_by, read_rows
    from tests.metrics.replies.readers import letter, text

    rates = rates_by(read_rows(DEV.with_name(f"{file}.jsonl")), "set", letter=letter, text=text)
    return tuple(
        f"| {name} | {file} | {own.rows} | {100 * own.wrong_rate:.1f}% | {100 * own.unread_rate:.1f}% |"
        for name in SETS
        if (own := rates.get(name))
    )
