"""The 45 standard instructions, from `instructions.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_SLOT = re.compile(r"\{(\w+)\}")


@cache
def instructions() -> Mapping[str, str]:
    """Return Task -> its instruction, with `{…}` for a question's own part."""
    tables = tomllib.loads(Path(__file__).with_name("instructions.toml").read_text(encoding="utf-8"))
    return {task: table["text"] for task, table in tables.items()}


def instruct(task: str, slots: Mapping[str, str]) -> str:
    """Return the instruction of a Task with its slots filled. Raises KeyError for a missing slot."""
    return _SLOT.sub(lambda slot: slots[slot[1]], instructions()[task])


def is_standard(task: str, question: str) -> bool:
    """Return whether a question has its Task's standard words, ignoring whitespace and the width of punctuation."""
    return _pattern(task).fullmatch(_squeeze(question)) is not None


@cache
def _pattern(task: str) -> re.Pattern[str]:
    pieces = _SLOT.split(instructions()[task])  # text, slot, text, slot, … text
    return re.compile("".join(".+" if n % 2 else re.escape(_squeeze(piece)) for n, piece in enumerate(pieces)), re.S)


def _squeeze(text: str) -> str:
    return "".join(text.split()).translate(str.maketrans(",:?!;", "，：？！；")).rstrip("。？")
