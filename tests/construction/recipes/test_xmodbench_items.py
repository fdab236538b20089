"""Tests of `construction/recipes/_xmodbench_items.py`: records as the Items that are released."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.construction.recipes._xmodbench_items import item_of, released_prompt, without_context

FIELDS: dict[str, Any] = {
    "question": "Which sound fits the picture?",
    "direction": "vision_audio",
    "context": "media/ab/x.png",
    "options": ["a.wav", "b.wav", "c.wav", "d.wav"],
    "answers": [2],
    "instance": "i7",
}


def named(value: str) -> str:
    return f"out/{value}"


@pytest.mark.parametrize(
    ("direction", "vision", "content", "option"),
    [
        ("vision_audio", "image", "image", "audio"),
        ("vision_audio", "video", "video", "audio"),
        ("audio_vision", "image", "audio", "image"),
        ("audio_vision", "video", "audio", "video"),
        ("text_audio", "image", "text", "audio"),
        ("vision_text", "video", "video", "text"),
    ],
)
def test_each_direction_has_its_media(direction: str, vision: str, content: str, option: str) -> None:
    item = item_of("perception/general/3", {**FIELDS, "direction": direction}, vision, named)
    question, context = item.parts
    assert question.text == "Which sound fits the picture? Answer with A, B, C, or D"
    assert (context.kind, context.role) == (content, "content")
    assert {part.kind for (part,) in item.options} == {option}
    shown = context.text if content == "text" else context.path
    assert shown == (FIELDS["context"] if content == "text" else "out/media/ab/x.png")
    assert (item.task, item.target, item.instance, tuple(item.labels)) == (
        "perception/general",
        "C",
        "i7",
        tuple("ABCD"),
    )
    assert item.facets == {}


def test_a_category_is_a_facet() -> None:
    assert item_of("t/0", {**FIELDS, "category": "dog"}, "image", named).facets == {"category": "dog"}
    assert item_of("t/0", {**FIELDS, "category": None}, "image", named).facets == {}


def test_without_the_context_the_question_and_the_candidates_remain() -> None:
    values = {**FIELDS, "task": "perception/general", "vision_kind": "image"}
    messages = without_context(values)
    parts = [part for message in messages for part in message.parts]
    paths = [part.path for part in parts if part.kind == "audio"]
    assert paths == FIELDS["options"] and not [part for part in parts if part.kind == "image"]
    words = " ".join(part.text or "" for part in parts)
    assert "Which sound fits the picture?" in words and FIELDS["context"] not in words


def test_the_prompt_is_the_benchmarks_own() -> None:
    name, spec = released_prompt()
    assert name and spec is released_prompt()[1]
