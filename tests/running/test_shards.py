"""Shards: every Item in one, Instances whole, of equal size; the same every time."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from tests.support.runs import item
from triptych.errors import SpecError
from triptych.running.shards import Shard, divide, of_shard

sizes_and_shards = st.lists(st.integers(1, 6), min_size=1, max_size=40).flatmap(
    lambda sizes: st.tuples(st.just(sizes), st.integers(1, len(sizes)))
)


@given(sizes_and_shards)
def test_every_item_is_in_one_shard_and_instances_are_whole(drawn: tuple[list[int], int]) -> None:
    sizes, of = drawn
    instances = [f"i{n}" for n, size in enumerate(sizes) for _ in range(size)]
    items = [structs.replace(item(n), instance=name) for n, name in enumerate(instances)]
    owner = divide(items, of)
    parts = [list(of_shard(items, owner, number)) for number in range(1, of + 1)]
    assert sorted(i.id for part in parts for i in part) == [i.id for i in items]
    assert sum(len({i.instance_id for i in part}) for part in parts) == len(sizes)
    counts = [len(part) for part in parts]
    assert min(counts) > 0 and max(counts) - min(counts) <= max(sizes), "a shard is at most one Instance behind"
    assert divide(items, of) == owner


def test_instances_of_one_item_go_round() -> None:
    items = [item(n) for n in range(10)]
    assert list(divide(items, 3).values()) == [1, 2, 3, 1, 2, 3, 1, 2, 3, 1]
    assert Counter(divide(items, 1).values()) == {1: 10}


@pytest.mark.parametrize("words", ["", "0/4", "5/4", "3", "a/b", "-1/4", "1/4/2", "1/0", "1/999999", "٣/٨"])
def test_what_is_not_a_shard_is_refused(words: str) -> None:
    with pytest.raises(SpecError, match="not a shard"):
        Shard.parse(words)


def test_more_shards_than_instances_are_refused() -> None:
    with pytest.raises(SpecError, match="3 Instances"):
        divide([item(n) for n in range(3)], 4)
