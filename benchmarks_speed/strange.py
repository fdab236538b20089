"""What becomes of Requests that are put to servers that keep to no rule: a row for each fault.

    python -m benchmarks_speed.run --only strange

The Requests go through Triptych's run loop and its journal, against a real server on loopback that knows the right
answer to each question. Nothing here is a measurement of time.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.support.strange import FAULTS, STREAMED, Strange
from tests.support.survived import Survived, survive

HEAVY = frozenset({"endless_line", "bomb"})  # replies of up to 2 GB: fewer of them
SLOW = frozenset({"byte_by_byte", "silent"})  # each waits for the time limit of its attempt
ALSO_STREAMED = frozenset({"unasked", "closes", "error_object", "other_choices_first", "bomb"})
HEAD = (
    "what the server sends",
    "replies",
    "Requests",
    "met the fault",
    "answered correctly",
    "mislabelled",
    "reported as failed",
    "lost",
    "asked again",
)


def measure() -> list[tuple[str, str, Survived]]:
    """(what the server does, form of the replies, what came of it) for every fault."""
    forms = [(name, name in STREAMED) for name in FAULTS] + [(name, True) for name in FAULTS if name in ALSO_STREAMED]
    return [(_words(name), "stream" if stream else "whole", _one(name, stream)) for name, stream in forms]


def rows(found: list[tuple[str, str, Survived]]) -> list[list[str]]:
    """The table's cells, and their sums."""
    counts = [
        (one.requests, one.met, one.right, one.mislabelled, one.failed, one.lost, one.asked_twice)
        for _, _, one in found
    ]
    named = [(words, form) for words, form, _ in found] + [("all", "")]
    counts.append(tuple(map(sum, zip(*counts, strict=True))))
    return [[*names, *(f"{n:,}" for n in own)] for names, own in zip(named, counts, strict=True)]


def markdown(found: list[tuple[str, str, Survived]]) -> str:
    """The same as a table for a README."""
    lines = [HEAD, ["---"] * 2 + ["---:"] * (len(HEAD) - 2), *rows(found)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _one(name: str, stream: bool) -> Survived:
    number = 60 if name in HEAVY else 300
    with Strange(name, share=0.05 if name in HEAVY else 0.1) as server, tempfile.TemporaryDirectory() as place:
        limit = 1.0 if name in SLOW else 60.0
        return survive(Path(place), server, name, number, stream, width=16, timeout_s=limit)


def _words(name: str) -> str:
    return (FAULTS[name].__doc__ or name).strip().rstrip(".")
