"""Fixtures for all tests. Real data lies beside the checkout in ../shared; where it is absent, its tests skip."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is slow, not wrong: nothing in the tests hangs on the clock.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real files of the benchmarks; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("real benchmark files (../shared/data) are not here")
    return SHARED
