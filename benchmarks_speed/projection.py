"""A simulation of the leases: how long many workers need, and what losses and slow workers cost.

    python -m benchmarks_speed.projection

The queue is the one that `--engine ray` uses (`running.leases.queue`); workers, times and losses are drawn. The same
case always gives the same figures. docs/many-machines.md shows them.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from math import ceil, sqrt
from typing import Any

from triptych.running.leases.queue import Lease, Queue

HOUR = 3600.0


@dataclass(frozen=True)
class Case:
    """Assumptions of a projection.

    seconds       mean time of one Request on one GPU, at full batches
    spread        standard deviation of a Request's time, in means
    width         Requests that a worker has in progress: what is asked again when it is lost
    slow, slower  share of workers that are slower, and by which factor
    lost_every    mean hours until a worker is lost (preemption, fault)
    back_after    seconds until its successor has loaded the model
    usd           price of a GPU for an hour
    """

    items: int = 10_000_000
    gpus: int = 1_000
    seconds: float = 1.0
    spread: float = 1.0
    width: int = 16
    slow: float = 0.05
    slower: float = 2.0
    lost_every: float = 24.0
    back_after: float = 600.0
    usd: float = 2.0


@dataclass(frozen=True)
class Projection:
    """The outcome of a case. `ideal`: hours without losses and slow workers; `idle`: share of GPU time without work."""

    hours: float
    ideal: float
    usd: float
    lost: int
    again: int
    idle: float
    granted: int


CASES = {
    "leases": Case(),
    "no losses": Case(lost_every=1e9),
    "no slow workers": Case(slow=0.0),
    "preemptible": Case(lost_every=4.0, usd=0.8),
    "100 GPUs": Case(gpus=100),
}


@cache
def projected(name: str) -> Projection:
    """The outcome of one of `CASES`."""
    return simulate(CASES[name])


def simulate(case: Case) -> Projection:
    """Let workers draw leases until every Item is answered."""
    rng, order = random.Random(0), count()
    granted = again = lost = 0
    done, answered = 0.0, 0
    plan: Any = iter(range(case.items))  # numbers in place of Requests
    queue = Queue(plan, lambda: case.items - answered, case.gpus)
    speeds = [case.slower if rng.random() < case.slow else 1.0 for _ in range(case.gpus)]
    fails = [rng.expovariate(1 / (case.lost_every * HOUR)) for _ in range(case.gpus)]
    events: list[tuple[float, int, int, Lease | None]] = [(0.0, next(order), n, None) for n in range(case.gpus)]
    heapq.heapify(events)
    busy = 0.0
    while events:
        now, _, worker, lease = heapq.heappop(events)
        if lease is not None:
            answered, done = answered + len(lease.requests), now
        if (lease := queue.next_lease()) is None:
            continue
        granted += 1
        took = lease_seconds(case, len(lease.requests), speeds[worker], rng)
        if now + took <= fails[worker]:
            busy += took
            heapq.heappush(events, (now + took, next(order), worker, lease))
            continue
        share = (fails[worker] - now) / took
        finished = min(len(lease.requests), int(share * len(lease.requests)))
        left = lease.requests[finished:]
        busy, lost, again = busy + (fails[worker] - now), lost + 1, again + min(case.width, len(left))
        answered += finished
        queue.give_back(lease, left, max(1, finished))
        back = fails[worker] + case.back_after
        fails[worker] = back + rng.expovariate(1 / (case.lost_every * HOUR))
        heapq.heappush(events, (back, next(order), worker, None))
    total = case.gpus * done
    return Projection(
        hours=done / HOUR,
        ideal=case.items * case.seconds / case.gpus / HOUR,
        usd=total / HOUR * case.usd,
        lost=lost,
        again=again,
        idle=1 - busy / total,
        granted=granted,
    )


def lease_seconds(case: Case, requests: int, slower: float, rng: random.Random) -> float:
    """The time of a lease: a sum of independent times, which is nearly normal; at least a tenth of its mean."""
    mean = requests * case.seconds
    return slower * max(mean / 10, rng.gauss(mean, sqrt(requests) * case.spread * case.seconds))


def fixed_shards(case: Case) -> float:
    """Hours until the last of as many equal shards as GPUs is done: a slow worker has as much to do as the others, and
    a lost one resumes its own shard."""
    rng, size = random.Random(0), ceil(case.items / case.gpus)
    last = 0.0
    for _ in range(case.gpus):
        slower = case.slower if rng.random() < case.slow else 1.0
        work, now = lease_seconds(case, size, slower, rng), 0.0
        while (until := rng.expovariate(1 / (case.lost_every * HOUR))) < work:
            work, now = work - until, now + until + case.back_after
        last = max(last, now + work)
    return last / HOUR


def main() -> None:
    """Print every case."""
    for name in CASES:
        found = projected(name)
        print(f"{name}: {replace(found, hours=round(found.hours, 3))}; fixed shards {fixed_shards(CASES[name]):.2f} h")


if __name__ == "__main__":
    main()
