"""Fixtures for all tests. Real data lies beside the checkout in ../shared; where it is absent, its tests skip."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tools.mini import frozen

# Each worker of pytest has one core: more threads of BLAS and OpenMP would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# What a test wrote needn't outlive a power failure, which no test can cause; a killed process loses nothing that
# the system has taken. Waiting for the disk took longer than many tests: 5 ms each time, and a Run does it often.
os.fsync = lambda handle: None  # type: ignore[assignment]

# A busy machine is slow, not wrong: nothing in the tests hangs on the clock. Nor on chance: a property is tried with
# the same examples each time. `pytest --hypothesis-profile=exploring` tries others.
settings.register_profile("exploring", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("unhurried", settings.get_profile("exploring"), derandomize=True)
settings.load_profile("unhurried")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `.ci/run` needs: it runs what was skipped again when what that lacked is installed."""
    parser.addoption("--skipped-to", type=Path, metavar="FILE", help="write down the tests that were skipped")
    parser.addoption("--again", type=Path, metavar="FILE", help="run the files and tests listed in FILE, and slow ones")


def pytest_configure(config: pytest.Config) -> None:
    to = config.getoption("--skipped-to")
    if to and not hasattr(config, "workerinput"):  # in the process that hears of all tests
        config.pluginmanager.register(Skips(to))


# Imports of the tests' own modules, which may mark tests for the files that import them
IMPORTS = re.compile(r"^(?:from|import) (tests[.\w]*)(?: import \(?([\w, ]*))?", re.M)


def marks_slow(path: Path) -> bool:
    """Whether a file, a conftest.py that it obeys, or a module of the tests that they import has the mark `slow`."""
    root, seen = Path(__file__).parents[1], {Path(__file__)}
    left = [path, *(folder / "conftest.py" for folder in path.parents if root in folder.parents)]
    while left:
        one = left.pop()
        if one in seen or not one.is_file():
            continue
        seen.add(one)
        text = text_of(one)
        if "mark.slow" in text:
            return True
        for module, names in IMPORTS.findall(text):
            place = root / module.replace(".", "/")
            left += [place.with_suffix(".py"), *(place / f"{name.strip()}.py" for name in names.split(","))]
    return False


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def listed_in(listing: Path) -> frozenset[str]:
    """The files and tests that `--again` names."""
    return frozenset(listing.read_text(encoding="utf-8").splitlines())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--again`, don't import files in which no test is listed or slow: importing all takes a minute."""
    listing = config.getoption("--again")
    if not listing or collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    name = collection_path.relative_to(config.rootpath).as_posix()
    if name in {one.partition("::")[0] for one in listed_in(listing)} or marks_slow(collection_path):
        return None
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Of several workers, each imports its own share of the test files first, the first worker the first share.

    In a clean clone pytest rewrites and compiles each file at its first import, which takes three quarters of the time
    of collection, and keeps the result. Workers that import all files in the same order would each compile all.
    """
    gc.disable()  # hardly anything of what is imported and compiled is garbage
    if not hasattr(session.config, "workerinput") or session.config.getoption("--again"):
        return
    worker = int(session.config.workerinput["workerid"].removeprefix("gw"))
    for path in share_of(worker, session.config.workerinput["workercount"], session.config.args):
        with suppress(Exception, pytest.skip.Exception):  # the collection reports it
            import_module(".".join(path.relative_to(session.config.rootpath).with_suffix("").parts))


def share_of(worker: int, workers: int, arguments: Sequence[str]) -> Iterator[Path]:
    """The files that one of several workers imports first: as many bytes as each other worker has."""
    tops = [Path(argument.partition("::")[0]).resolve() for argument in arguments]
    files = sorted({path for top in tops for path in ([top] if top.is_file() else top.rglob("test_*.py"))})
    sizes = [path.stat().st_size for path in files]
    for path, end in zip(files, accumulate(sizes), strict=True):
        if (end - 1) * workers // max(sum(sizes), 1) == worker:
            yield path


def pytest_collection_finish() -> None:
    """What was imported stays until the end: the collector needn't look through it again and again."""
    gc.enable()
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run a test in a browser that failed once more; with `--again`, leave out fast tests that are not listed.

    The tests of the mini sets' makers are left out while these are frozen.

    A browser has many processes that answer each other in any order, so a test may fail for a cause of its own. The
    summary says how many tests were run twice (`-rR` lists them); one that fails twice has failed.
    """
    if (makers := [item for item in items if item.get_closest_marker("mini")]) and not frozen.are_tried():
        config.hook.pytest_deselected(items=makers)
        items[:] = [item for item in items if not item.get_closest_marker("mini")]
    for item in items:
        if {"browser", "chrome"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.flaky(reruns=1))
    if listed := config.getoption("--again"):
        names = listed_in(listed)
        chosen = {item for item in items if item.get_closest_marker("slow") or names & {item.nodeid, file_of(item)}}
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]


def file_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


class Skips:
    """Writes the ids of the tests that were skipped, and the names of files that were skipped whole, one a line."""

    def __init__(self, to: Path) -> None:
        self.to = to
        self.names: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.names.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.names.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.to.write_text("".join(f"{name}\n" for name in sorted(self.names)), encoding="utf-8")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real files of the benchmarks; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("real benchmark files (../shared/data) are not here")
    return SHARED
