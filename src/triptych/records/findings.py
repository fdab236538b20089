"""Finding: something that makes a number less true than it looks; what `triptych audit` prints."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

FindingSeverity = Literal["severe", "warning", "note"]
FINDING_SEVERITIES: tuple[FindingSeverity, ...] = ("severe", "warning", "note")

# Every kind that a Finding may be of, and what it says.
FindingOrigin = Literal["run", "data", "paper"]
# In the order in which people see them, with what they are called
FINDING_ORIGINS: Mapping[FindingOrigin, str] = {
    "run": "Runs and results", "data": "questions and media", "paper": "the paper's tables and text",
}  # fmt: skip
KINDS: Mapping[str, str] = {
    "average": "a mean, sum or other derived figure doesn't follow from the figures beside it",
    "copy": "cells repeat other cells, where chance doesn't",
    "permutation": "columns or rows stand under other columns' or rows' labels",
    "impossible": "a share that no whole number out of n gives, or a value outside its range",
    "misprint": "one digit or sign away from what the other figures give",
    "mismatch": "one quantity, two values",
    "claim": "the text says something else than the tables",
    "ordering": "two figures that can't stand in this order do",
    "missing": "something that should be there isn't",
    "malformed": "something is there and can't be used as it is",
    "target": "the key is none of the options, or more than one of them",
    "media": "a media file is silent, clipped, too long, empty or unreadable",
    "count": "another number of things than told",
    "skew": "the key can be guessed without the question",
    "balance": "a group is so much smaller than the others that its figure hardly counts",
    "word": "a word stands there that must not",
    "duplicate": "the same thing stands there more than once",
    "leak": "a part for training holds what another tests",
    "pairing": "what should be the same question in another form isn't",
    "score": "a stored score doesn't follow from its items",
    "lost": "replies that are not there, summed over a system",
    "cut": "replies end where a limit ends them, not where the answer does",
    "failure": "errors, refusals or missing replies are counted as answers, or left out",
    "coverage": "a figure rests on few of its questions, or on few questions at all",
    "constant": "the same reply, whatever was asked",
    "mislabelled": "two models reply alike as only repeats of one model do",
    "mixed": "one Run holds replies of several models",
    "version": "questions or keys of another version than told",
    "family": "a judge, or the maker of the data, is of the judged model's family",
}


class Finding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One finding of an audit.

    `severity`: `severe` (a published or stored figure is wrong, or means something else than its label says),
    `warning` (may be), `note` (worth knowing). `table` names a published table, `file` a file or folder: one of them is
    there. `rows`, `columns`: the cells concerned, by their labels. `published`: what stands there; `recomputed`: what
    follows (a number, a range or a word; None where there is no such thing). `effect`: what it does to the
    scores. `origin`: what it is about: `paper` (a published table or text), `run` (a Run, or results), `data` (the
    questions and media). `message`: what was found and how to see it. `id` stays the same as long as kind, place and
    cells do.
    """

    id: str
    kind: str
    severity: FindingSeverity
    benchmark: str
    table: str | UnsetType = UNSET
    file: str | UnsetType = UNSET
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    published: float | str | None = None
    recomputed: float | str | None = None
    effect: str = ""
    message: str = ""
    origin: FindingOrigin = "run"

    @property
    def place(self) -> str:
        """The table or the file."""
        return str(self.table or self.file or "")


def finding(
    kind: str,
    severity: FindingSeverity,
    benchmark: str,
    message: str,
    *,
    table: str = "",
    file: str = "",
    rows: Iterable[str] = (),
    columns: Iterable[str] = (),
    published: float | str | None = None,
    recomputed: float | str | None = None,
    effect: str = "",
    about: str = "",
) -> Finding:
    """A Finding with its id: benchmark, table (or file's name), kind, and a short hash of the cells.

    `about` tells two findings apart that share all of these (two checks of one kind on one file). Raises
    ValueError for a kind that KINDS doesn't have.
    """
    if kind not in KINDS:
        raise ValueError(f"no kind of finding {kind!r}")
    rows, columns = tuple(rows), tuple(columns)
    name = table or file.rstrip("/").rpartition("/")[2]
    digest = hashlib.sha256(msgspec.json.encode([rows, columns, about])).hexdigest()[:6]
    return Finding(
        id=f"{benchmark}/{name}/{kind}/{digest}" if name else f"{benchmark}/{kind}/{digest}",
        kind=kind,
        severity=severity,
        benchmark=benchmark,
        table=table or UNSET,
        file=file if not table else UNSET,
        rows=rows,
        columns=columns,
        published=published,
        recomputed=recomputed,
        effect=effect,
        message=message,
        origin="paper" if table else "run",
    )
