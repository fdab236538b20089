"""Figures of the simulation of leases (`benchmarks_speed/projection.py`), computed again each time."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import sources
from registry import figure

_CASES = {
    "leases": "as assumed",
    "no losses": "no worker is lost",
    "no slow workers": "no slow workers",
    "preemptible": "preemptible machines: a loss every 4 hours, 0.80 USD",
    "100 GPUs": "100 GPUs",
}


@figure
def assumed(field: str, digits: str = "0", scale: str = "1") -> str:
    """An assumption of the projection."""
    return f"{getattr(_module().Case(), field) * float(scale):,.{digits}f}"


@figure
def projected(case: str, field: str, digits: str = "0", scale: str = "1") -> str:
    """A figure of the simulation of one case."""
    return f"{getattr(_module().projected(case), field) * float(scale):,.{digits}f}"


@figure
def fixed_hours(case: str, digits: str = "0") -> str:
    """Hours with one shard for each GPU."""
    module = _module()
    return f"{module.fixed_shards(module.CASES[case]):.{digits}f}"


@figure
def replies_each_second() -> str:
    """Replies that the driver writes each second in the first case, to two digits."""
    module = _module()
    rate = module.Case().items / module.projected("leases").hours / 3600
    return f"{float(f'{rate:.2g}'):,.0f}"


@figure
def lease_bounds() -> str:
    """The least and the largest number of Requests in a lease."""
    _module()
    queue = import_module("triptych.running.leases.queue")
    return f"{queue.MIN_REQUESTS} {queue.MAX_REQUESTS}"


@figure
def projection() -> str:
    """The table of all cases."""
    module = _module()
    rows = ["| case | hours | ideal | fixed shards | workers lost | asked again | idle | USD |", f"|---|{'---:|' * 7}"]
    for name, words in _CASES.items():
        one, shards = module.projected(name), fixed_hours(name, "2")
        hours = f"{one.hours:.2f} | {one.ideal:.2f} | {shards}"
        rows.append(f"| {words} | {hours} | {one.lost:,} | {one.again:,} | {100 * one.idle:.1f}% | {one.usd:,.0f} |")
    return "\n".join(rows)


def _module() -> Any:
    sys.path[:0] = [str(sources.ROOT), str(sources.ROOT / "src")]
    return import_module("benchmarks_speed.projection")
