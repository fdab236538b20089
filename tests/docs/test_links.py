"""Links in the repository's own Markdown, as its pages are read there: the file is there, and so is the heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks_speed/README.md", "benchmarks_truth/README.md")
PAGES = [*(ROOT / name for name in NAMES), *sorted(ROOT.glob("docs/**/*.md"))]
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.S | re.M)


def links(page: str) -> Iterator[tuple[str, str]]:
    """Path and heading of every link that leads to a file."""
    for link in _LINK.findall(_FENCE.sub("", page)):
        if not re.match(r"[a-z]+:", link):
            path, _, heading = link.partition("#")
            yield path, heading


def anchor(heading: str) -> str:
    """What a heading is called in an address: small letters, no marks, blanks as hyphens."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def test_anchors_are_made_as_the_repositorys_host_makes_them() -> None:
    assert anchor("OCR engines, alone and before a language model") == "ocr-engines-alone-and-before-a-language-model"
    assert anchor("`score --json`") == "score---json"


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading_that_are_there(path: Path) -> None:
    for name, heading in links(path.read_text(encoding="utf-8")):
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), name
        assert target.is_relative_to(ROOT), name
        if heading:
            headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", target.read_text(encoding="utf-8")), re.M)
            assert heading in {anchor(each) for each in headings}, f"{name}#{heading}"
