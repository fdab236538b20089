"""Every command that the documentation shows is one that there is, with options that it takes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from triptych.benchmarks import known_benchmarks
from triptych.cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
ROOT_COMMAND = typer.main.get_command(app)
_FENCED = re.compile(r"^```\w*\n(.*?)^```", re.S | re.M)
_INLINE = re.compile(r"`(triptych [^`]+)`")
_OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)")


def shown(page: str) -> Iterator[str]:
    """Command lines in fences (without remarks, with what a backslash carries on) and in the text."""
    for block in _FENCED.findall(page):
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            line = re.split(r"\s+#|\s{3,}", line.strip())[0]
            if line.startswith("triptych "):
                yield line
    yield from _INLINE.findall(_FENCED.sub("", page))


def resolved(line: str) -> tuple[Any, list[str]]:
    """The command that a line names, and the words after it; a group stands for any of its commands."""
    command: Any = ROOT_COMMAND
    words = [word.strip("[]") for word in line.split()[1:]]
    if words[:1] == ["--log-level"]:  # an option of all commands, with its value
        words = words[2:]
    while hasattr(command, "commands") and words:
        names = words[0].split("|")
        if not set(names) & set(command.commands) and (otherwise := getattr(command, "otherwise", "")):
            return command.commands[otherwise], words
        assert set(names) <= set(command.commands) or words[0] in ("COMMAND", "--version", "--help"), line
        if names[0] not in command.commands:
            break
        command, words = command.commands[names[0]], words[1:]
    return command, words


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_and_options_exist(path: Path) -> None:
    for line in shown(path.read_text(encoding="utf-8")):
        command, words = resolved(line)
        known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
        used = _OPTION.findall(" ".join(words))
        assert set(used) <= known | {"--help", "-h", "--config"}, line


def test_tables_of_a_benchmarks_own_files_are_toml() -> None:
    blocks = [
        block
        for path in ROOT.glob("docs/**/*.md")
        for block in re.findall(r"^```toml[^\n]*\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M)
    ]
    assert len(blocks) > 20
    assert all(tomllib.loads(block) for block in blocks)


def test_every_benchmark_has_a_page_that_the_index_links() -> None:
    index = (ROOT / "docs/benchmarks/README.md").read_text(encoding="utf-8")
    for name in known_benchmarks():
        if (ROOT / f"src/triptych/benchmarks/{name}").is_dir():
            assert f"({name}.md)" in index
            assert (ROOT / f"docs/benchmarks/{name}.md").is_file()
