"""`reasons`: the answer with its reasons, as JSON. Only the answer is scored; the reasons stay in the log.

This helps to analyse errors, since a wrong perception reads differently from a wrong conclusion.
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
SUMMARY = "ask for the answer with reasons, as JSON; the answer is scored, the reasons are kept"
# Braces are doubled, since the text becomes part of a template.
TEXTS_BY_LANGUAGE = {
    "en": 'Reply with nothing but a JSON object: {{"reasoning": "what you perceive, and how the answer follows from '
    'it", "answer": "the answer, in the form that was asked for above"}}',
    "zh": '请只输出一个JSON对象：{{"reasoning": "你感知到了什么，答案如何由此得出", '
    '"answer": "按上面要求的形式给出的答案"}}',
}
_ANSWER = re.compile(r'"answer"\s*:\s*("(?:[^"\\]|\\.)*"|\[[^\[\]]*+\]|-?\d+(?:\.\d+)?)', re.S)


@dataclass(frozen=True, slots=True)
class Reasons:
    """Adds the request for JSON to the end of the prompt, in Chinese if the template is Chinese. Items are
    unchanged.
    """

    name: str = NAME
    summary: str = SUMMARY

    def apply(self, item: Item) -> Item:
        """Return the Item unchanged."""
        return item

    def change_prompt(self, prompt: PromptSpec) -> PromptSpec:
        """Return the template with one more text piece at its end."""
        words = TEXTS_BY_LANGUAGE.get(prompt.language, TEXTS_BY_LANGUAGE["en"])
        if prompt.content[-1:] == (words,):
            return prompt
        return msgspec.structs.replace(prompt, content=(*prompt.content, words))


def read_answer(reply: str) -> tuple[str, str | None] | None:
    """Return (answer, reasoning) of a reply that contains the requested JSON, whatever surrounds it.

    A list of answers is joined by `；`. If the JSON is damaged (quotes, truncation), only the value of `answer`
    is extracted. None if there is no answer.
    """
    for start in [m.start() for m in re.finditer(r"\{", reply)][:20]:
        try:
            document, _ = json.JSONDecoder().raw_decode(reply, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(document, dict) and (answer := _as_text(document.get("answer"))) is not None:
            reasoning = document.get("reasoning")
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
