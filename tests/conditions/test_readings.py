"""Tests of `conditions/readings.py`: readings."""

from __future__ import annotations

import pytest

from tests.conditions.test_transcript import ITEM, parts
from triptych.conditions.condition import find_condition
from triptych.conditions.readings import NeedsTexts, Texts


@pytest.mark.parametrize(("name", "asked"), [("transcript", "Write down what is said"), ("description", "Describe")])
def test_a_model_is_asked_first(name: str, asked: str) -> None:
    condition = find_condition(f"{name}:from=model")
    assert isinstance(condition, NeedsTexts) and condition.wants is not None
    assert asked in condition.wants.prompt("en").content[1]
    ready = condition.with_texts(Texts({"a.wav": "x", "b.wav": "y"}))
    assert parts(ready.apply(ITEM))[0].endswith("x\ny")  # type: ignore[arg-type]
