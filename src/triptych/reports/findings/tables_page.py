"""`audit tables FILE… --to PAGE`: the findings, and the tables as they were read, as one HTML or Markdown file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from triptych.audit.anyone.check import summarise_sheets
from triptych.audit.sheets.sheet import Sheet
from triptych.errors import SpecError
from triptych.records import FINDING_SEVERITIES, Finding
from triptych.records.findings import KINDS
from triptych.reports.files.markdown import escaped
from triptych.reports.findings.audited import findings_markdown, summary
from triptych.store.files.atomic import write_atomically

KINDS_OF_PAGE = (".html", ".md")
_STYLE = """
:root { color-scheme: light dark; --line: #8885; --severe: #c62828; --warning: #b26a00; --note: #5a6772; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; }
body { overflow-wrap: break-word; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin-bottom: .2rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .5rem; text-align: right; }
th:first-child { text-align: left; max-width: 24rem; } tbody th { font-weight: 400; }
.severe { color: var(--severe); } .warning { color: var(--warning); } .note { color: var(--note); }
td.severe, td.warning, td.note { font-weight: 700; text-decoration: underline; }
li { margin: .6rem 0; } li p { margin: .1rem 0; } .tag { font-weight: 700; }
"""


def write_tables_page(path: Path, sheets: Sequence[Sheet], findings: Sequence[Finding]) -> None:
    """Write the page; its kind is given by the end of its name. Raises SpecError if that is neither .html nor .md."""
    kind = path.suffix.lower()
    if kind not in KINDS_OF_PAGE:
        raise SpecError("unknown kind of page", where="--to", got=path.name, expected=" or ".join(KINDS_OF_PAGE))
    path.parent.mkdir(parents=True, exist_ok=True)
    text = tables_html(sheets, findings) if kind == ".html" else tables_markdown(sheets, findings)
    write_atomically(path, text.encode())


def tables_markdown(sheets: Sequence[Sheet], findings: Sequence[Finding]) -> str:
    """Return the findings and a list of the tables as Markdown."""
    lines = ["# Tables", "", f"{summarise_sheets(sheets)}: {summary(findings)}.", ""]
    lines += ["| table | line | caption | rows | columns | figures |", "|---|---|---|---|---|---|"]
    for sheet in sheets:
        figures = sum(map(len, sheet.cells.values()))
        caption, size = escaped(sheet.caption), f"{len(sheet.rows)} | {len(sheet.columns)} | {figures}"
        lines.append(f"| {escaped(sheet.name)} | {sheet.line} | {caption} | {size} |")
    return "\n".join(lines) + "\n\n" + findings_markdown(findings)


def tables_html(sheets: Sequence[Sheet], findings: Sequence[Finding]) -> str:
    """Return a page that needs no other file: findings by table, and each table with the cells concerned marked."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Audit of tables</title><style>{_STYLE}</style></head><body>",
        f"<main><h1>Audit of tables</h1><p>{escape(summarise_sheets(sheets))}: {escape(summary(findings))}.</p>",
        "<p>A finding says what does not follow, and what would have to be true for it to be correct. "
        "It does not say why.</p>",
    ]
    for sheet in sheets:
        parts += _section(sheet, [f for f in findings if f.table == sheet.name])
    return "\n".join([*parts, "</main></body></html>"]) + "\n"


def _section(sheet: Sheet, findings: Sequence[Finding]) -> Iterator[str]:
    caption = f": {escape(sheet.caption)}" if sheet.caption else ""
    yield f"<h2>{escape(sheet.name)}{caption}</h2>"
    yield f"<p>Line {sheet.line}. {escape(summary(findings)).capitalize()}.</p>"
    if findings:
        yield "<ul>"
        for severity in FINDING_SEVERITIES:
            yield from (_item(finding) for finding in findings if finding.severity == severity)
        yield "</ul>"
    yield f'<div class="wide" tabindex="0" role="group" aria-label="{escape(sheet.name)}">'
    yield '<table><thead><tr><th scope="col">row</th>'
    yield "".join(f'<th scope="col">{escape(column)}</th>' for column in sheet.columns) + "</tr></thead><tbody>"
    marks = _marks(findings)
    for row in sheet.rows:
        cells = (_cell(sheet, row, column, marks.get((row, column), "")) for column in sheet.columns)
        yield f'<tr><th scope="row">{escape(row)}</th>{"".join(cells)}</tr>'
    yield "</tbody></table></div>"


def _item(finding: Finding) -> str:
    cells = "; ".join(", ".join(names[:4]) for names in (finding.rows, finding.columns) if names)
    tag = f'<span class="tag {finding.severity}">{finding.severity}</span> {escape(KINDS[finding.kind])}'
    effect = f"<p>{escape(finding.effect)}</p>" if finding.effect else ""
    return f"<li>{tag}<h3>{escape(cells)}</h3><p>{escape(finding.message)}</p>{effect}</li>"


def _marks(findings: Sequence[Finding]) -> dict[tuple[str, str], str]:
    """Return (row, column) -> the most severe finding on a cell."""
    marks: dict[tuple[str, str], str] = {}
    for severity in reversed(FINDING_SEVERITIES):
        for finding in findings:
            if finding.severity == severity:
                marks |= {(row, column): severity for row in finding.rows for column in finding.columns}
    return marks


def _cell(sheet: Sheet, row: str, column: str, mark: str) -> str:
    figure = sheet.cells[row].get(column)
    text = "" if figure is None else figure.text + (f" ± {figure.margin}" if figure.margin else "")
    text += f" ({figure.change})" if figure is not None and figure.change else ""
    shown = f"<b>{escape(text)}</b>" if figure is not None and figure.bold else escape(text)
    return f'<td class="{mark}">{shown}</td>' if mark else f"<td>{shown}</td>"
