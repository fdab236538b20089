"""Tests of `running/leases/options.py`: options of workers on a Ray cluster."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.errors import SpecError
from triptych.running.leases.options import RayOptions


@pytest.mark.parametrize("wrong", [{"workers": -1}, {"gpus": -0.5}, {"gpus": 2.5}, {"cpus": float("nan")}])
def test_impossible_workers_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        RayOptions(**wrong)
