"""Write docs/field.md: `python -m benchmarks_truth.field_page --clones DIR [--clone] [--to PAGE]`.

The findings are computed again. `field_checked.csv` holds, for every severe one, the verdict of the check by hand, its
evidence, and what the authors may have meant; a severe finding without a verdict is an error.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks_truth.field import HERE, Listed, audited, number_of
from triptych.audit.sheets.sheet import Sheet
from triptych.records import FINDING_SEVERITIES, Finding
from triptych.reports.files.markdown import escaped

PAGE = HERE.parent / "docs/field.md"
VERDICTS = ("true", "false", "undecided")
_MARK = "<!-- figures: measured -->"
Audit = Sequence[tuple[Listed, list[Sheet], list[Finding]]]

_TOP = """# The field

`triptych audit tables` was run on {tables} tables with {figures:,} figures, in {files} files of {repositories} public
repositories on benchmarks and models of audio, video, images and their combinations: leaderboards in README files,
results of models and harnesses, and LaTeX of papers. No rules were stated; everything was found from the tables
alone. Each file is read as it was at the commit named below. At most three tables of results per file were taken, in
their order. The audit was developed on some of these tables: false alarms that they showed were corrected. [The error
rates](audit-tables.md#error-rates) on tables that are true by construction, and on repositories that were read
afterwards, are the independent proof.

The page says which printed figures don't follow from the others, and what the authors may have meant. It doesn't say
that anybody did anything wrong: a misprint in a table of {figures:,} figures is the rule, and most of these
repositories show more of their results than others do.
"""
_AGAIN = """The page is made by a script, which anyone can run again; the repositories are cloned if they are missing:

```
python -m benchmarks_truth.field_page --clones DIR --clone
```
"""
_CELLS = """Are the tables read right? Thirty of them, drawn at random among those with at most 160 figures, were
written down cell by cell from the files (`benchmarks_truth/field_cells.txt`, 1,295 cells with their
labels). One table (45 cells) was read wrongly at first: every figure of its first row had a mark (75.4♢)
that was not known as one, so the row was taken for a header. With that corrected, all 1,295 cells are
read right; `python -m benchmarks_truth.field_cells` compares them again.
"""
_SEVERE = """Each was checked by hand against the repository: its text, its data and its other tables. *True*: the
printed figure doesn't follow, and a second source confirms the rule or the number of questions that the audit
inferred. *False*: the figure is correct. *Undecided*: neither can be shown.
"""


class Checked(NamedTuple):
    """The check of a severe finding by hand."""

    finding: str
    verdict: str
    evidence: str
    may_mean: str


def checked(path: Path = HERE / "field_checked.csv") -> dict[str, Checked]:
    """Return the checks by the finding's id. Raises ValueError for a verdict that isn't one of `VERDICTS`."""
    with path.open(encoding="utf-8", newline="") as file:
        found = {row["finding"]: Checked(**row) for row in csv.DictReader(file)}
    for one in found.values():
        if one.verdict not in VERDICTS or not one.evidence:
            raise ValueError(f"{path.name}: {one.finding}: {one.verdict!r}, expected {', '.join(VERDICTS)}")
    return found


def page(every: Audit, known: dict[str, Checked]) -> str:
    """Return the page. Raises ValueError for a severe finding without a check, and for a check without its finding."""
    severe = [(one, f) for one, _, own in every for f in own if f.severity == "severe"]
    if missing := sorted({f.id for _, f in severe} ^ known.keys()):
        raise ValueError(f"field_checked.csv must list exactly the severe findings; not in both: {', '.join(missing)}")
    top = f"{_MARK}\n{_TOP.format(**counts(every))}"
    parts = [top, _rates(every, known), _AGAIN, f"{_MARK}\n{_CELLS}", f"{_MARK}\n## Severe findings\n"]
    parts += [_SEVERE, *(_one(one, f, known[f.id]) for one, f in severe)]
    parts += [
        f"{_MARK}\n## Warnings\n",
        "Warnings were not checked one by one. Each is evidence, but it may have an innocent explanation.\n",
        _warnings(every),
    ]
    parts += [f"{_MARK}\n## Tables\n", _tables(every)]
    return "\n".join(parts)


def counts(every: Audit) -> dict[str, int]:
    """Return the numbers of repositories, files, tables and figures."""
    sheets = [sheet for _, own, _ in every for sheet in own]
    return {
        "repositories": len({one.repository for one, _, _ in every}),
        "files": len(every),
        "tables": len(sheets),
        "figures": sum(len(own) for sheet in sheets for own in sheet.cells.values()),
    }


def _rates(every: Audit, known: dict[str, Checked]) -> str:
    found = [f for _, _, own in every for f in own]
    lines = ["| kind | severe | true | false | undecided | warnings | notes |", "|---|---:|---:|---:|---:|---:|---:|"]
    for kind in [*sorted({f.kind for f in found}), ""]:
        own = [f for f in found if kind in ("", f.kind)]
        by = Counter(f.severity for f in own)
        verdicts = Counter(known[f.id].verdict for f in own if f.severity == "severe")
        cells = [by["severe"], *(verdicts[v] for v in VERDICTS), by["warning"], by["note"]]
        lines.append(f"| {f'`{kind}`' if kind else 'all'} | {' | '.join(map(str, cells))} |")
    tables = counts(every)["tables"]
    with_severe = len({f.table for f in found if f.severity == "severe"})
    return "\n".join(lines) + f"\n\n{with_severe} of the {tables} tables have a severe finding.\n"


def _one(one: Listed, f: Finding, check: Checked) -> str:
    place = f"{', '.join(f.rows)} · {', '.join(c.rpartition('|')[2] for c in f.columns)}"
    return (
        f"**{one.repository}, {escaped(place)}** ([{one.path}]({one.address}), {one.date}): *{check.verdict}*\n\n"
        f"- Finding (`{f.kind}`): {escaped(f.message)}.\n- Check: {escaped(check.evidence)}\n"
        f"- The authors may have meant: {escaped(check.may_mean)}\n"
    )


def _warnings(every: Audit) -> str:
    lines = ["| repository | table | row · column | finding |", "|---|---|---|---|"]
    for one, _, own in every:
        for f in own:
            if f.severity == "warning":
                place = f"{', '.join(f.rows[:3])} · {', '.join(c.rpartition('|')[2] for c in f.columns[:3])}"
                first = f.message.partition(". To be correct")[0]
                name = f"[{one.path}]({one.address})#{str(f.table).rpartition('#')[2]}"
                lines.append(f"| {one.repository} | {name} | {escaped(place)} | `{f.kind}`: {escaped(first)} |")
    return "\n".join(lines) + "\n"


def _tables(every: Audit) -> str:
    lines = ["| repository | file at its commit | date | table | rows | columns | figures | severe, warnings, notes |"]
    lines += ["|---|---|---|---:|---:|---:|---:|---|", *(row for own in every for row in _rows(*own))]
    return "\n".join(lines) + "\n"


def _rows(one: Listed, sheets: Sequence[Sheet], found: Sequence[Finding]) -> Iterator[str]:
    for sheet in sheets:
        by = Counter(f.severity for f in found if f.table == sheet.name)
        size = f"{len(sheet.rows)} | {len(sheet.columns)} | {sum(map(len, sheet.cells.values()))}"
        told = ", ".join(str(by[severity]) for severity in FINDING_SEVERITIES)
        file = f"[{one.path}]({one.address})"
        lettered = sheet.name.rpartition("#")[2].lstrip("0123456789")
        yield f"| {one.repository} | {file} | {one.date} | {number_of(sheet)}{lettered} | {size} | {told} |"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks_truth.field_page", description=__doc__)
    parser.add_argument("--clones", type=Path, required=True, help="folder of clones")
    parser.add_argument("--clone", action="store_true", help="clone what is missing from GitHub")
    parser.add_argument("--to", type=Path, default=PAGE, help="the page to write")
    chosen = parser.parse_args()
    chosen.to.write_text(page(list(audited(chosen.clones, chosen.clone)), checked()), encoding="utf-8")


if __name__ == "__main__":
    main()
