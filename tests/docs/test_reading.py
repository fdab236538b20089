"""The page on reading a report explains every heading, kind, status and metric that one shows; its examples hold."""

from __future__ import annotations

import doctest
import re
from html import unescape
from pathlib import Path

import pytest

from triptych import analysis
from triptych.analysis.errors import kinds as error_kinds
from triptych.metrics.metric import known_metrics
from triptych.records import RESPONSE_STATUSES, SCORE_STATUSES
from triptych.records.findings import KINDS as FINDING_KINDS
from triptych.reports.html import chapter

PAGE = Path(__file__).parents[2] / "docs" / "reading-a-report.md"
TEMPLATES = Path(chapter.__file__).parent / "templates"
TEXT = PAGE.read_text(encoding="utf-8")
HEADINGS = set(re.findall(r"^#+ (.+)$", TEXT, flags=re.MULTILINE))


def printed(*names: str) -> list[str]:
    """The headings that the templates print whatever is in a report."""
    html = "\n".join((TEMPLATES / name).read_text(encoding="utf-8") for name in names)
    return [unescape(h).strip() for h in re.findall(r"<h[23][^>]*>([^<{]+)</h[23]>", html)]


def test_every_heading_of_a_report_has_its_entry() -> None:
    appendix = "Appendix: Reproduce, manifests, signatures"
    wanted = {*printed("report.html", "glance.html", "chapter.html", "appendix.html"), *chapter.TITLES.values()}
    assert {"At a glance", "Runs", "Scores", "Audit", "Consistency", appendix} <= wanted
    assert wanted <= HEADINGS


def sections() -> set[str]:
    """The ids that analyses give to their Sections, their last steps aside."""
    code = "\n".join(p.read_text(encoding="utf-8") for p in sorted(Path(analysis.__file__).parent.rglob("*.py")))
    return {found.split(".")[0] for found in re.findall(r"Section\(\s*(?:id=)?f?\"([a-z_.]+)", code)}


def test_every_section_of_an_analysis_stands_under_one_of_these_headings() -> None:
    assert {"significance", "consistency", "robustness", "ablation", "agreement", "error_kinds"} <= sections()
    assert sections() <= {*chapter.TITLES, "cost"} and "Cost" in HEADINGS


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("kinds of finding", sorted(FINDING_KINDS)),
        ("kinds of error", sorted(error_kinds.KINDS)),
        ("statuses", sorted({*RESPONSE_STATUSES, *SCORE_STATUSES})),
        ("metrics", sorted(known_metrics())),
    ],
)
def test_every_name_is_explained(what: str, names: list[str]) -> None:
    assert len(names) > 4
    assert [name for name in names if f"`{name}`" not in TEXT] == [], what


LABELS = {
    "forms/consistency.py": ("beyond chance", "beyond habit", "Same pick", "picks beyond chance"),
    "forms/robustness.py": ("spread by chance", "standard deviation over variants"),
    "forms/positions.py": ("chi-square", "spread of right"),
    "comparing/differences.py": ("smallest detectable difference (80% power)",),
    "raters/agreement.py": ("Pearson", "Spearman", "ICC", "alpha", "bias"),
}


@pytest.mark.parametrize("module", LABELS)
def test_every_column_of_an_analysis_is_explained(module: str) -> None:
    code = (Path(analysis.__file__).parent / module).read_text(encoding="utf-8")
    for label in LABELS[module]:
        assert f'"{label}' in code, "the label is printed"
        assert f"**{label}" in TEXT or f"**{label.capitalize()}" in TEXT, label


def test_links_lead_to_headings_and_files() -> None:
    anchors = {re.sub(r"[^a-z0-9 -]", "", heading.casefold()).replace(" ", "-") for heading in HEADINGS}
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        file, _, anchor = target.partition("#")
        assert (PAGE.parent / file).exists() if file else anchor in anchors, target


def test_examples_hold() -> None:
    found = doctest.testfile(
        str(PAGE), module_relative=False, encoding="utf-8", optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert found.attempted > 15 and not found.failed
