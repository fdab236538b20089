"""Every test can fail: it asserts something, expects an error, or calls a helper that does."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILES = sorted(TESTS.rglob("*.py"))
EXPECTING = ("raises", "warns", "fail", "until", "wait_for", "wait_for_function", "expect", "check_call")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def helpers(path: Path | None = None) -> frozenset[str]:
    """Functions that assert, by themselves or through others: of one file, or those that do in all files of tests."""
    found: dict[str, list[ast.AST]] = {}
    for own in [path] if path else FILES:
        for node in ast.walk(tree(own)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.setdefault(node.name, []).append(node)
    asserting = {name for name, nodes in found.items() if all(map(expects, nodes))}
    while more := {n for n, nodes in found.items() if n not in asserting and all(used(k) & asserting for k in nodes)}:
        asserting |= more
    return frozenset(asserting)


def expects(node: ast.AST) -> bool:
    """Whether a function asserts itself."""
    return any(
        isinstance(inside, ast.Assert | ast.Raise)
        or (isinstance(inside, ast.Call) and _name(inside.func).startswith("assert_"))
        or (isinstance(inside, ast.Call) and _name(inside.func) in EXPECTING)
        or (isinstance(inside, ast.keyword) and inside.arg == "check" and ast.unparse(inside.value) == "True")
        for inside in ast.walk(node)
    )


def used(node: ast.AST) -> set[str]:
    return {_name(inside) for inside in ast.walk(node) if isinstance(inside, ast.Name | ast.Attribute)}


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def unfailing(module: ast.Module, own: frozenset[str] = frozenset()) -> list[str]:
    """What can't fail in a file of tests: `line: what`. `own`: the file's own helpers that assert."""
    found = []
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            if not expects(node) and not used(node) & (helpers() | own):
                found.append(f"{node.lineno}: {node.name} asserts nothing")
        elif isinstance(node, ast.Assert) and _always(node.test):
            found.append(f"{node.lineno}: an assertion that is always true")
        elif isinstance(node, ast.Try) and any(map(expects, node.body)):
            found += [f"{h.lineno}: a failed assertion is swallowed" for h in node.handlers if _swallows(h)]
        elif isinstance(node, ast.With) and any(map(expects, node.body)) and "Exception" in _suppressed(node):
            found.append(f"{node.lineno}: a failed assertion is suppressed")
    return found


def _always(test: ast.expr) -> bool:
    """A constant, a tuple with something in it (`assert (a, "why")`), or something `or True`."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return any(map(_always, test.values))
    return (isinstance(test, ast.Constant) and bool(test.value)) or (isinstance(test, ast.Tuple) and bool(test.elts))


def _swallows(handler: ast.ExceptHandler) -> bool:
    caught = ast.unparse(handler.type) if handler.type else "Exception"
    broad = any(name in caught for name in ("Exception", "BaseException", "AssertionError"))
    return broad and not any(isinstance(inside, ast.Raise | ast.Assert) for inside in ast.walk(handler))


def _suppressed(node: ast.With) -> str:
    return " ".join(ast.unparse(item.context_expr) for item in node.items if "suppress" in ast.unparse(item))


@pytest.mark.parametrize(
    "path", [p for p in FILES if p.name.startswith("test_")], ids=lambda p: str(p.relative_to(TESTS))
)
def test_every_test_can_fail(path: Path) -> None:
    assert unfailing(tree(path), helpers(path)) == []


@pytest.mark.parametrize(
    "code",
    [
        "def test_a():\n    work()",
        "def test_a():\n    with suppress(ValueError):\n        work()",
        "def test_a():\n    assert work() or True",
        "def test_a():\n    assert (work(), 'why')",
        "def test_a():\n    try:\n        assert work()\n    except Exception:\n        pass",
        "def test_a():\n    with suppress(Exception):\n        assert work()",
    ],
)
def test_what_can_not_fail_is_found(code: str) -> None:
    assert unfailing(ast.parse(code))
