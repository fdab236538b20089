"""The page of an audit: the verdict, the printed cells that were compared, and every finding."""

from __future__ import annotations

from pathlib import Path

from triptych.records.checked import Audited, CellCounts
from triptych.records.findings import FINDING_ORIGINS, KINDS
from triptych.reports.files.markdown import escaped
from triptych.reports.findings.audited import counts_by_origin, findings_markdown
from triptych.reports.findings.cells import cells_text
from triptych.reports.html.page import fill_template
from triptych.store.files.atomic import write_atomically

NAME = "audit.html"
MAX_FINDINGS_PER_KIND = 200  # findings of one kind on the page


def write_audit_page(findings: Audited, title: str, to: Path) -> Path:
    """Write the page to a file, as Markdown if its name ends with `.md`, or as `audit.html` into a folder.

    Returns its path. Raises SpecError if the page is HTML and jinja2 isn't installed.
    """
    path = to / NAME if to.is_dir() or not to.suffix else to
    page = audit_markdown if path.suffix.lower() == ".md" else audit_page
    write_atomically(path, page(findings, title).encode())
    return path


def audit_markdown(findings: Audited, title: str) -> str:
    """Return all findings, and the printed cells that were compared, as Markdown."""
    parts = [f"# {escaped(title)}", findings_markdown(findings).strip() or escaped(findings.verdict)]
    if findings.cells:
        parts.append(f"```text\n{cells_text(findings.cells, everything=True)}\n```")
    return "\n\n".join(part for part in parts if part) + "\n"


def audit_page(findings: Audited, title: str) -> str:
    """Return the page; the same for the same audit."""
    return fill_template(
        "audit.html",
        title=title,
        found=findings,
        verdict=findings.verdict,
        counts=counts_by_origin(findings),
        cells=findings.cells,
        cell_counts=CellCounts.count_cells(findings.cells),
        kinds=KINDS,
        origins=FINDING_ORIGINS,
        most=MAX_FINDINGS_PER_KIND,
    )
