"""The order of leases, their size, and how the Request that ends its workers is found."""

from __future__ import annotations

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from tests.support.runs import request, requests
from triptych.running.leases.queue import MAX_REQUESTS, MIN_REQUESTS, SUSPECT, Queue, lease_size


@given(st.integers(0, 10**8), st.integers(1, 2000))
def test_sizes_are_within_bounds_and_fall_towards_the_end(left: int, workers: int) -> None:
    size = lease_size(left, workers)
    assert MIN_REQUESTS <= size <= MAX_REQUESTS and lease_size(left // 2, workers) <= size


@given(st.integers(1, 60), st.data())
def test_one_culprit_is_found_in_few_losses(number: int, data: st.DataObject) -> None:
    culprit = data.draw(st.integers(0, number - 1))
    queue = Queue(requests(number), lambda: None, 1)
    answered: list[str] = []
    losses = (n for n in count())
    given_up = None
    while (lease := queue.next_lease()) is not None:
        ids = [asked.id for asked in lease.requests]
        if f"{culprit:05}" in ids:
            next(losses)
            given_up = queue.give_back(lease, lease.requests, 0) or given_up
        else:
            answered += ids
    assert given_up == request(culprit)
    assert sorted(answered) == [f"{n:05}" for n in range(number) if n != culprit]
    assert next(losses) <= SUSPECT + 7 and queue.is_empty


def test_a_lease_with_replies_comes_back_before_the_plan_and_is_not_suspect() -> None:
    queue = Queue(requests(500), lambda: None, 2)
    lease = queue.next_lease()
    assert lease is not None and len(lease.requests) == MAX_REQUESTS
    assert queue.give_back(lease, lease.requests[5:], 5) is None
    again = queue.next_lease()
    assert again is not None and (again.number, again.epoch, again.deaths) == (lease.number, 1, 0)
    assert again.requests == lease.requests[5:]
