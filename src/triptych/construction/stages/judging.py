"""Checks by a judge: safety, options, pairs of clips, pictures. The role `judge` names the model.

A recipe may give these stages other prompts by `[prompts.NAME]`. A judge of the maker's own family is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from triptych.construction.asking.prompt import load_prompts
from triptych.construction.asking.questions import Ask, Decide
from triptych.construction.asking.stage import ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import Stage

PROMPTS = load_prompts(Path(__file__).with_suffix(".toml"))
JUDGE = "judge"


class Safe(msgspec.Struct):
    """A judge's verdict on the safety of a text."""

    safe: bool
    kind: str = ""
    reason: str = ""


class OptionVerdict(msgspec.Struct):
    """A judge's verdict on one wrong option; `number` counts from 1."""

    number: int
    wrong: bool
    relevant: bool
    deceptive: bool


class OptionVerdicts(msgspec.Struct):
    """A judge's verdict on all wrong options of a question."""

    options: list[OptionVerdict]


class PairVerdict(msgspec.Struct):
    """A judge's verdict on a question about two clips."""

    consistent: bool
    needs_both: bool
    reason: str = ""


class PictureVerdict(msgspec.Struct):
    """A judge's verdict on a picture."""

    relevant: bool
    clear: bool
    reason: str = ""


class MatchVerdict(msgspec.Struct):
    """A judge's verdict on a question and its answer about a picture."""

    answerable: bool
    right: bool
    reason: str = ""


class OptionsJudged(Parameters, frozen=True):
    """Parameters of `options-judged`."""

    deceptive: Annotated[int, Meta(ge=0, description="least number of deceptive options (0: all wrong ones)")] = 1


def _judging_stage(
    name: str,
    reply: type,
    decide: Decide,
    reads: Sequence[str],
    shows: Sequence[str] = (),
    parameters: type[Parameters] | None = None,
) -> Stage:
    """Return a stage in which the judge replies once per record and `decide` reads the reply."""
    asking = Ask(PROMPTS[name], decide, reply, (JUDGE,), tuple(shows), {"temperature": 0})
    about = (decide.__doc__ or "").split("\n")[0]
    return ask(name, asking, version=1, reads=reads, about=about, parameters=parameters)


def _safe(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A judge finds a text, question, options and answer safe to publish, or drops the record.

    The reason is `unsafe`; the note has the kind of harm. For word lists that people agreed on use `screen-text`.
    """
    judgement = replies[JUDGE]
    return kept() if judgement.safe else dropped("unsafe", f"{judgement.kind}: {judgement.reason}"[:200])


def _fair_options(replies: Mapping[str, Any], values: Values, context: Context[OptionsJudged]) -> Outcome:
    """A judge finds every wrong option wrong, relevant and deceptive, or drops the question.

    Every wrong option must be wrong and relevant; at least `deceptive` of them must be deceptive (0: all). If a reply
    omits a wrong option, the question is dropped as `options-not-judged`.
    """
    verdicts = {v.number - 1: v for v in replies[JUDGE].options}
    wrong = [index for index in range(len(values["options"])) if index not in values["answers"]]
    if missing := [number for number in wrong if number not in verdicts]:
        return dropped("options-not-judged", values["options"][missing[0]])
    for attribute, reason in (("wrong", "second-right-option"), ("relevant", "irrelevant-option")):
        if failing := [position for position in wrong if not getattr(verdicts[position], attribute)]:
            return dropped(reason, values["options"][failing[0]])
    count, need = sum(verdicts[index].deceptive for index in wrong), context.parameters.deceptive or len(wrong)
    return kept() if count >= min(need, len(wrong)) else dropped("options-not-deceptive", f"{count} of {len(wrong)}")


def _fair_pair(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A judge finds a question consistent with both clips and in need of both, or drops it."""
    judgement = replies[JUDGE]
    if not judgement.consistent:
        return dropped("pair-inconsistent", judgement.reason[:200])
    return kept() if judgement.needs_both else dropped("one-clip-suffices", judgement.reason[:200])


def _fair_picture(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A judge finds a picture relevant to its subject and clear enough, or drops it."""
    judgement = replies[JUDGE]
    if not judgement.relevant:
        return dropped("irrelevant-picture", judgement.reason[:200])
    return kept() if judgement.clear else dropped("unclear-picture", judgement.reason[:200])


def _fair_match(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A judge finds a question answerable from its picture and its answer correct, or drops it."""
    judgement = replies[JUDGE]
    if not judgement.answerable:
        return dropped("not-in-the-picture", judgement.reason[:200])
    return kept() if judgement.right else dropped("wrong-about-the-picture", judgement.reason[:200])


safe: Stage = _judging_stage("safe", Safe, _safe, ["text?", "question?", "options?", "answer?"])
options_judged: Stage = _judging_stage(
    "options-judged",
    OptionVerdicts,
    _fair_options,
    ["question", "options", "answers", "answer", "text?", "transcript?", "audio_description?"],
    parameters=OptionsJudged,
)
pair_judged: Stage = _judging_stage(
    "pair-judged",
    PairVerdict,
    _fair_pair,
    [
        "question",
        "options?",
        "answer",
        "transcript",
        "audio_description",
        "transcript_other",
        "audio_description_other",
    ],
)
picture_judged: Stage = _judging_stage(
    "picture-judged", PictureVerdict, _fair_picture, ["image", "title?", "task?"], ["image"]
)
picture_matches: Stage = _judging_stage(
    "picture-matches", MatchVerdict, _fair_match, ["image", "question", "options?", "answer"], ["image"]
)
