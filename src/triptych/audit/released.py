"""`audit released`: everything that a benchmark's authors released, compared with everything that their paper prints.

Every printed cell follows from the released files, differs from what they give, or can't be known, with the reason.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import msgspec

from triptych.audit.results.check import audit_run
from triptych.audit.tables.cells import Cell, load_tables, matching
from triptych.audit.tables.rules import TableRules, load_rules
from triptych.audit.verdict import count_in_words, verdict
from triptych.benchmarks import Benchmark
from triptych.errors import DataError, SpecError
from triptych.records import Finding
from triptych.records.checked import Audited, CellStatus, CheckedCell
from triptych.releases.archives import is_archive

Key = tuple[str, str, str]  # table, row, column
Report = Callable[[str], None]


def audit_released(
    benchmark: Benchmark, data: Path, say: Report = lambda line: None, *, recover: bool = False
) -> Audited:
    """Return every printed cell with its status, and the findings on the released results.

    Args:
        benchmark: The benchmark whose paper is compared.
        data: A folder with everything that was released: results, questions, references, archives of these. Other
            files in it are ignored.
        say: Called with a line about each part of the release that was used.
        recover: Read damaged result files up to the damage.

    Raises:
        DataError: If the folder doesn't exist.
    """
    if not data.is_dir():
        raise DataError("no folder of released files", where=data, expected="a folder with the released files")
    rules = load_rules(benchmark.folder)
    results = _results(benchmark, data, rules, say, recover)
    checked = {_key(cell): cell for cell in results.cells}
    checked |= {key: cell for key, cell in _statistics(benchmark, data, say).items() if key not in checked}
    rows = {cell.row for cell in checked.values()}
    every = _printed(benchmark, rules)
    cells = [checked.get(key) or _unknown(key, cell, rows, rules) for key, cell in every.items()]
    cells += [cell for key, cell in checked.items() if key not in every]
    return Audited(results, verdict(f"The paper of {benchmark.name}", results, cells), cells)


def _key(cell: CheckedCell) -> Key:
    return cell.table, cell.row, cell.column


def _printed(benchmark: Benchmark, rules: TableRules) -> dict[Key, Cell]:
    tables = load_tables(benchmark.folder / "published", rules.decimals, rules.aliases).cells
    return {
        (table, row, column): cell
        for table, rows in tables.items()
        for row, cells in rows.items()
        for column, cell in cells.items()
    }


def _results(benchmark: Benchmark, data: Path, rules: TableRules, say: Report, recover: bool) -> Audited:
    """Return the audit of the results below the folder; empty if there are none."""
    cells, findings = list[CheckedCell](), list[Finding]()
    with _parts(benchmark, data, rules) as parts:
        for name, part in parts:
            try:
                audited = _audited(benchmark, part, data, recover)
            except (DataError, SpecError) as error:
                if _holds_results(benchmark, part):
                    say(f"{name}: not read: {str(error).replace(str(part), str(data))}")
                continue
            if audited.cells or audited:
                say(f"{name}: {audited.verdict}")
            cells += audited.cells
            findings += [_with_release_path(one, part, data) for one in audited]
    return Audited(findings, "", cells)


def _holds_results(benchmark: Benchmark, part: Path) -> bool:
    """Return whether the benchmark recognises a file of the part as results, whether or not it can be read whole."""
    return any(map(benchmark.recognises, [part] if part.is_file() else part.rglob("*")))


def _with_release_path(finding: Finding, part: Path, data: Path) -> Finding:
    """Return a finding with the release's path instead of that of a temporary folder."""
    file = str(finding.file or "")
    if part.is_relative_to(data) or not file.startswith(str(part)):
        return finding
    return msgspec.structs.replace(finding, file=str(data) + file.removeprefix(str(part)))


def _audited(benchmark: Benchmark, part: Path, data: Path, recover: bool) -> Audited:
    """Return the audit of one part, with the released questions if they can be read, otherwise without."""
    try:
        return audit_run([part], benchmark.name, data, recover=recover)
    except (DataError, SpecError):
        return audit_run([part], benchmark.name, None, recover=recover)


@contextmanager
def _parts(benchmark: Benchmark, data: Path, rules: TableRules) -> Iterator[Sequence[tuple[str, Path]]]:
    """Yield (name, path) of each part that may hold results: archives, folders, and files grouped by their system."""
    with tempfile.TemporaryDirectory() as temporary:
        files = [file for file in sorted(data.iterdir()) if file.is_file()]
        parts = [(file.name, file) for file in files if is_archive(file)]
        parts += [(folder.name, folder) for folder in sorted(data.iterdir()) if folder.is_dir()]
        groups: dict[str, list[Path]] = defaultdict(list)
        for file in files:
            if not is_archive(file) and (row := rules.runs.row_of(file.stem)) and benchmark.recognises(file):
                groups[row].append(file)
        for row, group in groups.items():
            folder = Path(temporary) / group[0].stem
            folder.mkdir()
            for file in group:
                (folder / file.name).symlink_to(file.resolve())
            parts.append((row, folder))
        yield parts


def _statistics(benchmark: Benchmark, data: Path, say: Report) -> Mapping[Key, CheckedCell]:
    """Return the paper's figures about its data, from the released questions."""
    archives = (file for file in sorted(data.iterdir()) if file.is_file() and is_archive(file))
    for part in chain([data], archives):
        try:
            printed_statistics = list(benchmark.statistics(part))
        except (DataError, SpecError):
            continue
        cells = dict[Key, CheckedCell]()
        for one in printed_statistics:
            if one.printed is None:
                continue
            key = (one.source or "data", one.of, one.name)
            status: CellStatus = (
                "unknown" if one.agrees is None or not one.n else "follows" if one.agrees else "differs"
            )
            reason = (
                one.reason
                or ("the questions here don't hold it" if not one.n else "")
                or (f"the paper says “{one.says}”" if one.agrees is None and one.says else "")
            )
            cells[key] = CheckedCell(
                table=key[0],
                row=key[1],
                column=key[2],
                published=f"{one.printed:,.{one.digits}f}",
                status=status,
                recomputed=None if one.value is None else round(one.value, one.digits + 1),
                reason=reason or f"computed from {count_in_words(one.n, 'value')} of the questions here",
            )
        if cells:
            say(f"{part.name}: {count_in_words(len(cells), 'figure')} about the data")
            return cells
    return {}


def _unknown(key: Key, cell: Cell, rows: set[str], rules: TableRules) -> CheckedCell:
    table, row, column = key
    if row in rows:
        reason = "no rule says how this figure follows from the released results"
    elif matching([row], rules.runs.no_models):
        reason = "not a model's figure; what it was computed from was not released here"
    else:
        reason = f"no results of {row} are here"
    return CheckedCell(table=table, row=row, column=column, published=cell.text, status="unknown", reason=reason)
