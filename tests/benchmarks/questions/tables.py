"""Tests of `benchmarks/questions`: s."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.questions.test_items_released_columns import items
from triptych.errors import DataError, SpecError


def refused(file: Path, **stated: str) -> str:
    with pytest.raises((DataError, SpecError)) as error:
        items(file, **stated)
    return str(error.value)
