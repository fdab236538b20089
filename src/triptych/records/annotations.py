"""Annotation: a person's judgement of one reply: correct or not, the kind of error, and a note."""

from __future__ import annotations

from typing import Literal

import msgspec

PersonsVerdict = Literal["right", "wrong", "unsure", ""]


class Annotation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of `annotations.jsonl` in a Run folder, or of a file of corrections.

    item, repeat   identify the Response
    kind           the kind of error, a short slug (`perception`, `refusal` …); empty if none is named
    verdict        `right`, `wrong` or `unsure` (the person can't decide); empty if not judged
    by, at         the person, and the time (ISO 8601, UTC)

    If a person annotates a reply several times, the last line counts. A line without kind, verdict and note withdraws
    that person's annotation. Unknown fields are ignored, since people keep such files in other tools, too.
    """

    item: str
    repeat: int = 0
    kind: str = ""
    verdict: PersonsVerdict = ""
    note: str = ""
    by: str = ""
    at: str = ""

    @property
    def entry(self) -> tuple[str, int, str]:
        """The identity of an annotation: Item id, repeat, person. A later line with the same identity replaces it."""
        return (self.item, self.repeat, self.by)

    @property
    def says_something(self) -> bool:
        """False for a line that withdraws an annotation."""
        return bool(self.kind or self.verdict or self.note)


class RunNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of `run_notes.jsonl` in a Run folder: what people say of the whole Run. The last line counts.

    hidden         lists leave the Run out until hidden Runs are asked for
    tags           short names, each once
    by, at         the person, and the time (ISO 8601, UTC)
    """

    hidden: bool = False
    tags: tuple[str, ...] = ()
    note: str = ""
    by: str = ""
    at: str = ""
