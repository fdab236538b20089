"""What a processor drops is measured, with no knowledge of it; recordings whose end was dropped are noted in tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from triptych.models.hf.encoding import Limit
from triptych.records import Encoded, Response
from triptych.scoring.notes.encoded import TruncatedInput

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


def notes(*replies: tuple[Encoded, ...]) -> list[str]:
    found = TruncatedInput()
    for encoded in replies:
        found.add(Response("i", "", 0, "answered", encoded=encoded))
    return list(found.notes())


def test_recordings_whose_end_was_dropped_are_noted() -> None:
    whole, cut = Encoded("audio", "a.wav", 12.0, 12.0), Encoded("audio", "b.wav", 40.0, 30.0)
    frames = Encoded("video", "c.mp4", 500, 32, "frames")
    assert not notes((whole,), (frames,), ())
    (note,) = notes((whole, cut), (Encoded("audio", "d.wav", 360.0, 30.0),), (whole,))
    assert note == (
        "truncated input: the model's processor dropped the end of 2 recordings in 2 replies; "
        "at most 30 of 360 s were encoded (d.wav)"
    )
