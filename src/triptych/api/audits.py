"""Audits of tables, data and Runs: `audit_tables`, `audit_data`, `audit_run`, and `audit`, which calls one of them.

Each returns a list of findings, the most severe first, with its result in one sentence as `verdict`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from triptych.benchmarks import addressed, load_benchmark
from triptych.benchmarks.registry import is_benchmark
from triptych.errors import SpecError
from triptych.experiment.data import data_folder
from triptych.records.checked import Audited
from triptych.records.checked_calls import checked_arguments
from triptych.store.decoded import keep_files
from triptych.store.finding import paths_of

if TYPE_CHECKING:
    from triptych.audit.sheets.sheet import Sheet
    from triptych.benchmarks import Benchmark


@overload
def audit(
    what: Literal["tables"],
    files: str | Path | Iterable[str | Path],
    /,
    *,
    rules: str | Path | None = None,
    questions: Mapping[str, int] | None = None,
) -> Audited: ...
@overload
def audit(what: Literal["data"], benchmark: str | Path | Benchmark, data: str | Path = "mini", /) -> Audited: ...
@overload
def audit(
    what: Literal["released"],
    benchmark: str,
    data: str | Path,
    /,
    *,
    say: Callable[[str], None] = ...,
    recover: bool = False,
) -> Audited: ...
@overload
def audit(
    what: Literal["run"],
    results: PathLike[str] | str | Iterable[PathLike[str] | str],
    /,
    *,
    benchmark: str | None = None,
    data: str | Path | None = None,
    repeats: Iterable[tuple[str, str]] = (),
    say: Callable[[str], None] = ...,
    rows: Mapping[str, str] | None = None,
    recover: bool = False,
) -> Audited: ...
def audit(what: str, *arguments: Any, **options: Any) -> Audited:
    """Call one of the audits: `tables`, `data`, `run` or `released`, with its arguments.

    Raises SpecError for another name.

    Example:
        >>> audit("tables", "cmdar") == audit_tables("cmdar")
        True
    """
    audits: Mapping[str, Callable[..., Audited]] = {
        "tables": audit_tables,
        "data": audit_data,
        "run": audit_run,
        "released": audit_released,
    }
    if what not in audits:
        raise SpecError(f"no audit of {what!r}", fix=f"known: {', '.join(audits)}")
    return audits[what](*arguments, **options)


@checked_arguments
def audit_tables(
    what: str | Path | Iterable[str | Path],
    *,
    rules: str | Path | None = None,
    questions: Mapping[str, int] | None = None,
) -> Audited:
    """Return findings on the tables of a benchmark's paper, or on those of any files.

    Args:
        what: A benchmark's name; or the path of a CSV, TSV, Markdown, HTML, LaTeX or XLSX file, or several paths. A
            text is a path if it ends as a file does.
        rules: A file of rules about the files' tables (docs/audit.md).
        questions: Number of questions by column of the files' tables.

    Returns:
        The findings, the most severe first; `verdict` has the result in one sentence.

    Raises:
        SpecError: If the benchmark is unknown, a rule fails, or rules are given for a benchmark's paper.
        DataError: If a file can't be read.

    Example:
        >>> import triptych
        >>> audited = triptych.audit_tables("cmdar")
        >>> audited.verdict
        '498 printed figures in 8 tables, 29 claims: 29 severe findings ...'
        >>> audited[0].table, audited[0].kind, audited[0].severity
        ('T4', 'copy', 'severe')
    """
    from triptych.audit.tables.check import audit_tables as tables

    if not isinstance(what, str) or is_table_file(what):
        files = paths_of(what)
        if not files:
            raise SpecError("no table was given to audit", fix="name a benchmark or files: audit_tables(['table.csv'])")
        return audit_table_files(files, rules=rules, questions=questions)[1]
    if rules is not None or questions:
        raise SpecError("a benchmark has its own rules, so none can be given", got=what, fix="name files instead")
    name, _, task = what.partition("/")
    if task:
        raise SpecError("the tables of a paper can't be audited by task", got=what, fix=f"triptych audit tables {name}")
    return tables(load_benchmark(name))


def is_table_file(text: str) -> bool:
    """Return whether a text names a file, not a benchmark: it ends as a file does, or is a path that exists."""
    path = Path(text)
    return bool(path.suffix) or path.is_file() or (path.is_dir() and not is_benchmark(text.partition("/")[0]))


def audit_table_files(
    files: Iterable[str | Path], *, rules: str | Path | None = None, questions: Mapping[str, int] | None = None
) -> tuple[list[Sheet], Audited]:
    """Return the tables of files as they were read, and the findings on them: see `audit_tables`."""
    from triptych.audit.anyone.check import audit_files, summarise_sheets
    from triptych.audit.verdict import verdict

    for column, count in (questions or {}).items():
        if count < 1:
            raise SpecError(f"the number of questions of {column!r} must be at least 1", got=count)
    sheets, findings = audit_files([Path(file) for file in files], Path(rules) if rules else None, questions)
    if not sheets:
        return sheets, Audited(findings, "no table was found: a table has at least two rows and two columns of figures")
    return sheets, Audited(findings, verdict(summarise_sheets(sheets), findings))


@checked_arguments
def audit_released(
    benchmark: str, data: str | Path, *, say: Callable[[str], None] = lambda line: None, recover: bool = False
) -> Audited:
    """Compare what a benchmark's authors released with every figure that their paper prints.

    Args:
        benchmark: The benchmark's name.
        data: A folder with everything that was released.
        say: Receives a line about each part.
        recover: Read damaged result files as far as possible.

    Returns:
        Each printed figure in `cells` (it follows, differs, or can't be known), and the findings on the results.

    Raises:
        DataError: If the folder doesn't exist.
        SpecError: If the benchmark is unknown.

    Example:
        >>> import triptych
        >>> audited = triptych.audit_released("mcif", "mcif-release")  # doctest: +SKIP
        >>> print(audited.verdict)  # doctest: +SKIP
    """
    from triptych.audit.released import audit_released as released

    return released(load_benchmark(benchmark), Path(data), say, recover=recover)


@checked_arguments
def audit_data(benchmark: str | Path | Benchmark, data: str | Path = "mini") -> Audited:
    """Return findings on a benchmark's data: those of `check` and those of the audit.

    Args:
        benchmark: `BENCH`, `BENCH/TASK`, the path of questions of your own, or a benchmark.
        data: The folder of the released files; `mini` for the built-in set.

    Returns:
        The findings, the most severe first; `verdict` has the result in one sentence.

    Raises:
        DataError: If the folder doesn't exist or contains no question file.
        SpecError: If the benchmark is unknown.

    Example:
        >>> import triptych
        >>> triptych.audit_data("cmdar").verdict
        '40 questions in 3 Tasks: nothing severe was found.'
    """
    from triptych.audit.data.check import audit_data as data_audit

    bench, task = addressed(str(benchmark)) if isinstance(benchmark, str | Path) else (benchmark, "")
    folder, _ = data_folder(bench, data)
    return data_audit(bench, folder, bench.spec.select([task]))


@checked_arguments
@keep_files()
def audit_run(
    results: PathLike[str] | str | Iterable[PathLike[str] | str],
    *,
    benchmark: str | None = None,
    data: str | Path | None = None,
    repeats: Iterable[tuple[str, str]] = (),
    say: Callable[[str], None] = lambda line: None,
    rows: Mapping[str, str] | None = None,
    recover: bool = False,
) -> Audited:
    """Return findings on Run folders, or on results released by others in the authors' format.

    Args:
        results: Run folders, result files or folders of them, or logs of other harnesses; also a single path.
        benchmark: The results' benchmark, or the path of the questions that replies answer; by default it is recognised
            from the files.
        data: The questions, to check which version of them the results answer.
        repeats: Pairs of systems, by the names of their folders, that are known to be the same model asked twice.
        say: Receives a line about each benchmark that was recognised.
        rows: System -> its row in the paper's tables; `*` for all. By default it is found by the system's name, by the
            name of the replayed files, or by the figures.
        recover: Read damaged result files as far as possible; otherwise they are left out, with a finding each.

    Returns:
        The findings, the most severe first; `verdict` has the result in one sentence.

    Raises:
        DataError: If nothing can be read.
        SpecError: If the benchmark is unknown.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import triptych
        >>> with TemporaryDirectory() as folder:
        ...     run = triptych.run("cmdar/main", "baseline/longest", limit=8, out=folder)
        ...     audited = triptych.audit_run([folder])
        >>> audited.verdict
        '1 Run, 8 replies: nothing severe was found.'
    """
    from triptych.audit.results.check import audit_run as run_audit

    paths = paths_of(results)
    if not paths:
        raise SpecError("no results were given to audit", fix="name Run folders or files: audit_run(['runs/a'])")
    if benchmark is not None:
        addressed(benchmark)  # a misspelt name is also refused for Runs, which name their own benchmark
    return run_audit(
        paths,
        benchmark,
        Path(data) if data is not None else None,
        tuple(repeats),
        say,
        rows,
        recover,
    )
