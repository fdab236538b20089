"""Replies of a model that runs into a loop, through all scoring of every benchmark, to the end.

What is asserted is work, not time: the lines of Python that are run may grow with the length of a reply, and not with
its square. Patterns, whose work happens in C, are held to that by `tests/metrics/test_long_replies.py`.
"""

from __future__ import annotations

from functools import cache, partial

import pytest

from tests.support.steps import steps
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.protocols.protocol import Protocol
from triptych.records import Item, Response, Score
from triptych.scoring.apply import score_units
from triptych.scoring.stored.units import group_units

SHORT, FACTOR, LONG = 1_500, 4, 30_000  # what is read in replies of at most 1,000 characters is remembered
LOOPS = {
    "a phrase": "the answer is that ",
    "one character": "好",
    "lines": "a b\n",
    "thoughts": "<think>\n</think>\n",
    "thoughts that never end": "<think>",
    "options": "A. B) (C) D, ",
    "verdicts": "The answer is B, not A. ",
    "open JSON": '{"answer": [',
    "numbers": "nine hundred 1,234.5 ",
    "blanks": " ",
    "combining characters": "\u0301",
    "right to left": "\u202eשלום ",
    "NUL": "\0",
}


@cache
def units_of(name: str) -> list[list[Item]]:
    """The Items of one Unit for each kind of Task."""
    bench = load_benchmark(name)
    found: dict[object, list[Item]] = {}
    for item in bench.items(bench.mini):
        kind = item.facets.get("kind") or (item.task.split("/")[-1] if name != "xmodbench" else "")
        members = found.setdefault(kind, [])
        if not members or members[0].unit_id == item.unit_id:
            members.append(item)
    return list(found.values())


def scored(items: list[Item], protocol: Protocol, loop: str, length: int) -> list[Score]:
    text = "x" + loop * (length // len(loop))
    replies = [Response(item.id, "", 0, "answered", text) for item in items]
    return score_units(group_units(items, replies), protocol)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", sorted(known_benchmarks()))
def test_a_loop_of_any_kind_is_scored_to_its_end(name: str, loop: str) -> None:
    for items in units_of(name):
        for protocol in load_benchmark(name).protocols.values():
            assert scored(items, protocol, LOOPS[loop], LONG)


@pytest.mark.parametrize("name", sorted(known_benchmarks()))
def test_work_grows_with_the_length_of_a_reply(name: str) -> None:
    for items in units_of(name):
        for protocol in load_benchmark(name).protocols.values():
            for loop in LOOPS.values():
                scored(items, protocol, loop, SHORT // 2)  # what is loaded at the first use is not the reply's work
                short = steps(partial(scored, items, protocol, loop, SHORT))
                long = steps(partial(scored, items, protocol, loop, SHORT * FACTOR))
                assert long < 1.5 * FACTOR * short, (items[0].task, protocol.name, loop)
