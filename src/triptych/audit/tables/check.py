"""`audit tables`: whether a paper's tables are consistent with themselves, with each other and with its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from triptych.audit.tables.cells import NoCell, Tables, load_tables, matching, rows_of
from triptych.audit.tables.expression import Context, evaluate, why_not
from triptych.audit.tables.figures import check_figures
from triptych.audit.tables.interval import Interval, digits_of
from triptych.audit.tables.printing import tables_as_printed
from triptych.audit.tables.repeats import Repeat, repeats, same_groups, severity_of, transposed
from triptych.audit.tables.rules import (
    Bounded,
    Claim,
    Distinct,
    Holds,
    Ordered,
    Shares,
    TableRules,
    combinations_of,
    fill_names,
    load_claims,
    load_rules,
)
from triptych.audit.tables.share_checks import check_shares, sizes_of, sizes_of_columns
from triptych.audit.verdict import count_in_words, verdict
from triptych.benchmarks import Benchmark
from triptych.errors import SpecError
from triptych.records import Finding, finding
from triptych.records.checked import Audited

_SHOWN = 12  # rows and columns named with a claim


def audit_tables(benchmark: Benchmark) -> Audited:
    """Return the findings on the tables that a benchmark's paper printed, and a verdict: see `audit_folder`."""
    findings = audit_folder(benchmark.name, benchmark.folder)
    rules = load_rules(benchmark.folder)
    cells = load_tables(benchmark.folder / "published", rules.decimals, rules.aliases).cells
    figures = sum(len(row) for rows in cells.values() for row in rows.values())
    claims = len(load_claims(benchmark.folder).claim)
    counts = (count_in_words(figures, "printed figure"), count_in_words(len(cells), "table"))
    subject = f"{' in '.join(counts)}, {count_in_words(claims, 'claim')}"
    return Audited(findings, verdict(subject, findings))


def audit_folder(benchmark: str, folder: Path) -> list[Finding]:
    """Every finding on the tables that a benchmark's folder ships, by its rules and claims, in the tables' order.

    Raises SpecError for a rule that can't be read or fits nothing, DataError for a table that can't be read.
    """
    rules = load_rules(folder)
    tables = tables_as_printed(folder / "published", rules)
    return audit_by_rules(benchmark, rules, load_claims(folder).claim, tables) if tables.cells else []


def audit_by_rules(benchmark: str, rules: TableRules, claims: Sequence[Claim], tables: Tables) -> list[Finding]:
    """Return every finding on tables by stated rules and claims. Raises SpecError for a rule that matches nothing."""
    shares = [finding for rule in rules.shares for finding in check_shares(benchmark, rule, tables)]
    figures = list(check_figures(benchmark, rules.derived, tables, sizes_of(rules.shares, tables)))
    return [
        *(figure for figure in figures if not _explained(figure, shares)),
        *shares,
        *(finding for rule in rules.ordered for finding in check_order(benchmark, rule, tables)),
        *(check_hold for rule in rules.holds for check_hold in check_holds(benchmark, rule, tables)),
        *(check_bound for rule in rules.bounded for check_bound in check_bounds(benchmark, rule, tables)),
        *(
            check_repeat
            for rule in rules.distinct
            for check_repeat in check_repeats(benchmark, rule, tables, rules.shares)
        ),
        *(finding for claim in claims for finding in check_claim(benchmark, claim, tables)),
    ]


def _explained(finding: Finding, shares: Sequence[Finding]) -> bool:
    """Drop findings on means that don't follow because the cells of their row are exchanged."""
    return finding.kind == "average" and any(
        s.kind == "permutation" and s.table == finding.table and s.rows == finding.rows for s in shares
    )


def check_order(benchmark: str, rule: Ordered, tables: Tables) -> Iterator[Finding]:
    """Yield findings on pairs of neighbouring columns in the wrong order."""
    for names in combinations_of(rule.each):
        columns = [fill_names(column, names) for column in rule.columns]
        for name, cells in rows_of(tables, rule.table, rule.rows, rule.without).items():
            for low, high in pairwise(columns):
                if low not in cells or high not in cells or cells[low].value.may_be_less(cells[high].value):
                    continue
                yield finding(
                    "ordering",
                    rule.severity,
                    benchmark,
                    f"{low} {cells[low].text} is above {high} {cells[high].text}, which can't be ({rule.why})",
                    table=rule.table,
                    rows=[name],
                    columns=[low, high],
                    published=f"{cells[low].text} > {cells[high].text}",
                    recomputed=f"{low} <= {high}",
                    effect=f"{float(cells[low].text) - float(cells[high].text):+.2f}",
                )


def check_holds(benchmark: str, rule: Holds, tables: Tables) -> Iterator[Finding]:
    """Rows in which a comparison can't hold, whatever rounding hides."""
    for names in combinations_of(rule.each):
        formula = fill_names(rule.formula, names)
        for name in rows_of(tables, rule.table, rule.rows, rule.without):
            context = Context(tables, rule.table, name)
            try:
                wrong = why_not(formula, context)
            except NoCell:
                continue
            if not wrong:
                continue
            cells = {(c.table, c.column): c for c in context.used}.values()
            yield finding(
                rule.kind,
                rule.severity,
                benchmark,
                f"{wrong} ({rule.why})",
                table=rule.table,
                rows=[name],
                columns=[c.column for c in cells],
                published=", ".join(f"{c.column} {c.text}" for c in cells),
                recomputed=formula.replace("'", ""),
                terms=("printed", "must hold"),
                effect="one of these figures is wrong",
                about=formula,
            )


def check_bounds(benchmark: str, rule: Bounded, tables: Tables) -> Iterator[Finding]:
    """Cells outside what they can be."""
    allowed = Interval(rule.low, rule.high)
    for name, cells in rows_of(tables, rule.table, rule.rows).items():
        for column in matching(cells, rule.columns):
            if not cells[column].value.meets(allowed):
                yield finding(
                    "impossible",
                    "severe",
                    benchmark,
                    f"printed {cells[column].text}, outside {rule.low:g} to {rule.high:g} ({rule.why})",
                    table=rule.table,
                    rows=[name],
                    columns=[column],
                    published=float(cells[column].text),
                    recomputed=f"{rule.low:g} to {rule.high:g}",
                )


def check_repeats(benchmark: str, rule: Distinct, tables: Tables, shares: Sequence[Shares] = ()) -> Iterator[Finding]:
    """Rows, then columns, that repeat another more than chance allows. `shares`: how many questions a column is of."""
    rows = rows_of(tables, rule.table, rule.rows, rule.without)
    columns = set(matching(tables.columns(rule.table), rule.columns))
    grid = {name: {c: cell.text for c, cell in cells.items() if c in columns} for name, cells in rows.items()}
    if rule.other:
        others = {name: {c: cell.text for c, cell in cells.items()} for name, cells in tables.rows(rule.other).items()}
        for name, places, odds in same_groups(grid, others, rule.groups):
            yield _two_tables(benchmark, rule, name, places, odds)
        return
    sizes = sizes_of_columns(tables, rule.table, shares)
    for repeat in repeats(grid, lambda row, column: sizes(column)):
        yield _copy_finding(benchmark, rule, repeat, [repeat.first, repeat.second], repeat.places, "rows")
    for repeat in repeats(transposed(grid, list(grid)), lambda column, row: sizes(column)):
        yield _copy_finding(benchmark, rule, repeat, repeat.places, [repeat.first, repeat.second], "columns")


def _copy_finding(
    benchmark: str, rule: Distinct, repeat: Repeat, rows: Sequence[str], columns: Sequence[str], what: str
) -> Finding:
    return finding(
        "copy",
        repeat.severity,
        benchmark,
        f"the {what} {repeat.first} and {repeat.second} are equal in {len(repeat.places)} of {repeat.shared} cells "
        f"(probability over all pairs by chance: {repeat.chance:.0e}, if the two are related, as a fine-tune and its "
        f"base: {repeat.related:.0e}){'; ' + rule.why if rule.why else ''}",
        table=rule.table,
        rows=rows,
        columns=columns,
        published=f"{len(repeat.places)} of {repeat.shared} equal",
        effect="one of the two was not measured, or both are one"
        if repeat.severity == "severe"
        else "one of the two was not measured, or they are closely related",
    )


def _two_tables(benchmark: str, rule: Distinct, name: str, places: Sequence[str], odds: float) -> Finding:
    return finding(
        "copy",
        severity_of(odds),
        benchmark,
        f"{name}: {', '.join(places)} print the same figures in {rule.table} and {rule.other}"
        f"{'; ' + rule.why if rule.why else ''}",
        table=rule.table,
        rows=[name],
        columns=places,
        published=f"{len(places)} of {len(places)} equal",
        effect=f"one of {rule.table} and {rule.other} was not measured here",
    )


def check_claim(benchmark: str, claim: Claim, tables: Tables) -> Iterator[Finding]:
    """A claim of the text that its tables contradict. Raises SpecError where it names a cell that isn't there."""
    context = Context(tables)
    try:
        value = evaluate(claim.formula or claim.holds, context)
        wrong = _contradicts(claim, value, context)
    except NoCell as error:
        raise SpecError("a claim names a cell that isn't there", where=claim.where, got=error) from None
    if not wrong:
        return
    cells = list({(c.table, c.row, c.column): c for c in context.used}.values())
    yield finding(
        "claim",
        claim.severity,
        benchmark,
        f"{claim.where}: {claim.says}; by the tables, {wrong}",
        table=", ".join(dict.fromkeys(c.table for c in cells)) or "text",
        rows=list(dict.fromkeys(c.row for c in cells))[:_SHOWN],
        columns=list(dict.fromkeys(c.column for c in cells))[:_SHOWN],
        published=float(claim.printed) if claim.printed else claim.says,
        recomputed=round(value.middle, digits_of(claim.printed) + 1) if claim.formula else wrong,
        effect="in the text, not in the tables",
        about=claim.where + claim.says,
    )


def _contradicts(claim: Claim, value: object, context: Context) -> str:
    """Return the value by the tables; empty if they agree."""
    if claim.holds:
        if not isinstance(value, bool):
            raise SpecError("a claim's `holds` must be a comparison", where=claim.where, got=claim.holds)
        return "" if value else why_not(claim.holds, context)
    if not isinstance(value, Interval) or not claim.printed:
        raise SpecError("a claim needs what is printed, and a formula that gives a number", where=claim.where)
    ways = {"rounded", *(context.tables.printing.get(cell.table, "rounded") for cell in context.used)}
    within = Interval(-claim.within, claim.within)
    if any((Interval.printed(claim.printed, printing=way) + within).meets(value) for way in ways):
        return ""
    return f"{value.middle:.{digits_of(claim.printed) + 1}f}, not {claim.printed}"
