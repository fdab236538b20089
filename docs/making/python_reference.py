"""The reference of the Python functions, from their docstrings. As a script, it writes `docs/python-reference.md`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "python-reference.md"
HEAD = """\
<!-- Made from the code by docs/making/python_reference.py (`make docs`): change the docstrings, not this page. -->

# Python reference

Every public function of the package, with its parameters. [Python](python.md) shows how they are used together.
"""
CLASSES = """\
## Classes

What functions return and take. `RunFolder` and the records are those of [a Run folder](run-folder.md).
"""
RESULTS = {  # module that a program imports the class from -> classes
    "triptych.analysis.comparing.comparison": ("Comparison",),
    "triptych.api.several": ("Ended",),
    "triptych.construction.build": ("Built",),
    "triptych.construction.engine.folder": ("StageCounts",),
    "triptych.construction.release.provenance": ("Life", "Step"),
    "triptych.construction.report.estimate": ("StageEstimate",),
    "triptych.judges.calibration": ("Calibration",),
    "triptych.judges.rubric": ("Rubric",),
    "triptych.records": ("Aggregate", "Finding", "Item", "Part", "Problem", "Response", "Score", "Section"),
    "triptych.records.checked": ("Audited",),
    "triptych.running.estimate": ("RunEstimate",),
    "triptych.running.loop": ("RunOptions", "RunOutcome"),
    "triptych.store.folder": ("RunFolder",),
}
_SECTION = re.compile(r"^(Args|Returns|Raises|Example|Examples):$")
_ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)$", re.M)
_END = re.compile(r"(?<=\.) (?=[A-Z`])")
_ENTRY = re.compile(r"^    (\*{0,2}\w[\w, ]*): (.*)$")


def reference() -> str:
    """The page: a section for each function of `triptych.__all__`, then one for each class of it and of RESULTS."""
    import triptych

    public = {name: getattr(triptych, name) for name in triptych.__all__ if not name.startswith("_")}
    functions = {name: one for name, one in public.items() if inspect.isfunction(one)}
    classes = {name: one for name, one in public.items() if inspect.isclass(one)}
    lines = [HEAD]
    for name, function in functions.items():
        lines += [f"## `{name}`", "", *signature(name, function), "", *described(function), ""]
    lines += [CLASSES]
    for name, one in sorted({**classes, **results()}.items()):
        lines += [f"### `{name}`", "", *class_lines(name, one)]
    return "\n".join(lines).rstrip() + "\n"


def results() -> dict[str, type]:
    """The classes of RESULTS by their names."""
    return {name: getattr(import_module(module), name) for module, names in RESULTS.items() for name in names}


def class_lines(name: str, one: type) -> Iterator[str]:
    """The import, the docstring, a table of the attributes, and the public methods with their first sentence."""
    exported = next((module for module, names in RESULTS.items() if name in names), "triptych")
    yield from ("```python", f"from {exported} import {name}", "```", "")
    for paragraph in paragraphs(one):
        if not paragraph.startswith(("Attributes:", "Example:")):  # attributes have a table
            yield from (" ".join(paragraph.split()), "")
    if rows := [*attributes(one)]:
        yield from ("| attribute | type | |", "|---|---|---|", *rows, "")
    if lines := [*methods(one)]:
        yield from (*lines, "")


def attributes(one: type) -> Iterator[str]:
    """A row for each public field, with its meaning in the docstring, and for each property."""
    meanings = described_attributes(one)
    annotations = {
        name: kind for base in reversed(one.__mro__) for name, kind in vars(base).get("__annotations__", {}).items()
    }
    for name, kind in annotations.items():
        if not name.startswith("_") and "ClassVar" not in str(kind):
            yield f"| `{name}` | {_code(kind)} | {meanings.get(name, '')} |"
    for name, value in vars(one).items():
        if isinstance(value, property | cached_property) and not name.startswith("_"):
            getter = value.fget if isinstance(value, property) else value.func
            yield f"| `{name}` | {_code(inspect.signature(getter).return_annotation)} | {first_sentence(getter)} |"


def described_attributes(one: type) -> dict[str, str]:
    """The entries of the docstring's section "Attributes", each in one line."""
    document = inspect.getdoc(one) or ""
    section = document.partition("Attributes:\n")[2].partition("\n\n")[0]
    return {name: " ".join(meaning.split()).replace("|", "\\|") for name, meaning in _ATTRIBUTE.findall(section)}


def methods(one: type) -> Iterator[str]:
    for name, value in vars(one).items():
        function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if inspect.isfunction(function) and not name.startswith("_"):
            yield f"- `{name}()`: {first_sentence(function)}"


def first_sentence(function: object) -> str:
    """The first sentence of a docstring, in one line."""
    text = " ".join(paragraphs(function)[0].split())
    return _END.split(text, maxsplit=1)[0]


def _code(kind: object) -> str:
    escaped = str(kind).replace("|", "\\|")
    return f"`{escaped}`"


def signature(name: str, function: Callable[..., Any]) -> Iterator[str]:
    """The call with its parameters, one per line, with annotations as in the source."""
    found = inspect.signature(function)
    given = list(map(spelled, found.parameters.values()))
    kinds = [parameter.kind for parameter in found.parameters.values()]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        given.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    yield "```python"
    yield f"triptych.{name}("
    yield from (f"    {one}," for one in given)
    yield f") -> {found.return_annotation}"
    yield "```"


def spelled(parameter: inspect.Parameter) -> str:
    """A parameter with its annotation and default; `...` for a default that is a function."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    if parameter.default is inspect.Parameter.empty:
        return f"{stars}{parameter.name}: {parameter.annotation}"
    default = "..." if callable(parameter.default) else repr(parameter.default)
    return f"{parameter.name}: {parameter.annotation} = {default}"


def paragraphs(one: object) -> list[str]:
    """The docstring's paragraphs."""
    return (inspect.getdoc(one) or "").split("\n\n")


def described(function: Callable[..., Any]) -> Iterator[str]:
    """The docstring in Markdown: its sections as lists, its example as code."""
    section = ""
    for line in (inspect.getdoc(function) or "").split("\n"):
        if found := _SECTION.match(line):
            section = found[1]
            yield from (f"**{section}**", "")
            if section.startswith("Example"):
                yield "```python"
        elif section.startswith("Example"):
            if not line.strip():
                continue
            yield line.removeprefix("    ")
        elif section in ("Args", "Raises") and (entry := _ENTRY.match(line)):
            yield f"- `{entry[1]}`: {entry[2]}"
        elif section and line and not line.startswith(" "):
            section = ""
            yield line
        else:
            yield f"  {line.strip()}" if section in ("Args", "Raises") and line.strip() else line.strip()
    if section.startswith("Example"):
        yield "```"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
