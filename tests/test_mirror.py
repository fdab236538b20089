"""Tests mirror the tree: those of `src/triptych/ROOM/FOLDER/name.py` are at `tests/ROOM/FOLDER/test_name.py`.

`tests/mirror.toml` lists the exceptions: modules that tests of another name try, and files of tests that are about no
single module. Both lists can only become shorter.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "triptych"
# Folders of `tests` that mirror another folder than `src/triptych`, or hold what all tests share.
ELSEWHERE = {"docs": "docs/making", "mini": "tools/mini", "fuzz": "all readers", "support": "what tests share"}


@cache
def listed() -> dict[str, Any]:
    return tomllib.loads((TESTS / "mirror.toml").read_text(encoding="utf-8"))


def public(name: str) -> str:
    """A part of a path without underscores: `_rows` is private, `list_` would be a word of Python without it."""
    return name.strip("_")


def mirrored(module: Path) -> str:
    """The path of a module's tests below `tests`, without `.py`: a package's are those of its folder's name."""
    parts = [public(part) for part in module.relative_to(SOURCE).with_suffix("").parts]
    if module.name == "__init__.py":
        parts[-1] = parts[-2] if len(parts) > 1 else "triptych"
    return "/".join([*parts[:-1], f"test_{parts[-1]}"])


def files_of_tests() -> Iterator[str]:
    for path in sorted(TESTS.rglob("test_*.py")):
        below = path.relative_to(TESTS)
        if below.parts[0] not in ELSEWHERE:
            yield below.with_suffix("").as_posix()


def mirrors(test: str, modules: set[str]) -> bool:
    """Whether a file of tests has the name of a module, or that name and behind it what of the module it is about."""
    folder, _, name = test.rpartition("/")
    words = name.split("_")
    return any("/".join(filter(None, [folder, "_".join(words[:end])])) in modules for end in range(2, len(words) + 1))


@cache
def modules() -> dict[str, Path]:
    """The modules with a function: declarations, tables and constants need no tests of their own."""
    return {
        path.relative_to(SOURCE).as_posix(): path
        for path in sorted(SOURCE.rglob("*.py"))
        if any(
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    }


def test_every_module_has_its_tests_where_a_reader_looks_for_them() -> None:
    tests = set(files_of_tests())
    lacking = {name for name, path in modules().items() if mirrored(path) not in tests}
    excused = listed()["modules"]
    new = "\n".join(f"{name}: write tests/{mirrored(modules()[name])}.py" for name in sorted(lacking - excused.keys()))
    assert not new, f"modules without a file of tests of their name:\n{new}"
    done = sorted(excused.keys() - lacking)
    assert not done, (
        f"these have their tests or are gone: remove them from tests/mirror.toml, and lower `most`:\n{done}"
    )


def test_every_file_of_tests_is_about_a_module_or_listed() -> None:
    names = {mirrored(path) for path in SOURCE.rglob("*.py")}
    stray = {test for test in files_of_tests() if not mirrors(test, names)}
    excused = {test.removesuffix(".py") for test in listed()["tests"]}
    new = "\n".join(f"tests/{test}.py" for test in sorted(stray - excused))
    assert not new, f"name these for the module that they test, test_MODULE.py or test_MODULE_ASPECT.py:\n{new}"
    done = sorted(excused - stray)
    assert not done, f"these mirror a module or are gone: remove them from tests/mirror.toml, and lower `most`:\n{done}"


@pytest.mark.parametrize("table", ["modules", "tests"])
def test_the_lists_only_become_shorter(table: str) -> None:
    count, most = len(listed()[table]), listed()["most"][table]
    assert count <= most, f"{count} exceptions in tests/mirror.toml, {most} are allowed: write the tests instead"
    assert count == most, f"only {count} exceptions are left: lower `most` in tests/mirror.toml"


def test_every_exception_names_a_file_of_tests_or_says_why_there_is_none() -> None:
    wrong = [
        f"{name}: {reason}"
        for name, reason in listed()["modules"].items()
        if (reason.startswith("tests/") and not (TESTS.parent / reason).is_file()) or len(reason) < 12
    ]
    assert not wrong, f"no such file of tests, or no reason:\n{wrong}"
