"""The `Code:` line at the end of a page names the modules that implement what the page describes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# Pages about the project, about several subjects, or made from the code: no modules implement them.
WITHOUT = {
    "README",
    "architecture",
    "cli",
    "stages",
    "coming-from",
    "field",
    "portal-proxy",
    "portal-walk",
    "python-reference",
}
WITHOUT |= {"quick-start", "writing", "benchmarks/README", "models/catalogue", "models/serving"}


def pages() -> list[str]:
    found = (path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))
    return sorted(name for name in found if not name.startswith("decisions/") and name not in WITHOUT)


@pytest.mark.parametrize("page", pages())
def test_a_page_ends_with_the_modules_that_implement_it(page: str) -> None:
    last = (DOCS / f"{page}.md").read_text(encoding="utf-8").rstrip().splitlines()[-1]
    assert last.startswith("Code: "), f"docs/{page}.md: end it with `Code:` and its modules, or list it in WITHOUT"
    assert (named := re.findall(r"`([^`]+)`", last))
    assert not [path for path in named if not (ROOT / path).exists()]
