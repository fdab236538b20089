"""The 120 prompts of the released generator: the task, language and number of an instruction."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from triptych.benchmarks.mcif.names import KINDS
from triptych.prompts.pool import recognise

PROMPTS = Path(__file__).with_name("prompts.toml")


@cache
def pools() -> dict[str, tuple[str, ...]]:
    """Return `KIND/LANGUAGE` -> its ten wordings, the fixed one first."""
    table = tomllib.loads(PROMPTS.read_text(encoding="utf-8"))
    return {f"{kind}/{language}": tuple(pool) for kind in KINDS for language, pool in table[kind].items()}


@cache
def wording_of(instruction: str) -> tuple[str, str, int] | None:
    """Return (task, language, number from 1) of an instruction's wording; None for another one."""
    wording = recognise(instruction, pools())
    if wording is None:
        return None
    kind, _, language = wording[0].partition("/")
    return kind, language, wording[1]
