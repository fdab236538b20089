"""Groups of records on disk, of which one is in memory at a time."""

from __future__ import annotations

import pytest

from triptych.store import spooled
from triptych.store.spooled import SpooledGroups


def test_each_group_has_its_records_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooled, "BLOCK", 3)
    monkeypatch.setattr(spooled, "IN_MEMORY", 2)
    words = ["fig", "apple", "banana", "avocado", "blueberry", "cherry", "apricot", "acorn", "beet", "almond"]
    groups = SpooledGroups(iter(words), lambda word: word[0])
    assert list(groups) == ["f", "a", "b", "c"]
    assert groups.sizes == {"f": 1, "a": 5, "b": 3, "c": 1}
    assert groups["a"] == ["apple", "avocado", "apricot", "acorn", "almond"]
    assert groups["b"] == groups["b"] == ["banana", "blueberry", "beet"]
    assert sum(map(len, groups.values())) == len(words)


def test_a_group_that_does_not_exist_is_a_key_error() -> None:
    groups = SpooledGroups(iter(["fig"]), lambda word: word[0])
    assert "z" not in groups
    with pytest.raises(KeyError):
        groups["z"]
