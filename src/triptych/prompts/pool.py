"""Pools of prompts: several wordings of one instruction, of which each question draws one, the same one every time."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

SLOT = "{QUESTION}"


def draw(pool: Sequence[str], *key: str, seed: int = 0) -> str:
    """One wording of the pool, each as likely as any other. It follows from `key` (what draws: an element, its
    language) and `seed` alone, not from what was drawn before."""
    return pool[random.Random(f"{seed}/{'/'.join(key)}").randrange(len(pool))]


def fill_question(wording: str, question: str = "") -> str:
    """The wording with the question in its place; as it is where it has no place for one."""
    return wording.replace(SLOT, question)


def recognise(instruction: str, pools: Mapping[str, Sequence[str]]) -> tuple[str, int] | None:
    """Which pool's wording an instruction is made from: (the pool's name, the wording's number from 1), else None.

    A wording with a place for a question fits whatever stands there. Marks, blanks and case don't count: released
    files and papers differ in them. Of several that fit, the longest.
    """
    said, best = _letters(instruction), (0, "", 0)
    for name, pool in pools.items():
        for number, wording in enumerate(pool, 1):
            before, slot, after = (_letters(part) for part in wording.partition(SLOT))
            fits = said.startswith(before) and said.endswith(after) if slot else said == before
            if fits and len(before) + len(after) > best[0]:
                best = (len(before) + len(after), name, number)
    return (best[1], best[2]) if best[0] else None


@lru_cache(maxsize=4096)  # the wordings of the pools are asked for with every instruction
def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
