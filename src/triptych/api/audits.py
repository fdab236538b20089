"""Audits of tables, data and Runs: `audit_tables`, `audit_data`, `audit_run`, and `audit`, which calls one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from triptych.benchmarks import addressed, load_benchmark
from triptych.errors import SpecError
from triptych.experiment.data import data_folder
from triptych.records import Finding
from triptych.store.kept import files_kept


def audit(what: str, *arguments: object, **options: object) -> list[Finding]:
    """Call one of the audits: `audit("tables", "cmdar")`, `audit("data", "cmdar", "/data")`, `audit("run",
    ["runs/a"])`."""
    known = {"tables": audit_tables, "data": audit_data, "run": audit_run}
    if what not in known:
        raise SpecError(f"no audit of {what!r}", fix=f"known: {', '.join(known)}")
    return known[what](*arguments, **options)  # type: ignore[operator, no-any-return]


def audit_tables(benchmark: str) -> list[Finding]:
    """Return findings on the tables of a benchmark's paper. Raises SpecError if the benchmark is unknown or a rule
    fails."""
    from triptych.audit.tables import audit_tables as tables

    name, _, task = benchmark.partition("/")
    if task:
        raise SpecError("a paper's tables are audited together", got=benchmark, fix=f"triptych audit tables {name}")
    return tables(load_benchmark(name))


def audit_data(benchmark: str, data: str | Path = "mini") -> list[Finding]:
    """Return findings on a benchmark's data (`BENCH`, `BENCH/TASK`, a path): of `check` and the audit.

    Raises DataError if the folder does not exist or contains no question file.
    """
    from triptych.audit.data import audit_data as data_audit

    bench, task = addressed(benchmark)
    folder, _ = data_folder(bench, data)
    return data_audit(bench, folder, bench.spec.select([task]))


@files_kept()
def audit_run(
    results: Sequence[str | Path],
    *,
    benchmark: str | None = None,
    data: str | Path | None = None,
    repeats: Iterable[tuple[str, str]] = (),
    say: Callable[[str], None] = lambda line: None,
    rows: Mapping[str, str] | None = None,
    recover: bool = False,
) -> list[Finding]:
    """Return findings on Run folders, or on results released by others in the authors' format.

    `benchmark`: the results' benchmark; if not given, it is recognised from the files, and `say` gets a line about
    each.

    `data`: the questions, for checking the results' version. `repeats`: pairs of systems, by the names of their
    folders, that are known to be the same model asked twice. `rows`: the row of the paper's tables that a system is, as
    {name of the system: row}, or {"*": row} for all; if not given, it is found by the system's name, by the replayed
    files' name, or by the figures. `recover`: read damaged result files as far as possible; otherwise they
    are left out, with a finding each. Raises DataError, SpecError.
    """
    from triptych.audit.run import audit_run as run_audit

    if benchmark is not None:
        load_benchmark(benchmark)  # a misspelt name is also refused for Runs, which name their own benchmark
    return run_audit(
        [Path(r) for r in results],
        benchmark,
        Path(data) if data is not None else None,
        tuple(repeats),
        say,
        rows,
        recover,
    )
