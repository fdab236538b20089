"""Tests of `construction/engine/identity.py`: keys."""

from __future__ import annotations

import msgspec

from tests.construction.test_parameters import Cut, cut
from triptych.construction.engine.identity import digest


def test_numbers_stay_as_they_are_written_so_that_keys_stay() -> None:
    given = {"shortest": 3, "shares": {"train": 1}, "mean": [0, 1, 2], "words": ["x"]}
    made = cut.with_(**given).parameters
    before = {**{name: getattr(Cut(), name) for name in Cut.__struct_fields__}, **given}
    assert digest(dict(made)) == digest(before)
    assert msgspec.json.encode(dict(made)["shares"]) == b'{"train":1}'
