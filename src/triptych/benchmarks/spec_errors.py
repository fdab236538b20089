"""Find all errors of a `spec.toml` at once: each error is recorded and corrected in the table, which is read again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks.spec import BenchmarkSpec, Citation, Contrast, TaskSpec, Variation
from triptych.errors import SpecError, nearest
from triptych.prompts.template import PromptSpec
from triptych.records import Column, Layout
from triptych.records.toml_text import parse_toml
from triptych.releases.release import Release

MAX_ERRORS = 40  # errors listed
# Replacements for missing values, so that the rest can be read
_FILLERS: dict[str, Any] = {
    "citation": {"title": "?", "authors": "?", "year": 0},
    "languages": ["?"],
    "tasks": [],
    "prompts": {},
    "protocols": ["?"],
    "metrics": [],
    "answer": "text",
    "year": 0,
    "content": ["?"],
    "columns": [],
    "pairs": [],
}
_RECORDS = (
    (".tasks[", TaskSpec),
    (".citation", Citation),
    (".prompts[", PromptSpec),
    (".columns[", Column),
    (".layouts[", Layout),
    (".contrasts[", Contrast),
    (".variations[", Variation),
    (".release", Release),
)


def errors_of(path: Path, source: str) -> tuple[list[SpecError], tuple[TaskSpec, ...]]:
    """Return the errors in the order in which they are found, and the Tasks as far as they can be read.

    The source is parsed again, not copied: dotted keys may nest tables deeper than Python can copy.
    """
    table, errors = parse_toml(source), list[SpecError]()
    filled: set[str] = set()
    for _ in range(MAX_ERRORS):
        try:
            return errors, msgspec.convert(table, BenchmarkSpec).tasks
        except msgspec.ValidationError as error:
            message = str(error)
            if _missing(message) is None or message not in filled:
                errors.append(_explain(message, path, source))
            if not _mend(table, message, filled):
                break
    return errors, ()


def combined_error(spec_errors: Sequence[SpecError], path: Path) -> SpecError:
    """Return one error for all: a single one unchanged, several as a list."""
    if len(spec_errors) == 1:
        return spec_errors[0]
    texts = [f"{error.where}: {error.problem}{f' ({error.fix})' if error.fix else ''}" for error in spec_errors]
    return SpecError(
        f"spec.toml has {len(spec_errors)} errors", where=path, got="".join(f"\n    {line}" for line in texts)
    )


def _explain(message: str, path: Path, source: str) -> SpecError:
    """Return msgspec's message with the line in the file and, for an unknown key, the most similar known one."""
    if key := _unknown(message):
        fix = nearest(key, _fields_at(message))
        return SpecError(f"unknown key {key!r}", where=line_of(path, source, key), got=message, fix=fix)
    if key := _missing(message):
        return SpecError(f"{key!r} is missing", where=path, got=message, fix=f"add {key!r}")
    named = re.search(r"\$\.(?:.*\.)?(\w+)", message)
    where = line_of(path, source, named.group(1)) if named else str(path)
    what = f"{named.group(1)!r} has the wrong type" if named else "a value has the wrong type"
    return SpecError(f"{what}: {message}", where=where)


def _unknown(message: str) -> str | None:
    field_match = re.search(r"unknown field `([^`]+)`", message)
    return field_match.group(1) if field_match else None


def _missing(message: str) -> str | None:
    field_match = re.search(r"missing required field `([^`]+)`", message)
    return field_match.group(1) if field_match else None


def _fields_at(message: str) -> tuple[str, ...]:
    for marker, record in _RECORDS:
        if marker in message:
            return record.__struct_fields__
    return BenchmarkSpec.__struct_fields__


def _mend(table: dict[str, Any], message: str, filled: set[str]) -> bool:
    """Change the table so that this error is gone; return False if that is not possible."""
    steps = list(_steps(table, message))
    if steps and steps[-1] is None:
        return False
    holder: Any = table
    unknown, missing = _unknown(message), _missing(message)
    for step in steps if unknown or missing else steps[:-1]:
        holder = holder[step]
    if unknown:
        near = get_close_matches(unknown, _fields_at(message), n=1, cutoff=0.6)
        value = holder.pop(unknown)
        if near and near[0] not in holder and near[0] != unknown:
            holder[near[0]] = value
    elif missing:
        holder[missing] = deepcopy(_FILLERS.get(missing, "?"))
    elif steps:
        del holder[steps[-1]]
        where = re.search(r" - at `(.*)\.\w+`", message)
        at = f" - at `{where.group(1)}`" if where and where.group(1) != "$" else ""
        filled.add(f"Object missing required field `{steps[-1]}`{at}")
    return bool(unknown or missing or steps)


def _steps(table: dict[str, Any], message: str) -> Iterator[Any]:
    """Return the path in msgspec's message as keys and indices; it ends with None if it can't be followed."""
    path_match = re.search(r" - at `\$([^`]*)`", message)
    node: Any = table
    for key, index in re.findall(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]", path_match.group(1) if path_match else ""):
        step: Any = key or (int(index) if index != "..." else _wrong_entry(node))
        yield step
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            yield None
            return


def _wrong_entry(node: Any) -> Any:
    """Return the entry that msgspec doesn't name: the first prompt that can't be read, or else the first non-text."""
    for key, value in node.items() if isinstance(node, dict) else ():
        try:
            msgspec.convert(value, PromptSpec if isinstance(value, dict) else str)
        except msgspec.ValidationError:
            return key
    return None


def line_of(path: Path, source: str, key: str, nth: int = 1) -> str:
    """Return `file:line` of the nth line that starts with `key =` or quotes `key`."""
    pattern = re.compile(rf'^\s*["\']?{re.escape(key)}["\']?\s*=|["\']{re.escape(key)}["\']|\b{re.escape(key)}\s*=')
    hits = [number for number, line in enumerate(source.splitlines(), 1) if pattern.search(line)]
    return f"{path}:{hits[min(nth, len(hits)) - 1]}" if hits else str(path)
