"""Tests of `metrics/__init__.py`: public functions are imported on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import triptych.metrics
from triptych.metrics.text.resegmentation import resegment


def test_a_public_function_is_that_of_its_module() -> None:
    assert triptych.metrics.resegment is resegment and triptych.metrics.__all__ == ["resegment"]


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"'triptych\.metrics' has no attribute 'resegmant'"):
        _ = triptych.metrics.resegmant
    assert not hasattr(triptych.metrics, "bleu_of_everything")


def test_the_room_loads_no_metric_before_it_is_used() -> None:
    code = "import sys, triptych.metrics; print(*sorted(n for n in sys.modules if n.startswith('triptych.metrics')))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
    assert out.split() == ["triptych.metrics"]
