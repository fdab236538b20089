"""What a processor drops is measured, with no knowledge of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from triptych.models.hf.encoding import Limit

RATE = 100


def cutting(most_s: float) -> Any:
    return lambda samples: {"input": samples[: int(most_s * RATE)].copy()}


@pytest.mark.parametrize("limit", [7.5, 30, 33.3, 300])
def test_a_limit_is_found_whatever_its_length(limit: float) -> None:
    found = Limit(cutting(limit), RATE)
    assert found.seconds(1) == 1
    assert found.seconds(400) == pytest.approx(limit, abs=0.2)
    assert found.seconds(limit - 1) == limit - 1


def test_a_processor_without_a_limit_encodes_everything() -> None:
    tried = []

    def encode(samples: Any) -> dict[str, Any]:
        tried.append(len(samples) / RATE)
        return {"input": samples.copy(), "mean": np.mean(samples)}

    found = Limit(encode, RATE)
    assert [found.seconds(given) for given in (12, 29, 31, 360)] == [12, 29, 31, 360]
    assert tried == [30, 30, 60, 60, 360, 360], "each length is tried once"
