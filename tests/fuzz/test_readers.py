"""Every reader takes damaged files in words: a bounded number of mutated ones, the same in every run of the tests."""

from __future__ import annotations

import os
import random
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import mutated
from tests.fuzz.targets import TARGETS

EXAMPLES = int(os.environ.get("TRIPTYCH_FUZZ_EXAMPLES", "25"))
NEEDS = {"media video": "av", "viewer queries": "duckdb"}


@pytest.mark.parametrize("name", TARGETS)
def test_a_right_file_is_read(name: str) -> None:
    pytest.importorskip(NEEDS.get(name, "msgspec"))
    for seed in TARGETS[name].seeds():
        TARGETS[name](seed)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_a_damaged_file_is_told_of_in_words(name: str) -> None:
    pytest.importorskip(NEEDS.get(name, "msgspec"))
    target = TARGETS[name]

    @settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(st.sampled_from(target.seeds()), st.integers(0, 2**32 - 1))
    def read(seed: bytes, chance: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            target(mutated(seed, random.Random(chance)))

    read()
