"""Hooks of mkdocs: the same Markdown reads well in the repository and on the site.

In the repository a link names a file relative to the file that contains it. On the site only files in `docs` have a
page, so

- files from elsewhere that belong to the documentation get one (`BROUGHT`),
- a link to any other file of the repository leads to the repository,
- a link to a folder leads to its `README.md`.

A link to what isn't there is a warning, which `mkdocs build --strict` takes for an error.
"""

from __future__ import annotations

import logging
import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BROUGHT = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks_speed/README.md": "speed.md",
    "benchmarks_truth/README.md": "truth.md",
}
PAGES = {**BROUGHT, "README.md": "README.md"}  # file of the repository -> page of the site
_OF_PAGE = {page: file for file, page in BROUGHT.items()}
_LINK = re.compile(r"(?<=\]\()(?P<path>[^)\s#]+)(?P<rest>#[^)\s]*)?(?=\))")
_FENCE = re.compile(r"^(```|~~~)")
_CODE = re.compile(r"(`+)(.+?)\1")
_log = logging.getLogger("mkdocs.hooks.pages")


def on_files(files: Any, config: Any) -> Any:
    """Give the files of `BROUGHT` a page each."""
    from mkdocs.structure.files import File

    for file, page in BROUGHT.items():
        files.append(File.generated(config, page, content=(ROOT / file).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Turn links, and the bars in code in tables, into what the site needs."""
    return converted(markdown, page.file.src_uri, config["extra"]["repository"])


def converted(markdown: str, page: str, repository: str) -> str:
    """`markdown` as the site needs it; `page`: its path below `docs`. Code in fences stays as it is."""
    lines, fenced = [], False
    for line in markdown.splitlines():
        if _FENCE.match(line.lstrip()):
            fenced = not fenced
        elif not fenced:
            line = _LINK.sub(lambda match: site_link(match["path"], page, repository) + (match["rest"] or ""), line)
            if line.startswith("|"):  # GitHub needs a bar in code escaped, Python-Markdown shows the backslash
                line = _CODE.sub(lambda match: match[0].replace(r"\|", "|"), line)
        lines.append(line)
    return "\n".join(lines) + "\n"


def site_link(link: str, page: str, repository: str) -> str:
    """Return the target on the site of a `link` in the file of `page`."""
    if re.match(r"[a-z]+:", link):
        return link
    file = _OF_PAGE.get(page, f"docs/{page}")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(file), link))
    if not (ROOT / target).exists():
        _log.warning("%s: a link to what isn't there: %s", file, link)
    if (ROOT / target / "README.md").is_file():
        target += "/README.md"
    if target in PAGES or (target.startswith("docs/") and (ROOT / target).is_file()):
        return posixpath.relpath(PAGES.get(target) or target.removeprefix("docs/"), posixpath.dirname(page) or ".")
    kind = "tree" if (ROOT / target).is_dir() else "blob"
    return f"{repository}/{kind}/main/{target}"
