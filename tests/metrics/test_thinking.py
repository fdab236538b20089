"""Thoughts told from what was said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.thinking import split_thinking


@pytest.mark.parametrize(
    ("text", "said", "thought"),
    [
        ("<think>hm\n</think>\n\nB", "B", "hm"),
        ("hm</think>B", "B", "hm"),
        ("<think>hm", "", "hm"),
        ("<think></think>B", "B", None),
        ("  <THINK>hm</Think> B ", "B", "hm"),
        ("<thinking>hm</thinking>B", "B", "hm"),
        ("◁think▷hm◁/think▷B", "B", "hm"),
        ("<think>a<think>b</think>c</think>B", "B", "a\nb\nc"),
        ("<think>a</think> <think>b</think>\nB", "B", "a\nb"),
        ("Sure.\n<think>a</think>\nB", "Sure.\n\nB", "a"),
        ("B\n<think>or C", "B", "or C"),
        ("B, since <think> is a tag", "B, since <think> is a tag", None),
        ("B, since <think> is a tag and </think> too", "B, since <think> is a tag and </think> too", None),
        ("", "", None),
    ],
)
def test_split(text: str, said: str, thought: str | None) -> None:
    assert split_thinking(text) == (said, thought)


@given(st.text().filter(lambda t: "think" not in t.lower() and "thought" not in t.lower()))
def test_a_text_without_thoughts_comes_back_as_it_is(text: str) -> None:
    assert split_thinking(text) == (text, None)
    assert split_thinking(text)[0] is text


@given(st.text(alphabet="ab \n"), st.text(alphabet="cd \n"))
def test_whatever_is_thought_what_is_said_after_it_is_the_same(thought: str, said: str) -> None:
    assert split_thinking(f"<think>{thought}</think>{said}")[0] == said.strip()
