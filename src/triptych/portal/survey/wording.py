"""Words of a question that are for models: how to write the answer, and the options again inside a sentence.

People choose on the page, so such words only confuse: "Answer with A, B, C, or D" above options with numbers. A
sentence that ends with a question mark is never removed, nor one of the content, nor the last text of a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LETTERS = r"(?:\(?\b[A-J]\b\)?(?:\s*(?:[,/、]|or|and)+\s*)+)+\(?\b[A-J]\b"
_VERB = r"(?:answer|respond|reply|give|write|output|provide|return|select|choose|pick|state|end|put|format|use|print)"
_START = r"^\W*(?:(?:please|finally|then|now|and|you (?:should|must|may|can)|your \w+ (?:should|must))\b[\s,]*)*"
_MODEL = (
    rf"{_START}{_VERB}\b.*\b(?:letters?|{_LETTERS})",  # Answer with A, B, C, or D
    rf"{_START}{_VERB}\b.*\b(?:option's|directly|the requested format|JSON)\b",
    r"^\W*your \w+ (?:should|must)\b.*\bletters?\b",
    rf"{_START}(?:only|just)\b.{{0,30}}\b{_VERB}\b",
    rf"{_START}{_VERB}\b.*\b(?:only|just)\b",
    rf"{_START}(?:do not|don't|without)\b.*\b(?:explanations?|explain|introductions?|reasoning|other (?:text|words))\b",
    r"^\s*you are (?:a|an)\b.*\b(?:assistant|model|AI)\b",
    r"(?:只|仅|直接|务必).{0,8}(?:写|输出|给出|回答|返回|填|选择)",
    r"(?:写|输出|给出|回答|返回|填写).{0,12}(?:字母|选项的?内容|选项序号)",
    r"(?:不要|无需|请勿|不得).{0,8}(?:其他|无关|解释|说明|输出)",
    r"^\s*(?:答案|answer|要求)\s*[:：]?\s*$",
)
_INSTRUCTION = re.compile("|".join(_MODEL), re.IGNORECASE)
_SENTENCE = re.compile(r"[^。！？!?\n]*?(?:[。！？!?]+|\.(?=\s|$)|\n|$)\s*")
_MAX_INSTRUCTION_LENGTH = 240  # characters of an instruction; a longer sentence has something to say
_LABEL = r"[(（]?(?:[A-Za-z]|\d{1,2})[)）.、:：．]*\s*"
_BETWEEN = r"[\s,，;；、.。]*"
_HEADING = r"(?:(?:选项(?:如下)?|备选项|options?|choices?)\s*[:：]?\s*)?"


def for_people(texts: Sequence[str], options: Sequence[str], content: str = "") -> list[str]:
    """Return the texts of a question as people read them; an empty text for one that is not needed.

    Args:
        texts: The texts before and after the options, in order.
        options: The texts of the options in the order of the page; empty texts for media, none for an open question.
        content: The text that the question is about, of which nothing is removed.

    Example:
        >>> for_people(["Who sings? Answer with A or B.", "Give the letter."], ["a man", "a woman"])
        ['Who sings?', '']
        >>> for_people(["什么时候？选项如下:中午\\n下午请直接给出正确选项的内容。"], ["中午", "下午"])
        ['什么时候？']
    """
    texts_for_people = [without_instructions(_without_options(text, options), content) for text in texts]
    return texts_for_people if any(texts_for_people) else list(texts)


def without_instructions(text: str, content: str = "") -> str:
    """Return a text without the sentences that say how a model must write its answer.

    >>> without_instructions("Only return the answer requested. Speak of the second talk.")
    'Speak of the second talk.'
    """
    sentences = [
        sentence for sentence in _SENTENCE.findall(text) if sentence.strip() in content or not _commands(sentence)
    ]
    return "".join(sentences).strip()


def _without_options(text: str, options: Sequence[str]) -> str:
    """The text without the options, if it has all of them in their order."""
    if len(options) < 2 or not all(options):
        return text
    listed = _BETWEEN.join(rf"(?:{_LABEL})?{re.escape(option.strip())}" for option in options)
    return re.sub(rf"\s*{_HEADING}{listed}{_BETWEEN}", "\n", text, count=1, flags=re.IGNORECASE)


def _commands(sentence: str) -> bool:
    plain = sentence.strip()
    return bool(
        plain
        and not plain.endswith(("?", "？"))
        and len(plain) <= _MAX_INSTRUCTION_LENGTH
        and _INSTRUCTION.search(plain)
    )
