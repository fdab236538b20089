"""Commands of pages are typed in an empty folder, in the order of the page, with a baseline in place of an endpoint."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.support import commands

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.S | re.M)
_FILE = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```', re.S | re.M)
# What needs the network, a server, data that isn't here, or another file of the reader's own
_ELSEWHERE = re.compile(
    r"--data |preds|hf/|\bview\b|\bfetch\b|predictions|results\.json|LOG|tasks/|eval\.yaml|clips\.csv|\./sounds "
)
# A page, and the exit codes that it explains if they are not 0
PAGES = {"quick-start": {"triptych audit tables cmdar": 1}, "own-questions": {}, "run-folder": {}}


def typed(page: str) -> list[str]:
    """Return the commands of a page that can be typed here."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    lines = [
        re.split(r"\s+#", line)[0].strip()
        for name, block in _BLOCK.findall(text)
        for line in block.splitlines()
        if not name
    ]
    return [line for line in lines if line.startswith("triptych ") and not _ELSEWHERE.search(line)]


def words_of(line: str, folder: Path) -> list[str]:
    """Return a command's arguments, with what a shell puts for a pattern."""
    words = shlex.split(re.sub(r"openai/[\w.-]+", "baseline/longest", line))[1:]
    return [
        str(each)
        for word in words
        for each in (sorted(path.relative_to(folder) for path in folder.glob(word)) if "*" in word else [word])
    ]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_work_in_an_empty_folder(page: str, tmp_path: Path) -> None:
    for name, content in _FILE.findall((DOCS / f"{page}.md").read_text(encoding="utf-8")):
        (tmp_path / name).write_text(content, encoding="utf-8")
    if page == "run-folder":  # the two sessions that it merges
        for task, name in (("linguistic", "one"), ("spatial", "two")):
            run = ("run", f"xmodbench/{task}", "--limit", "1", "--model", "baseline/longest", "--out", f"runs/{name}")
            assert commands.triptych(*run, cwd=tmp_path).returncode == 0
    lines = typed(page)
    assert lines
    for line in lines:
        done = commands.triptych(*words_of(line, tmp_path), cwd=tmp_path)
        assert done.returncode == PAGES[page].get(line, 0), f"{line}\n{done.stderr}"
        assert "Traceback" not in done.stderr
