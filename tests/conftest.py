"""Fixtures for all tests. Real data lies beside the checkout in ../shared; where it is absent, its tests skip."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is slow, not wrong: nothing in the tests hangs on the clock.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--skipped-to=FILE`: `.ci/run` runs those files again when what they lacked is installed."""
    parser.addoption("--skipped-to", type=Path, metavar="FILE", help="write down the test files that skipped anything")


def pytest_configure(config: pytest.Config) -> None:
    to = config.getoption("--skipped-to")
    if to and not hasattr(config, "workerinput"):  # in the process that hears of all tests
        config.pluginmanager.register(Skips(to))


class Skips:
    """Writes the names of the files that skipped a test, or all of theirs, one a line."""

    def __init__(self, to: Path) -> None:
        self.to = to
        self.files: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.files.add(report.nodeid.partition("::")[0])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.files.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.to.write_text("".join(f"{name}\n" for name in sorted(self.files)), encoding="utf-8")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real files of the benchmarks; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("real benchmark files (../shared/data) are not here")
    return SHARED
