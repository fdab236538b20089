"""Thoughts told from what was said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.replies.thinking import split_thinking


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


def _plainly(text: str) -> tuple[str, str | None]:
    """The rule of the docstring, without a thought for its cost."""
    said: list[str] = []
    thought: list[str] = []
    depth, last, mentioned = 0, 0, False
    for mark in re.finditer(r"[<◁](/?)(?:think|thinking|thought)[>▷]", text, re.I):
        words = text[last : mark.start()]
        if not mark[1]:
            if not depth and words.rpartition("\n")[2].strip():
                mentioned = True
                continue
            (thought if depth else said).append(words)
            depth += 1
        elif depth:
            thought.append(words)
            depth -= 1
        elif not mentioned:
            thought, said = [*said, *thought, words], []
        else:
            continue
        last = mark.end()
    if not last:
        return text, None
    (thought if depth else said).append(text[last:])
    return "".join(said).strip(), "\n".join(filter(None, map(str.strip, thought))) or None


@given(st.lists(st.sampled_from(["<think>", "</think>", "a", "b c", " ", "\n", "<", "◁/thought▷"]), max_size=14))
def test_any_order_of_tags_is_read_by_the_rule(pieces: list[str]) -> None:
    assert split_thinking("".join(pieces)) == _plainly("".join(pieces))


# Reading all of the text before each tag again would take minutes.
@pytest.mark.parametrize(
    "piece", ["</think>", "a</think>", "x <think>", "x </think> <think>", "\n<think>a</think></think>", "<think>"]
)
def test_a_reply_of_millions_of_tags_is_read_once(piece: str) -> None:
    times = 250_000
    said, thought = split_thinking("B " + times * piece + "\nC")
    assert len(said) + len(thought or "") <= times * (len(piece) + 1) + 4
