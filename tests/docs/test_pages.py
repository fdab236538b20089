"""The documentation: in step with the code, whole, and made of links that hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.making import commands, pages, people, stages

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs/images"
REPOSITORY = "https://example.org/triptych"
_ELSEWHERE = r"""=["']?(?:https?:)?//"""
_LOADS = re.compile(
    rf"<(?:script|img|source|iframe|audio|video)\b[^>]*\bsrc{_ELSEWHERE}"
    rf"|<link\b[^>]*rel=[\"']?(?:stylesheet|preconnect|icon)[^>]*href{_ELSEWHERE}"
)


def test_the_page_of_the_command_line_is_what_the_code_makes() -> None:
    assert commands.PAGE.read_text(encoding="utf-8") == commands.reference(), (
        "run `python docs/making/commands.py`, and commit docs/cli.md"
    )


def test_the_page_of_the_stages_is_what_the_code_makes() -> None:
    assert stages.PAGE.read_text(encoding="utf-8") == stages.reference(), (
        "run `python docs/making/stages.py`, and commit docs/stages.md"
    )


def test_the_page_of_what_people_and_makers_are_asked_is_what_the_recipes_make() -> None:
    assert people.PAGE.read_text(encoding="utf-8") == people.reference(), (
        "run `python docs/making/people.py`, and commit docs/building-people.md"
    )


def test_every_command_option_and_default_stands_on_that_page() -> None:
    page = commands.PAGE.read_text(encoding="utf-8")
    for name in ("triptych run", "triptych audit tables", "triptych judge calibrate"):
        assert f" `{name}`\n" in page
    assert "| `--concurrency` INTEGER | number of concurrent Requests | `16` |" in page
    assert "| `BENCHMARK` | BENCH or BENCH/TASK: xmodbench, xmodbench/linguistic, cmdar/main | required |" in page
    assert "| `-M` TEXT… | key=value: a setting of the model; may be repeated |  |" in page


@pytest.mark.parametrize(
    ("page", "link", "leads_to"),
    [
        ("README.md", "cli.md", "cli.md"),
        ("README.md", "../CHANGELOG.md", "changelog.md"),
        ("decisions/README.md", "../../CONTRIBUTING.md", "../contributing.md"),
        ("audit.md", "benchmarks/", "benchmarks/README.md"),
        ("contributing.md", "docs/adding/model.md", "adding/model.md"),
        ("speed.md", "../docs/view.md", "view.md"),
        ("contributing.md", "README.md", "README.md"),
        ("view.md", "../src/triptych/cli/view.py", f"{REPOSITORY}/blob/main/src/triptych/cli/view.py"),
        ("view.md", "../src/triptych/cli", f"{REPOSITORY}/tree/main/src/triptych/cli"),
        ("view.md", "https://github.com", "https://github.com"),
    ],
)
def test_a_link_of_the_repository_leads_to_the_same_thing_on_the_site(page: str, link: str, leads_to: str) -> None:
    assert pages.site_link(link, page, REPOSITORY) == leads_to


def test_a_link_to_nothing_is_told(caplog: pytest.LogCaptureFixture) -> None:
    pages.site_link("nothing.md", "view.md", REPOSITORY)
    assert "a link to what isn't there: nothing.md" in caplog.text


def test_code_in_fences_stays_and_bars_in_code_in_tables_lose_their_backslash() -> None:
    source = "```\n| `a\\|b` | [x](../CHANGELOG.md)\n```\n| `a\\|b` | [x](../CHANGELOG.md#new)\n"
    made = pages.converted(source, "README.md", REPOSITORY)
    assert made == "```\n| `a\\|b` | [x](../CHANGELOG.md)\n```\n| `a|b` | [x](changelog.md#new)\n"


def test_the_site_has_a_page_for_each_and_loads_nothing_from_elsewhere(site: Path) -> None:
    made = {str(path.relative_to(site)): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    assert {"index.html", "cli.html", "changelog.html", "adding/benchmark.html", "benchmarks/mcga.html"} <= set(made)
    assert not [name for name, html in made.items() if _LOADS.search(html)]
    for css in site.rglob("*.css"):
        assert not re.search(r"url\(\s*[\"']?(https?:)?//", css.read_text(encoding="utf-8")), css


def test_the_changelog_is_sorted_by_subject_and_its_entries_are_short() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for version in re.split(r"^## ", text, flags=re.M)[1:]:
        head, *subjects = re.split(r"^### ", version, flags=re.M)
        assert not re.search(r"^- ", head, re.M), (
            f"an entry of {head.splitlines()[0]} is not below a heading such as `### Audits`"
        )
        for subject in subjects:
            entries = re.findall(r"^- .*\n(?:  .*\n)*", subject + "\n", re.M)
            assert len(entries) <= 40, subject.splitlines()[0]
            assert not [entry for entry in entries if entry.count("\n") > 5]
        lines = [line for line in version.splitlines() if line]
        assert len(lines) == len(set(lines)), "a line is there twice"


def test_pictures_are_small_and_all_are_shown() -> None:
    shown = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
    pictures = sorted(IMAGES.iterdir())
    assert pictures
    assert not [p.name for p in pictures if f"images/{p.name}" not in shown]
    assert sum(p.stat().st_size for p in pictures) < 1_000_000
    assert (IMAGES / "report.png").stat().st_size < 200_000
