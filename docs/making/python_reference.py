"""The reference of the Python functions, from their docstrings. As a script, it writes `docs/python-reference.md`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "python-reference.md"
HEAD = """\
<!-- Made from the code by docs/making/python_reference.py (`make docs`): change the docstrings, not this page. -->

# Python reference

Every public function of the package, with its parameters. [Python](python.md) shows how they are used together.
"""
_SECTION = re.compile(r"^(Args|Returns|Raises|Example|Examples):$")
_ENTRY = re.compile(r"^    (\*{0,2}\w[\w, ]*): (.*)$")


def reference() -> str:
    """The page: a section for each function of `triptych.__all__`, then one for each class."""
    import triptych

    public = {name: getattr(triptych, name) for name in triptych.__all__ if not name.startswith("_")}
    functions = {name: one for name, one in public.items() if inspect.isfunction(one)}
    classes = {name: one for name, one in public.items() if inspect.isclass(one)}
    lines = [HEAD]
    for name, function in functions.items():
        lines += [f"## `{name}`", "", *signature(name, function), "", *described(function), ""]
    lines += ["## Classes", "", "| class | meaning |", "|---|---|"]
    for name, one in classes.items():
        lines.append(f"| `{one.__module__}.{name}` | {' '.join(paragraphs(one)[0].split())} |")
    return "\n".join(lines).rstrip() + "\n"


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
