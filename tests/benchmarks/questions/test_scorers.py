"""Tests of `benchmarks/questions`: scorers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.questions.test_catalogue import EXAMPLES, NAMES, answered, folder_of
from tests.benchmarks.questions.test_items_released_columns import files
from triptych.benchmarks import load_benchmark
from triptych.benchmarks._questions.scorers import RULES
from triptych.protocols.protocol import Unit


@pytest.mark.parametrize("name", NAMES)
def test_the_released_columns_are_mapped(name: str, tmp_path: Path) -> None:
    bench, data = load_benchmark(name), folder_of(name, tmp_path)
    (item,) = bench.items(data)
    assert item.target == EXAMPLES[name][3] and item.id.startswith(f"{name}/")
    asked = [path for _, path in files(item)] + [part.path for option in item.options for part in option if part.path]
    expected = {"av_speakerbench": ["av/1.mp4"]}.get(name, list(EXAMPLES[name][2]))
    assert asked == expected or name == "voicebench"
    assert not [problem for problem in bench.check(data) if problem.severity == "error"]
    assert bench.spec.summary == "by mapping, not proved against the authors' scorer"
    reply = item.option_texts()[item.target_positions[0]] if name in ("mmar", "mmau") else str(item.target)
    for protocol in bench.protocols.values():
        unit = Unit((item,), (answered(item, reply),))
        for score in protocol.score(unit):
            assert score.status in ("scored", "unavailable"), (protocol.name, score)


OPTIONS = ["a dog", "the big dog", "rain", "a cat"]
# Worked by hand from the authors' code; 30,000 random replies gave the same letters as that code for nine rules.
CASES = [
    ("mmmu", "(B) or (C)", "C"),
    ("mmmu", "B C", "C"),
    ("mmmu", "Answer: D.", "D"),
    ("mmmu", "it is surely a cat I think", "D"),
    ("mmmu", "a cat", None),
    ("mmmu_stripped", "A.", "A"),
    ("start_or_end", "B) yes", "B"),
    ("start_or_end", "The answer is C.", "C"),
    ("start_or_end", "maybe", None),
    ("first_capital", "Best answer: C", "C"),
    ("first_capital_joined", "Best answer: C", "B"),
    ("beginning", " b) x", "B"),
    ("beginning", "The B", None),
    ("answer_tag", "A <answer> C: x </answer>", "C"),
    ("answer_tag", "D or B ", "B"),
    ("declared", "b.", "B"),
    ("declared", "The answer is c", "C"),
    ("declared", "I see a dog", "A"),
    ("first_token", "Based on it: b", "B"),
    ("last_declared", "A. No, the answer is (B)", "B"),
    ("words", "It was the big dog", "B"),
    ("words", "dog", None),
]


@pytest.mark.parametrize(("rule", "reply", "letter"), CASES)
def test_rules_by_hand(rule: str, reply: str, letter: str | None) -> None:
    assert RULES[rule](reply, list("ABCD"), OPTIONS) == letter
