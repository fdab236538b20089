"""Fixtures of the tests of construction."""

from __future__ import annotations

from typing import Any

import pytest

from tests.construction import toy
from triptych.models import registry


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setitem(registry.ADAPTERS, "toy", ("tests.construction.toy", ""))
    toy.Counting.asked = []
    return toy.Counting.asked
