"""The answer of a reply that is a JSON object."""

from __future__ import annotations

import json
import re

from triptych.metrics.replies.lazy_pattern import lazy_pattern

_KEY = lazy_pattern(
    r"(?:(?:final|correct|selected|predicted|chosen|best|my)[_ ]?)?"
    r"(?:answer|choice|option|letter|prediction|selection|label|result|response)"
    r"|答案|最终答案|正确答案|选项|回答|答え|正解|정답|답|ответ|réponse|respuesta|risposta|resposta|antwort|antwoord",
    re.I,
)
_STRING = r'"((?:[^"\\]|\\.)*+)"'
_PAIR = lazy_pattern(rf"{_STRING}\s*:\s*{_STRING}\s*(?:[,}}\n]|$)")  # a complete one, in an object that isn't
_BEGINS = lazy_pattern(r"\s*(?:```(?:json)?\s*)?\{", re.I)


def json_answer(reply: str) -> str | None:
    """Return what a JSON object gives as the answer, empty if it gives none or several; None if it isn't one.

    Example:
        >>> json_answer('{"reason": "not A", "answer": "B"}')
        'B'
    """
    if not _BEGINS.match(reply):
        return None
    try:
        document, _ = json.JSONDecoder(strict=False).raw_decode(reply, reply.index("{"))
    except json.JSONDecodeError as error:
        return _from_truncated(reply) if _is_truncated(reply, error) else None
    except (ValueError, RecursionError):
        return None
    while isinstance(document, dict):
        named = [key for key in document if _KEY.fullmatch(key.strip())]
        if not named:
            return None
        document = document[named[-1]]
        if isinstance(document, list) and len(document) == 1:
            (document,) = document
    return document if isinstance(document, str) else ""


def _is_truncated(reply: str, error: json.JSONDecodeError) -> bool:
    """Return whether an object has no end, since the reply reached the limit of its length."""
    return "}" not in reply and (error.msg.startswith("Unterminated string") or not reply[error.pos :].strip())


def _from_truncated(reply: str) -> str:
    """Return the answer that an object without an end gives, empty if it gives none."""
    answers = [value for key, value in _PAIR.findall(reply) if _KEY.fullmatch(key.strip())]
    return answers[-1] if answers else ""
