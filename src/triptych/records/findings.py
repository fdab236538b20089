"""Finding: a result of `triptych audit`: something that makes a number less reliable than it looks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

FindingSeverity = Literal["severe", "warning", "note"]
FINDING_SEVERITIES: tuple[FindingSeverity, ...] = ("severe", "warning", "note")

# The subject of a Finding.
FindingOrigin = Literal["run", "data", "paper"]
# In the order of display, with their names in reports
FINDING_ORIGINS: Mapping[FindingOrigin, str] = {
    "run": "Runs and results",
    "data": "questions and media",
    "paper": "the paper's tables and text",
}
KINDS: Mapping[str, str] = {
    "average": "a mean, sum or other derived figure doesn't follow from the figures next to it",
    "copy": "cells repeat other cells more often than chance allows",
    "permutation": "columns or rows are exchanged: they have the labels of others",
    "impossible": "a share that no integer count out of n gives, or a value outside its range",
    "misprint": "a figure differs by one digit or sign from what other figures imply",
    "mismatch": "two values are given for the same quantity",
    "claim": "the text contradicts the tables",
    "ordering": "two figures are in an impossible order",
    "mark": "a figure is marked as the best, or given a rank, and the table's figures say otherwise",
    "missing": "something expected is missing",
    "malformed": "something is malformed and can't be used",
    "target": "the reference answer is not one of the options, or is several of them",
    "media": "a media file is silent, clipped, too long, empty or unreadable",
    "count": "a count differs from the stated one",
    "skew": "the reference answer can be guessed without the question",
    "balance": "a group is so much smaller than the others that it hardly affects the figure",
    "word": "a forbidden word occurs",
    "duplicate": "the same thing occurs more than once",
    "leak": "a training split contains test data, or a question states its own reference answer",
    "pairing": "two forms of a question are not the same question",
    "score": "a stored score doesn't follow from the scores of its Items",
    "lost": "replies of a system are missing",
    "cut": "replies are truncated by a limit",
    "failure": "errors, refusals or missing replies are counted as answers or left out",
    "drawn": "options were drawn at random for replies from which nothing was read",
    "coverage": "a figure is based on a small share of its questions, or on few questions",
    "constant": "one reply is given to most questions",
    "mislabelled": "the replies of two models are as similar as repeats of one model",
    "shifted": "replies belong to the questions before or after those under which they are stored",
    "mixed": "one Run contains replies of several models",
    "served": "the endpoint answered with another model than the one asked for",
    "version": "questions or reference answers are of another version than stated",
    "family": "a judge, or the model that made the data, belongs to the judged model's family",
    "reading": "the protocols read many replies differently",
    "maker": "the model, or one of its family, wrote or judged questions that it is evaluated on",
}


# Names of the two values of a finding, by kind, if the second is not a recomputation of the first.
_TERMS: Mapping[str, tuple[str, str]] = {
    "permutation": ("printed", "fits"),
    "impossible": ("printed", "possible"),
    "ordering": ("printed", "must hold"),
    "misprint": ("printed", "probably"),
    "claim": ("stated", "by the tables"),
    "count": ("stated", "counted"),
    "skew": ("best published model", "without reading the question"),
    "constant": ("score", "always this reply"),
    "coverage": ("over answered questions", "if the others count as wrong"),
    "duplicate": ("by the later replies", "by the first"),
    "mislabelled": ("agreement", "by chance"),
    "drawn": ("as scored", "if they count as wrong"),
    "failure": ("as counted", "without them"),
    "pairing": ("here", "in the other forms"),
}
RECOMPUTED = ("stated", "recomputed")


class Finding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One finding of an audit.

    Attributes:
        id: Stays the same as long as kind, table or file, and cells do.
        kind: What is wrong, as a slug: `impossible`, `copy`, `ordering`, `lost` …
        severity: `severe` (a published or stored figure is wrong, or means something else than its label says),
            `warning` (may be), or `note` (worth knowing).
        benchmark: Name of the benchmark.
        table: A published table; unset if a file is concerned.
        file: A file or folder; unset if a table is concerned.
        rows: Labels of the rows concerned.
        columns: Labels of the columns concerned.
        published: The published or stored value.
        recomputed: The value that follows from the data: a number, a range or a word; None if there is none.
        terms: What these two values are, in words: `stated` and `recomputed` only if the second was computed again.
        effect: Effect on the scores.
        message: What was found, and how to verify it.
        origin: `paper` (a published table or text), `run` (a Run, or results) or `data` (questions and media).
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
    terms: tuple[str, str] = RECOMPUTED
    effect: str = ""
    message: str = ""
    origin: FindingOrigin = "run"

    @property
    def values(self) -> str:
        """Both values in words, such as `stated 93; recomputed 61.5`; empty if they are equal or one is None."""
        if None in (self.published, self.recomputed) or str(self.published) == str(self.recomputed):
            return ""
        return f"{self.terms[0]}: {self.published}; {self.terms[1]}: {self.recomputed}"

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
    terms: tuple[str, str] | None = None,
    effect: str = "",
    about: str = "",
) -> Finding:
    """Return a Finding with its id: benchmark, table (or file name), kind, and a short hash of the cells.

    `about` distinguishes two findings for which all of these are equal (two checks of one kind on one file). `terms`:
    what the two values are, if not what they are for most findings of the kind. Raises ValueError for a kind that is
    not in KINDS.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind of finding {kind!r}; known: {', '.join(KINDS)}")
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
        terms=terms or _TERMS.get(kind, RECOMPUTED),
        effect=effect,
        message=message,
        origin="paper" if table else "run",
    )
