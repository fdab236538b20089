"""Prompt pools: several wordings of an instruction, of which each question gets one, the same in every Run."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

SLOT = "{QUESTION}"


def draw(pool: Sequence[str], *key: str, seed: int = 0) -> str:
    """Return one wording of the pool, all with equal probability.

    It depends only on `key` (the drawing element and its language) and `seed`, not on earlier draws.
    """
    return pool[random.Random(f"{seed}/{'/'.join(key)}").randrange(len(pool))]


def fill_question(wording: str, question: str = "") -> str:
    """Return the wording with the question in its slot; unchanged if it has no slot."""
    return wording.replace(SLOT, question)


def recognise(instruction: str, pools: Mapping[str, Sequence[str]]) -> tuple[str, int] | None:
    """Return (name of the pool, number of the wording from 1) that an instruction was made from; None if there is none.

    A slot for a question matches any text. Punctuation, spaces and case are ignored, since released files and papers
    differ in them. If several wordings match, the longest is returned.
    """
    letters, best = _letters(instruction), (0, "", 0)
    for name, pool in pools.items():
        for number, wording in enumerate(pool, 1):
            before, slot, after = (_letters(part) for part in wording.partition(SLOT))
            fits = letters.startswith(before) and letters.endswith(after) if slot else letters == before
            if fits and len(before) + len(after) > best[0]:
                best = (len(before) + len(after), name, number)
    return (best[1], best[2]) if best[0] else None


@lru_cache(maxsize=4096)  # called with all wordings for every instruction
def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
