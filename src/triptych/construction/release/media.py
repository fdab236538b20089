"""Media of a finished benchmark: copied if they may be passed on, otherwise listed by source and time span."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.engine.context import Context
from triptych.errors import DataError

LIST = "media.jsonl"


class FileNames:
    """Names in the output, each derived from one thing: two things never share a file or a row's id.

    Names that differ only in case or composition are the same file on some systems.
    """

    def __init__(self) -> None:
        self._of: dict[str, str] = {}

    def claim_name(self, name: str, thing: str) -> str:
        """Return the name. Raises DataError if it was derived from something else before."""
        folded = unicodedata.normalize("NFC", name).casefold()
        if (first := self._of.setdefault(folded, thing)) != thing:
            raise DataError(
                f"two ids would have the same name in the output: {name}",
                got=f"{first} and {thing}",
                fix="rename one of them in the raw material",
            )
        return name


def check_ids(ids: Iterable[str]) -> None:
    """Raise the first error of `faults_of_ids`, if there is one."""
    for fault in faults_of_ids(ids):
        raise fault


def faults_of_ids(ids: Iterable[str]) -> list[DataError]:
    """Return an error for each id of the raw material that differs from an earlier one only in what file names don't
    keep apart: case, composition and separators (`li/bai`, `li-bai`)."""
    names, faults = FileNames(), []
    for id in ids:
        try:
            names.claim_name(re.sub(r"[^\w.]+", "-", id), id)
        except DataError as error:
            faults.append(error)
    return faults


class ReleasedMedia:
    """Copies media into a folder of the output, each content once, and lists the origin of every file.

    `media.jsonl` has a line for each file: its name, the source, the span in seconds, and whether it was passed on.
    With the sources, users can cut the files that were not.
    """

    def __init__(self, out: Path, context: Context, folder: str) -> None:
        self.out: Path = out
        self.context: Context = context
        self.folder: str = folder
        self.names: FileNames = FileNames()
        self.listed: dict[str, dict[str, Any]] = {}
        (out / folder).mkdir()

    def put(self, value: str, source: str, begin: float | None, end: float | None, *, pass_on: bool) -> str:
        """Return the name of a media value in the output; the file is written only if it may be passed on."""
        name = f"{self.folder}/{value.rpartition('/')[2][:16]}.{value.rpartition('.')[2]}"
        self.names.claim_name(name, value)
        if name not in self.listed:
            self.listed[name] = {"file": name, "source": source, "begin": begin, "end": end, "passed_on": pass_on}
            if pass_on:
                self.context.media.release(value, self.out / name)
        return name

    def save(self) -> None:
        """Write `media.jsonl`, ordered by name."""
        lines = [msgspec.json.encode(self.listed[name]) + b"\n" for name in sorted(self.listed)]
        (self.out / LIST).write_bytes(b"".join(lines))


def refuse_reference_only(id: str, fields: Mapping[str, Any], what: str) -> None:
    """Raise DataError if a record has material that may not be passed on and its format can't refer to it."""
    if fields.get("pass_on", True) is False:
        raise DataError(
            f"{what} would be passed on, which its licence does not allow",
            where=id,
            got=fields.get("rights"),
            fix="leave `reference_only` of [stages.rights] empty for this recipe, so that such works are dropped",
        )
