"""Draws of talks, of questions' wordings: stages of the recipe `mcif` over all records."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept, revised
from triptych.construction.stage import stage
from triptych.construction.stages.annotation import same_words


class Draw(Parameters, frozen=True):
    """Parameters of `draw-talks`."""

    talks: Annotated[int, Meta(ge=0, description="number of talks with all tasks; 0: all")] = 0
    summaries: Annotated[int, Meta(ge=0, description="number of further talks that are only summed up")] = 0


@stage(
    "draw-talks",
    version=1,
    kind="whole",
    reads=["summary_only", "questions"],
    writes=["summary_only"],
    parameters=Draw,
)
def draw_talks(records: Sequence[Values], context: Context[Draw]) -> list[Outcome]:
    """Draw `talks` for all tasks and `summaries` further ones for summaries, of those that passed the checks before.

    The seed and the talks' ids decide, so that a talk that is dropped later, or withdrawn, is replaced by the next.
    Talks that have questions come first. The others are dropped as `not-drawn`.
    """
    wanted = context.parameters
    if not wanted.talks:
        return [kept() for _ in records]
    order = sorted(records, key=lambda v: (not v["questions"], context.random("draw", v.id).random()))
    whole_talks = [values.id for values in order if not values["summary_only"]][: wanted.talks]
    rest = sorted((v for v in order if v.id not in whole_talks), key=lambda v: not v["summary_only"])
    alone = {values.id for values in rest[: wanted.summaries]}
    text = f"{wanted.talks} talks and {wanted.summaries} summaries of {len(records)}"
    outcomes = []
    for values in records:
        if values.id in whole_talks or (values.id in alone and values["summary_only"]):
            outcomes.append(kept())
        elif values.id in alone:
            outcomes.append(kept(summary_only=True))
        else:
            outcomes.append(dropped("not-drawn", text))
    return outcomes


@stage(
    "general-wording",
    version=1,
    kind="whole",
    reads=["element", "origin?", "language?", "source?", "target?"],
    writes=["source", "target"],
)
def general_wording(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Give a general question the same text in every talk, in each language: the one that most talks have.

    Questions are the same if their English texts have the same letters and digits. Answers stay as they are.
    """
    texts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for values in records:
        if _is_general(values):
            texts[_key(values), "en"][values["source"][0]] += 1
            texts[_key(values), values["language"]][values["target"][0]] += 1
    return [_aligned(values, texts) if _is_general(values) else kept() for values in records]


def _is_general(values: Values) -> bool:
    general = values["element"] == "question" and values["origin"] == "General"
    return bool(general and values["source"] and values["target"])


def _key(values: Values) -> str:
    return same_words(values["source"][0])


def _aligned(values: Values, texts: dict[tuple[str, str], Counter[str]]) -> Outcome:
    usual = {lang: _most_frequent(texts[_key(values), lang]) for lang in ("en", values["language"])}
    new: dict[str, Any] = {
        "source": [usual["en"], *values["source"][1:]],
        "target": [usual[values["language"]], *values["target"][1:]],
    }
    changed = {name: lines for name, lines in new.items() if lines != values[name]}
    if not changed:
        return kept()
    return revised("general-wording", changed, f"was {values['target'][0]!r}")


def _most_frequent(counts: Counter[str]) -> str:
    return min(counts, key=lambda text: (-counts[text], text))
