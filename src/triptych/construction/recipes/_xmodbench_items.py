"""Records of the recipe `xmodbench` as the Items that are released, and as what a Run without the context sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from triptych.benchmarks import load_benchmark
from triptych.benchmarks.xmodbench.names import LETTERS
from triptych.conditions.no_context import NoContext
from triptych.prompts.build import build_request
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Message, Part, media, text
from triptych.records.parts import Role

ANSWER_REQUEST = " Answer with A, B, C, or D"


def item_of(id: str, fields: Mapping[str, Any], vision: str, name: Callable[[str], str]) -> Item:
    """Return a record in one direction as an Item.

    fields: `question`, `direction`, `context`, `options`, `answers`, `instance`, optionally `category`. vision: `image`
    or `video`. name: a medium of the store to its path in the Item.
    """
    source, to = fields["direction"].split("_")
    category = str(fields.get("category") or "")
    content = _part(source, fields["context"], vision, name, "content")
    return Item(
        id=id,
        task=id.rpartition("/")[0],
        parts=(text(fields["question"] + ANSWER_REQUEST, "question"), content),
        options=tuple((_part(to, value, vision, name),) for value in fields["options"]),
        labels=LETTERS,
        answer="letter",
        target=LETTERS[fields["answers"][0]],
        instance=fields["instance"],
        facets={"category": category} if category else {},
    )


def _part(modality: str, value: str, vision: str, name: Callable[[str], str], role: Role = "") -> Part:
    if modality == "text":
        return text(value, role)
    return media("audio" if modality == "audio" else "video" if vision == "video" else "image", name(value), role)


def without_context(values: Mapping[str, Any]) -> tuple[Message, ...]:
    """Return what a Run with `--condition no_context` sends: the question and the candidates as the direction has them.

    Media are named as in the store. values: as in `item_of`, with `task` and `vision_kind`.
    """
    item = item_of(f"{values['task']}/0", dict(values), values["vision_kind"], str)
    return build_request(NoContext().apply(item), released_prompt()[1], settings={}).messages


@cache
def released_prompt() -> tuple[str, PromptSpec]:
    """Return the name and the template of the benchmark's prompt."""
    spec = load_benchmark("xmodbench").spec
    return spec.prompt, spec.prompts[spec.prompt]
