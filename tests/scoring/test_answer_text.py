"""Every protocol of every benchmark is given what was said, never what was thought; the journal keeps both."""

from __future__ import annotations

from collections import defaultdict

import pytest

from triptych.api import load_benchmark
from triptych.benchmarks import known_benchmarks
from triptych.records import Item, Response, text
from triptych.scoring.answer_text import answer_only
from triptych.scoring.apply import score_units
from triptych.scoring.stored.units import group_units


def reply(words: str, condition: str = "", item: str = "i") -> Response:
    return Response(item, condition, 0, "answered", words)


def test_a_reply_without_thoughts_is_the_same_object() -> None:
    response = reply(" B \n")
    assert answer_only(response) is response


def test_thoughts_and_reasons_leave_the_text_and_are_kept() -> None:
    told = answer_only(reply('<think>hm</think>{"reasoning": "a bark", "answer": "B"}', "noise+reasons"))
    assert (told.text, told.thinking) == ("B", "hm\na bark")
    assert answer_only(reply('{"answer": "B"}')).text == '{"answer": "B"}'
    assert answer_only(reply("I say B", "reasons")).text == "I say B"


def test_units_hold_what_was_said() -> None:
    (unit,) = group_units([Item("i", "t", (text("?"),))], [reply("<think>A or B</think>C")])
    assert unit.response is not None and unit.response.text == "C"


@pytest.mark.parametrize("name", sorted(known_benchmarks()))
def test_no_protocol_scores_thoughts(name: str) -> None:
    """The key with a wrong answer thought aloud before it scores like the key alone."""
    bench = load_benchmark(name)
    by_task: dict[str, list[Item]] = defaultdict(list)
    for item in bench.items(bench.mini):
        if item.unit_size == 1:
            by_task[item.task].append(item)
    items = [item for some in by_task.values() for item in some[:1]]
    words = {i.id: "；".join(i.target) if isinstance(i.target, tuple) else str(i.target) for i in items}
    plain = [reply(words[i.id], item=i.id) for i in items]
    aloud = [reply(f"<think>A, or B? 也许是C。\n</think>\n{words[i.id]}", item=i.id) for i in items]
    for protocol in bench.protocols.values():
        one, other = (score_units(list(group_units(items, given)), protocol) for given in (plain, aloud))
        assert [(s.status, s.numerator, s.denominator) for s in one] == [
            (s.status, s.numerator, s.denominator) for s in other
        ]
