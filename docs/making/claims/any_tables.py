"""Error rates of the audit of anyone's tables, as `python -m benchmarks_truth --any --to` measured them."""

from __future__ import annotations

from math import comb
from typing import Any

import sources
from registry import figure

_TEXTS = ("found", "severe or warning", "severe")


@figure
def any_tables(what: str) -> str:
    """A figure of the true tables, the faults planted in all, the most severe findings that are false, or precision."""
    measured = _file()
    true, faults = measured["true tables"], measured["recall"].values()
    severe, false = (sum(own[name] for own in faults) for name in ("severe", "other severe"))
    return {
        "tables": f"{true['tables']:,}",
        "severe": str(true["tables_with_severe"]),
        "each": str(max(own["planted"] for own in faults)),
        "false": str(false),
        "precision": f"{100 * severe / (severe + false):.1f}",
        "bound": f"{100 * _bound(true['tables_with_severe'], true['tables']):.1f}",
    }[what]


@figure
def any_table_recall() -> str:
    """Recall by kind of fault, as a table."""
    head = "| fault | found | as severe or a warning | as severe |\n| --- | ---: | ---: | ---: |"
    rows = [
        f"| {kind} | {' | '.join(_percent(own, name) for name in _TEXTS)} |" for kind, own in _file()["recall"].items()
    ]
    return "\n".join([head, *rows])


def _file() -> dict[str, Any]:
    found: dict[str, Any] = sources.as_json(sources.ROOT / "benchmarks_truth/any_tables.json")
    return found


def _bound(hits: int, n: int) -> float:
    """The rate at which `hits` or fewer of n occur with probability 0.05."""
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        few = sum(comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(hits + 1))
        low, high = (rate, high) if few > 0.05 else (low, rate)
    return low


def _percent(own: dict[str, int], name: str) -> str:
    return f"{100 * own[name] / own['planted']:.0f}%"
