"""`reasons`: the answer with its reasons, as JSON; scored is the answer alone, the reasons stay in the log.

For looking into what goes wrong: a perception that failed reads differently from a conclusion that did.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from triptych.conditions.condition import Condition, Offer
from triptych.prompts.template import PromptSpec
from triptych.records import Item

NAME = "reasons"
SUMMARY = "the answer with its reasons, as JSON; the answer is scored, the reasons are kept"
# Braces are doubled: the words go into a template.
WORDS = {
    "en": 'Reply with nothing but a JSON object: {{"reasoning": "what you perceive, and how the answer follows from '
    'it", "answer": "the answer, in the form that was asked for above"}}',
    "zh": '请只输出一个JSON对象：{{"reasoning": "你感知到了什么，答案如何由此得出", '
    '"answer": "按上面要求的形式给出的答案"}}',
}
_ANSWER = re.compile(r'"answer"\s*:\s*("(?:[^"\\]|\\.)*"|\[[^\[\]]*+\]|-?\d+(?:\.\d+)?)', re.S)


@dataclass(frozen=True, slots=True)
class Reasons:
    """The prompt ends with the request for JSON, in Chinese where the template is; Items stay as they are."""

    name: str = NAME
    summary: str = SUMMARY

    def apply(self, item: Item) -> Item:
        """The Item itself."""
        return item

    def change_prompt(self, prompt: PromptSpec) -> PromptSpec:
        """The template with one more text piece at its end."""
        words = WORDS.get(prompt.language, WORDS["en"])
        if prompt.content[-1:] == (words,):
            return prompt
        return msgspec.structs.replace(prompt, content=(*prompt.content, words))


def read_answer(reply: str) -> tuple[str, str | None] | None:
    """(the answer, the reasoning) of a reply that holds the JSON asked for, whatever stands around it.

    A list of answers is joined by `；`. Where the JSON is damaged (quotes inside, a cut end) the value of `answer` is
    read alone. None where there is no answer in it.
    """
    for start in [m.start() for m in re.finditer(r"\{", reply)][:20]:
        try:
            found, _ = json.JSONDecoder().raw_decode(reply, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and (answer := _as_text(found.get("answer"))) is not None:
            reasoning = found.get("reasoning")
            return answer, None if reasoning is None else str(reasoning)
    found_alone = _ANSWER.findall(reply)
    if not found_alone:
        return None
    try:
        answer = _as_text(json.loads(found_alone[-1], strict=False))
    except (ValueError, RecursionError):
        return None
    return None if answer is None else (answer, None)


def _as_text(answer: object) -> str | None:
    if isinstance(answer, list):
        return "；".join(str(one) for one in answer)
    if isinstance(answer, str | int | float) and not isinstance(answer, bool):
        return str(answer)
    return None


def _make(_arguments: Mapping[str, str], _seed: int) -> Condition:
    return Reasons()


CONDITIONS = {NAME: Offer(SUMMARY, _make, ())}
