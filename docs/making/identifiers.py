"""Identifiers that docs/writing.md advises against: `python docs/making/words.py --names [PATH…]` lists them.

The words and what to write instead are in names.toml, and the identifiers that are allowed, each with a reason. Checked
are modules, classes, functions, parameters, attributes, constants and local variables. A word counts if it is
the whole identifier (`found`, `_known`).

A function or method whose whole name is one word that is neither a noun nor a verb (`_whose`, `apart`, `_plain`) is
listed, too; names.toml has these words by part of speech.

There may be no others: rename what is listed, or give the reason why a name is part of a contract.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NAMES = HERE / "names.toml"
TOP = ("src/triptych",)
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Name:
    """One identifier where it is defined. `kind`: module, class, function, parameter, attribute, constant or local."""

    path: str
    line: int
    kind: str
    scope: str  # qualified name of the class or function around it; empty at module level
    name: str
    word: str = ""  # the word of names.toml that it is

    def __str__(self) -> str:
        scope = f" in {self.scope}" if self.scope else ""
        return f"{self.path}:{self.line}: {self.kind} {self.name}{scope} -> {self.use}"

    @property
    def use(self) -> str:
        """What to write instead of the word."""
        if self.word in words():
            return str(words()[self.word]["use"])
        return f"a noun, or a verb with its object, in place of a mere {parts_of_speech()[self.word]}"


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(NAMES.read_text(encoding="utf-8"))


def words() -> dict[str, dict[str, Any]]:
    """Word -> what to use instead, and whether it also counts as a part of an identifier."""
    return dict(_table()["word"])


@cache
def parts_of_speech() -> dict[str, str]:
    """Word that may not be the whole name of a function -> its part of speech."""
    return {word: part for part, listed in _table()["functions"].items() for word in listed.split()}


def reasons() -> dict[str, str]:
    """Allowed identifier (`PATH:SCOPE.NAME`, PATH below src/triptych) -> the reason."""
    return dict(_table().get("allowed", {}))


def key(found: Name) -> str:
    """Return how names.toml refers to an identifier."""
    path = found.path.removeprefix("src/triptych/")
    return f"{path}:{found.scope}.{found.name}" if found.scope else f"{path}:{found.name}"


def findings(tops: Sequence[str] = TOP) -> list[Name]:
    """Every identifier below these paths that is a word of names.toml and is not allowed."""
    allowed = reasons()
    return [one for one in every(tops) if key(one) not in allowed]


def every(tops: Sequence[str] = TOP) -> list[Name]:
    """Every identifier below these paths that is a word of names.toml, each once in its scope."""
    kept: dict[tuple[str, str, str, str], Name] = {}
    for path in _files(tops):
        for one in _named_in(path.read_text(encoding="utf-8"), path):
            kept.setdefault((one.path, one.scope, one.name, one.kind), one)
    return list(kept.values())


@cache  # two questions are asked about the same files
def _named_in(source: str, path: Path) -> tuple[Name, ...]:
    named = ((one, word_of(one.name) or function_word(one)) for one in defined_in(source, path))
    return tuple(Name(one.path, one.line, one.kind, one.scope, one.name, word) for one, word in named if word)


def unused_reasons(tops: Sequence[str] = TOP) -> list[str]:
    """Allowed identifiers that no longer exist."""
    return sorted(reasons().keys() - {key(one) for one in every(tops)})


def counts_of(found: Sequence[Name]) -> Counter[tuple[str, str]]:
    """(Kind, word) -> number of identifiers; each scope counts once."""
    return Counter((one.kind, one.word) for one in found)


def _files(tops: Sequence[str]) -> Iterator[Path]:
    for top in tops:
        path = ROOT / top
        yield from (sorted(path.rglob("*.py")) if path.is_dir() else [path] if path.suffix == ".py" else [])


@cache
def word_of(name: str) -> str:
    """Return the word of names.toml that an identifier is; empty if it is none."""
    pieces = [piece.lower() for piece in _PIECE.findall(name)]
    for word, rule in words().items():
        if rule.get("constants"):
            if name.isupper() and pieces[:1] == [word.lower()]:
                return word
        elif pieces == [word] or (rule.get("anywhere") and word in pieces):
            return word
    return ""


def function_word(found: Name) -> str:
    """Return the word of `[functions]` that the name of a function is; empty for others and for `__or__`."""
    word = found.name.strip("_")
    is_listed = found.kind == "function" and not found.name.endswith("__") and word in parts_of_speech()
    return word if is_listed else ""


def defined_in(source: str, path: Path) -> Iterator[Name]:
    """Every identifier that the source of a file defines."""
    where = path.relative_to(ROOT).as_posix()
    stem = path.parent.name if path.stem == "__init__" else path.stem
    yield Name(where, 1, "module", "", stem)
    yield from _body(ast.parse(source), where, (), "module")


def _body(node: ast.AST, path: str, scope: tuple[str, ...], inside: str) -> Iterator[Name]:
    """Yield the identifiers below a node. `inside`: module, class or function."""
    here = ".".join(scope)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield Name(path, child.lineno, "class", here, child.name)
            yield from _body(child, path, (*scope, child.name), "class")
            continue
        if isinstance(child, _FUNCTIONS):
            yield Name(path, child.lineno, "function", here, child.name)
            yield from _body(child, path, (*scope, child.name), "function")
            continue
        if isinstance(child, ast.arg):
            yield Name(path, child.lineno, "parameter", here, child.arg)
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            kind = {"module": "constant", "class": "attribute", "function": "local"}[inside]
            yield Name(path, child.lineno, kind, here, child.id)
        elif isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store):
            yield Name(path, child.lineno, "attribute", here, child.attr)
        elif isinstance(child, ast.ExceptHandler) and child.name:
            yield Name(path, child.lineno, "local", here, child.name)
        elif isinstance(child, ast.alias) and child.asname:
            yield Name(path, getattr(child, "lineno", 0), "local", here, child.asname)
        yield from _body(child, path, scope, inside)
