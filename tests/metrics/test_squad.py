"""Tests of `metrics/squad.py`: exact match and F1 of SQuAD."""

from __future__ import annotations

import math
import random

import pytest

from triptych.metrics.squad import squad_f1, squad_match

WORDS = ["a", "the", "dog", "dogs", "barks", "Loudly", "it's", "42", "-", "é", "An"]


def test_f1_and_exact_match_are_squads() -> None:
    squad = pytest.importorskip("transformers.data.metrics.squad_metrics")
    draw = random.Random(1)
    for _ in range(500):
        reference, reply = (" ".join(draw.choices(WORDS, k=draw.randint(0, 6))) for _ in range(2))
        assert math.isclose(squad_f1(reference, reply), squad.compute_f1(reference, reply)), (reference, reply)
        assert squad_match(reference, reply) == bool(squad.compute_exact(reference, reply))
