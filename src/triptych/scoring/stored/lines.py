"""Read Scores. Values shared by several Scores are one object: 13 Runs can have 66,000 Scores each."""

from __future__ import annotations

from functools import lru_cache
from sys import intern
from typing import Any

import msgspec

from triptych.records import Score

_NO_FACETS = msgspec.Raw(b"{}")

_Line: Any = msgspec.defstruct(  # a Score whose facets are still JSON, since Scores share a few different ones
    "_Line",
    [
        (f.name, msgspec.Raw, _NO_FACETS)
        if f.name == "facets"
        else (f.name, f.type)
        if f.required
        else (f.name, f.type, f.default)
        for f in msgspec.structs.fields(Score)
    ],
    forbid_unknown_fields=True,
    gc=False,
)

_DECODER = msgspec.json.Decoder(_Line)
_FEW = {0.0: 0.0, 1.0: 1.0}  # wrong and correct: one object each


def decode_scores(source: bytes) -> list[Score]:
    """Return the Scores of a file's lines. Raises the errors of decoding JSON."""
    number = _FEW.get
    return [
        Score(
            intern(s.unit),
            intern(s.task),
            intern(s.metric),
            s.status,
            number(s.numerator, s.numerator),
            number(s.denominator, s.denominator),
            intern(s.extraction) if type(s.extraction) is str else s.extraction,
            intern(s.instance),
            s.repeat,
            _facets(bytes(s.facets)),
            s.note,
        )
        for s in _DECODER.decode_lines(source)
    ]


@lru_cache(maxsize=4096)
def _facets(text: bytes) -> dict[str, str]:
    """Return facets from their JSON; the facets of a Score are never modified."""
    return msgspec.json.decode(text, type=dict[str, str])
