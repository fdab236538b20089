"""`audit tables FILE…`: every check of anyone's tables, and rules that a user states for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from triptych.audit.anyone.changes import check_changes
from triptych.audit.anyone.copies import check_across, check_copies
from triptych.audit.anyone.counted import check_counted, questions_of
from triptych.audit.anyone.derived import check_relation, outside_parts
from triptych.audit.anyone.limits import check_order, check_range, parts_for_range
from triptych.audit.anyone.margins import check_margins
from triptych.audit.anyone.marked import check_bold, check_ranks
from triptych.audit.anyone.names import is_average
from triptych.audit.anyone.relations import relations
from triptych.audit.anyone.view import View, views
from triptych.audit.sheets.reading import read_sheets
from triptych.audit.sheets.sheet import Sheet
from triptych.audit.tables.cells import Tables
from triptych.audit.tables.check import audit_by_rules
from triptych.audit.tables.interval import Printing
from triptych.audit.tables.printing import as_printed
from triptych.audit.tables.rules import StatedRules, load_stated
from triptych.errors import SpecError, nearest
from triptych.records import Finding

SUBJECT = "tables"  # what stands for the benchmark in findings on files


def audit_files(
    files: Sequence[Path], rules: Path | None = None, stated: Mapping[str, int] | None = None
) -> tuple[list[Sheet], list[Finding]]:
    """Return the tables of files, and the findings on them.

    Args:
        files: CSV, TSV, Markdown, HTML, LaTeX and XLSX files.
        rules: A file of rules and claims about the tables, as TOML.
        stated: Number of questions by column. A column is named by its whole label or the last part of it.

    Raises:
        DataError: For a file that can't be read.
        SpecError: For rules that can't be read or match nothing, and a stated column that no table has.
    """
    names = _names(files)
    sheets = [sheet for file in files for sheet in read_sheets(file, names[file])]
    _refuse_unknown(sheets, stated or {})
    by_rules = check_rules(sheets, load_stated(rules)) if rules else []
    taken = {(f.table, f.kind, cell) for f in by_rules for cell in _cells(f)}
    findings = check_sheets(sheets, stated)
    return sheets, [*by_rules, *(f for f in findings if not {(f.table, f.kind, cell) for cell in _cells(f)} & taken)]


def _names(files: Sequence[Path]) -> dict[Path, str]:
    """Return what the tables of each file are called after: its name, or as much of its path as distinguishes it."""
    names = [file.name for file in files]
    return {file: file.name if names.count(file.name) == 1 else str(file) for file in files}


def _refuse_unknown(sheets: Sequence[Sheet], stated: Mapping[str, int]) -> None:
    columns = sorted({name for sheet in sheets for c in sheet.columns for name in (c, c.rpartition("|")[2])})
    for column in stated:
        if column not in columns:
            raise SpecError("no table has this column", where="--n", got=column, fix=nearest(column, columns))


def check_rules(sheets: Sequence[Sheet], rules: StatedRules) -> list[Finding]:
    """Return the findings on tables by stated rules; a rule's `table` is a table's name, as in `README.md#2`."""
    tables = as_printed(lambda printing: _tables(sheets, rules, printing), rules)
    return audit_by_rules(SUBJECT, rules, rules.claim, tables)


def _tables(sheets: Sequence[Sheet], rules: StatedRules, printing: Mapping[str, Printing]) -> Tables:
    tables = Tables(aliases=rules.aliases, printing=printing)
    for sheet in sheets:
        for row in sheet.rows:
            tables.cells.setdefault(sheet.name, {}).setdefault(row, {})
        for entry in sheet.entries():
            tables.add(sheet.name, entry.row, entry.column, entry.figure.text, rules.decimals.get(sheet.name, 0))
    return tables


def check_sheets(sheets: Sequence[Sheet], stated: Mapping[str, int] | None = None) -> list[Finding]:
    """Return the findings on tables, from the tables alone: no rules are needed.

    Args:
        sheets: The tables, of one or several files.
        stated: Number of questions by column, as far as the user states it.

    Returns:
        Findings of kind `average`, `misprint`, `impossible`, `copy`, `ordering`, `mismatch` and `mark`; empty if
        nothing was found, or nothing could be checked.
    """
    matching_sheets = [one for sheet in sheets for one in check_sheet(sheet, stated or {})]
    return [*matching_sheets, *check_across(SUBJECT, sheets)]


def check_sheet(sheet: Sheet, stated: Mapping[str, int]) -> Iterator[Finding]:
    """Yield the findings on one table."""
    numbers = questions_of(sheet, stated)
    by_rows, by_columns = views(sheet)
    derived = [*_derived(by_rows), *_derived(by_columns)]
    taken = {cell for one in derived for cell in _cells(one)}
    outside = {cell for one in derived if one.kind == "impossible" for cell in _cells(one)}
    yield from derived
    out_of_range = [one for view in (by_rows, by_columns) for one in check_range(SUBJECT, view)]
    impossible = {cell for one in out_of_range for cell in _cells(one)}  # of which nothing else need be said
    for one in check_counted(SUBJECT, sheet, numbers):
        if not _cells(one) & (impossible | taken if one.severity == "note" else impossible):
            yield one
    yield from (one for one in out_of_range if not _cells(one) & outside)
    for view in (by_rows, by_columns):
        yield from (one for one in check_order(SUBJECT, view) if not _cells(one) & impossible)
    yield from check_bold(SUBJECT, by_rows, by_columns)
    yield from check_ranks(SUBJECT, sheet)
    yield from check_margins(SUBJECT, sheet, numbers)
    yield from check_changes(SUBJECT, sheet)
    yield from check_copies(SUBJECT, sheet, numbers)


def _derived(view: View) -> Iterator[Finding]:
    derived = set()
    for relation in relations(view):
        derived.add(relation.target)
        yield from check_relation(SUBJECT, relation)
    for target in view.places:
        if is_average(target) and target not in derived and len(parts := parts_for_range(view, target)) >= 2:
            yield from outside_parts(SUBJECT, view, target, parts)


def _cells(finding: Finding) -> set[tuple[str, str]]:
    return {(row, column) for row in finding.rows for column in finding.columns}


def summarise_sheets(sheets: Sequence[Sheet]) -> str:
    """Return `3 tables with 210 figures`."""
    figures = sum(len(cell_group) for sheet in sheets for cell_group in sheet.cells.values())
    return f"{len(sheets):,} table{'s' * (len(sheets) != 1)} with {figures:,} figure{'s' * (figures != 1)}"
