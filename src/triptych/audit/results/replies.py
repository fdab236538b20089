"""Kinds of stored replies: an answer, a chat transcript, the text of an error, a refusal, or nothing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from triptych.records import Response

ReplyKind = Literal["answer", "transcript", "error", "refusal", "empty", "none"]

_TRANSCRIPT = re.compile(
    r"\A\s*(system\n|user\n|<\|im_start\|>|<s>\[INST\]|\[INST\]|human:|user:|### (human|instruction))"
    r"|\n(assistant|user)\n|<\|im_(start|end)\|>|<start_of_turn>",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\A\W*(none|null|nan|n/?a)\W*\Z|\A\W*(error\b|exception|traceback|runtimeerror|valueerror|cuda)"
    r"|traceback \(most recent|out of memory|rate.?limit|too many requests|quota|timed? ?out|internal server error"
    r"|failed to (obtain|get|fetch|generate) (an? |the |any )?(answer|response|reply|completion)"
    r"|\b(http|status|error)[ _]?(code)?:? ?[45]\d\d\b|connection (error|reset|refused)|invalid api key|bad gateway",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\b(i('m| am)? (sorry|unable|not able)|i can('t|not)|cannot (answer|provide|determine|assist|help)|unable to"
    r"|impossible to|as an ai|no (correct )?answer|there is no|none of the (above|options)|not possible to"
    r"|don't have (access|enough)|without (more|further|the) (information|context|audio|image))"
    r"|抱歉|对不起|无法(回答|确定|判断|提供)|我不能|作为.{0,6}(模型|人工智能)",
    re.IGNORECASE,
)
_SHORT = 100  # characters: such replies occur again and again, so their kind is cached
_LONG = 400  # characters, above which a text that mentions an error is not taken for the text of an error


def reply_kind(response: Response | None) -> ReplyKind:
    """Return the kind by expressions found in the text; a text without any of them is an answer."""
    if response is None or response.status in ("failed", "skipped"):
        return "none"
    read = _kind if len(response.text) <= _SHORT else _kind.__wrapped__
    return read(response.text.strip(), response.status == "refused")


@lru_cache(maxsize=4096)
def _kind(text: str, refused: bool) -> ReplyKind:
    if not text:
        return "empty"
    if _TRANSCRIPT.search(text):
        return "transcript"
    if len(text) <= _LONG and len(text) > 1 and _ERROR.search(text):
        return "error"
    if refused or (len(text) <= _LONG and _REFUSAL.search(text)):
        return "refusal"
    return "answer"
