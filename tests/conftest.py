"""Fixtures for all tests. Real data lies beside the checkout in ../shared; where it is absent, its tests skip."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Each worker of pytest has one core: more threads of BLAS and OpenMP would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A busy machine is slow, not wrong: nothing in the tests hangs on the clock.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `.ci/run` needs: it runs the files that skipped anything again when what they lacked is installed."""
    parser.addoption("--skipped-to", type=Path, metavar="FILE", help="write down the test files that skipped anything")
    parser.addoption("--again", type=Path, metavar="FILE", help="run the files listed in FILE, and all slow tests")


def pytest_configure(config: pytest.Config) -> None:
    to = config.getoption("--skipped-to")
    if to and not hasattr(config, "workerinput"):  # in the process that hears of all tests
        config.pluginmanager.register(Skips(to))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run a test in a browser that failed once more; with `--again`, leave out fast tests of files that are not listed.

    A browser has many processes that answer each other in any order, so a test may fail for a cause of its own. The
    summary says how many tests were run twice (`-rR` lists them); one that fails twice has failed.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))
    if listed := config.getoption("--again"):
        files = set(listed.read_text(encoding="utf-8").split())
        chosen = [item for item in items if item.get_closest_marker("slow") or item.nodeid.partition("::")[0] in files]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
        items[:] = chosen


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
