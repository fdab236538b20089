"""Whether an object in the files of a Run has a key twice: a person who reads it sees one value, a program another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from triptych.audit.results.systems import System
from triptych.records import Finding, finding
from triptych.records.repeated_keys import RepeatedKey, refuse_repeated_keys
from triptych.store.files.run_files import open_to_read

_FILES = ("manifest.json", "items.jsonl", "responses.jsonl", "verdicts/*.jsonl", "resolved.jsonl")
_MAX_LINES = 3  # lines that are named


def check_twice(system: System) -> Iterator[Finding]:
    """Yield a finding for each file of a Run folder with a key twice in one object. Triptych never writes such a line,
    and decoders keep the last value without a word."""
    if system.manifest is None or not system.path.is_dir():
        return
    for path in sorted(path for pattern in _FILES for path in system.path.glob(pattern)):
        problems = list(_lines(path))
        if problems:
            text = "; ".join(f"line {number}: {problem}" for number, problem in problems[:_MAX_LINES])
            more = f"; and {len(problems) - _MAX_LINES:,} more" if len(problems) > _MAX_LINES else ""
            yield finding(
                "duplicate",
                "severe",
                system.benchmark.name,
                f"{system.name}: an object of {path.name} has a key twice, which Triptych never writes: {text}{more}",
                file=str(path),
                rows=[system.name],
                columns=[path.name],
                effect="the last value counts in the scores, but a person who reads the file may see the first",
            )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (number, problem) of the lines with a key twice; a file that can't be read, or isn't JSON, is reported by
    the check that reads its contents."""
    try:
        file = open_to_read(path)
    except OSError:  # a link to nothing, a pipe
        return
    with file:
        is_json = path.suffix == ".json"
        for number, line in enumerate([file.read()] if is_json else file, 1):
            try:
                refuse_repeated_keys(line)
            except RepeatedKey as error:
                yield number, str(error)
            except msgspec.DecodeError:
                continue
