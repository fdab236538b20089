"""Tests of `records/hashing.py`: short hashes of settings and texts."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from triptych.records.hashing import short_hash


def test_the_hash_is_that_of_the_json_text_with_sorted_keys() -> None:
    text = '{"a":[1,2.5,null],"b":{"c":true,"d":"é"}}'
    value = {"b": {"d": "é", "c": True}, "a": [1, 2.5, None]}
    assert short_hash(value) == hashlib.sha256(text.encode()).hexdigest()[:8]


def test_keys_have_no_order_and_lists_have_one() -> None:
    assert short_hash({"x": 1, "y": 2}) == short_hash({"y": 2, "x": 1})
    assert short_hash([1, 2]) != short_hash([2, 1])
    assert len({short_hash(value) for value in (0, False, "0", None, "", [], {})}) == 7


def test_other_objects_are_hashed_as_their_text() -> None:
    assert short_hash({"path": PurePosixPath("a/b")}) == short_hash({"path": "a/b"})
