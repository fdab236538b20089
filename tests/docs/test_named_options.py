"""Every command and option that a message names is one that there is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.named import unknown

SOURCE = Path(__file__).parents[2] / "src" / "triptych"
# names of CSS, an option of one of our own functions, and one in the pattern of a secret
MEANT = {
    "reports/findings/tables_page.py": {"--line", "--severe", "--warning", "--note"},
    "reports/plots/text_style.py": {"--on-accent"},
    "models/encoders/comet.py": {"--exclude"},
    "secrets.py": {"--token"},
    "viewer/static/viewer.js": {"--channels"},
}


def texts(module: ast.Module) -> Iterator[tuple[int, str]]:
    """The string literals of a module, with `{}` for what is filled in."""
    inside: set[int] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            inside |= {id(part) for part in node.values}
            yield node.lineno, "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, node.value


def problems(path: Path) -> list[str]:
    text = path.read_text("utf-8")
    found = texts(ast.parse(text)) if path.suffix == ".py" else [(1, text)]
    name = path.relative_to(SOURCE).as_posix()
    return [
        f"{name}:{line}: {problem}"
        for line, own in found
        for problem in unknown(own)
        if problem.rpartition(" ")[2] not in MEANT.get(name, ())
    ]


def test_every_command_and_option_of_a_message_exists() -> None:
    files = sorted(SOURCE.rglob("*.py"))
    assert len(files) > 500
    assert [problem for path in files for problem in problems(path)] == []


def test_every_command_and_option_of_a_template_exists() -> None:
    files = sorted(path for path in SOURCE.rglob("*") if path.suffix in (".toml", ".html", ".js", ".md", ".txt"))
    assert len(files) > 20
    assert [problem for path in files for problem in problems(path)] == []


@pytest.mark.parametrize(
    ("text", "running", "problem"),
    [
        ("read it with --recovr", None, "no option --recovr"),
        ("read it with --recover", ["run", "mcif"], "no option --recover of run mcif"),
        ("`triptych check BENCH --recover`", None, "'triptych check BENCH --recover' has no --recover"),
        ("triptych scroe BENCH --predictions FILE", None, "no command 'triptych scroe BENCH --predictions FILE'"),
        ("triptych audit dta --data {}", None, "no command 'triptych audit dta --data {}'"),
    ],
)
def test_a_wrong_name_is_found(text: str, running: list[str] | None, problem: str) -> None:
    assert problem in list(unknown(text, running))


@pytest.mark.parametrize(
    "text", ["--recover", "triptych audit released mcif --data DIR --recover", "`triptych RUN`", "a -- b"]
)
def test_a_right_name_is_not(text: str) -> None:
    assert list(unknown(text)) == []
