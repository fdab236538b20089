"""Annotation: what a person says of one reply: right or wrong, which kind of error, and a note."""

from __future__ import annotations

from typing import Literal

import msgspec

PersonsVerdict = Literal["right", "wrong", "unsure", ""]


class Annotation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a Run's `annotations.jsonl`, or of a file of corrections.

    item, repeat   which Response it is about
    kind           the kind of error, a short slug (`perception`, `refusal` …); empty where none is named
    verdict        is the reply `right`, `wrong`, or can this person not say (`unsure`)? Empty: not judged
    by, at         who, and when (ISO 8601, UTC)

    Of several by one person about one reply the latest counts; one without kind, verdict and note takes back what
    that person said. A field not known here is passed over: people keep such files in other tools too.
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
        """What a later line about the same thing shares: Item id, repeat, person."""
        return (self.item, self.repeat, self.by)

    @property
    def says_something(self) -> bool:
        """False for one that takes back what was said."""
        return bool(self.kind or self.verdict or self.note)
