"""The other files of a benchmark: each that exists is loaded as the command that needs it would load it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from triptych.api.contracts.signatures import message_of, plainly_takes
from triptych.audit.data.check import audit_data
from triptych.audit.tables.check import audit_tables
from triptych.audit.tables.rules import load_claims, load_rules
from triptych.benchmarks import Benchmark
from triptych.benchmarks.presets import load_presets
from triptych.benchmarks.published import published_basis, published_cells, published_systems, published_tasks
from triptych.errors import TriptychError
from triptych.experiment.settings import check_stated
from triptych.reports.plots.spec import load_figures

_MODULES = {  # a module -> its function, and the arguments that it must take
    "outputs": ("read_outputs", 3),
    "check": ("check", 3),
    "audit": ("audit_data", 3),
    "statistics": ("statistics", 3),
    "logs": ("claims", 2),
    "authors": ("read_prompts", 1),
}


def file_faults(bench: Benchmark) -> Iterator[str]:
    """Yield what loading says of each file of a benchmark that exists, besides reader and protocols."""
    for name, (function, arguments) in _MODULES.items():
        if (bench.folder / f"{name}.py").is_file():
            yield from _load_faults(lambda: _function(bench, name, function, arguments))  # noqa: B023 (called at once)
    faults = list(_load_faults(lambda: _load_data_files(bench)))
    yield from faults
    if not faults:
        yield from _load_faults(lambda: _audit(bench))


def _function(bench: Benchmark, name: str, function: str, arguments: int) -> list[str]:
    return list(plainly_takes(bench.module(name), function, arguments, f"{function} of {name}.py"))


def _load_data_files(bench: Benchmark) -> list[str]:
    published = bench.folder / "published"
    load: list[Callable[[], Any]] = [
        lambda: check_stated(bench.spec.decoding, bench.folder / "spec.toml"),
        lambda: list(published_cells(published)),
        lambda: published_systems(published),
        lambda: published_tasks(published),
        lambda: published_basis(published),
        lambda: load_rules(bench.folder),
        lambda: load_claims(bench.folder),
        lambda: load_figures(bench),
        lambda: load_presets(bench),
    ]
    return [fault for each in load for fault in _load_faults(each)]


def _audit(bench: Benchmark) -> list[str]:
    """Return what keeps the audits from being made; their findings on tables and data are not faults of the package."""
    faults = list(_load_faults(lambda: audit_tables(bench)))
    if bench.mini.is_dir() and (bench.folder / "audit.py").is_file():
        faults += _load_faults(lambda: audit_data(bench, bench.mini, bench.spec.tasks))
    return faults


def _load_faults(load: Callable[[], Any]) -> Iterator[str]:
    """Yield the faults that a function returns, or the error that it raises."""
    try:
        returned = load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code can raise anything
        yield " ".join(str(error).split()) if isinstance(error, TriptychError) else message_of(error)
        return
    if isinstance(returned, list):
        yield from (fault for fault in returned if isinstance(fault, str))
