"""Separating a model's reasoning from its answer; used by every protocol, judge and analysis.

Which marks are read: tags (`<think>`, `<thinking>`, `<thought>`, `<seed:think>`, `<reasoning>`, `<analysis>`,
`[THINK]`, `◁think▷`), special tokens that a server left in the text (OpenThinker, Command A, MedGemma, Gemma,
Solar), the channels of gpt-oss with or without their tokens, `<REASONING>` … `<CONCLUSION>`, and sentences that stand
for tags (Granite, Ollama).
"""

from __future__ import annotations

import re
from collections import deque

# `<think>` and its variants; some models write `◁think▷`.
_THINK = re.compile(r"[<◁](/?)(?:think|thinking|thought)[>▷]()", re.I)
_NAMES = r"(?:seed:)?think|thinking|thought|thoughts|reasoning|analysis|scratchpad"
_TAG = re.compile(rf"[<◁](/?)(?:{_NAMES})[>▷]|\[(/?)THINK\]", re.I)
_OPENS = r"<\|begin_of_thought\|>|<\|START_THINKING\|>|<unused94>(?:thought\b)?|<\|channel>thought\b"
_OPENS += r"|(?:<\|begin\|>assistant)?<\|think\|>"
_OPENS += r"|<details type=\"reasoning\"[^<>]{0,80}>"
_CLOSES = r"<\|end_of_thought\|>|<\|END_THINKING\|>|<unused95>|<channel\|>"
_CLOSES += r"|<\|end\|>\s{0,9}<\|begin\|>assistant\s{0,9}<\|content\|>"
_TOKENS = re.compile(rf"({_OPENS})|{_CLOSES}")
_CHANNEL = re.compile(
    r"(?:<\|start\|>assistant)?<\|channel\|>(analysis|commentary"
    r"|final)[^<\n]{0,80}(?:<\|constrain\|>\w{1,20})?<\|message\|>"
)
_CHANNEL_ENDS = re.compile(r"(?:<\|(?:end|return|call)\|>|<\|start\|>assistant)\s*")
# The channels of gpt-oss without their tokens: analysisWe … assistantfinalB
_BARE = re.compile(r"(?:assistant)?(?:analysis|commentary)(?=[^\W\d_a-z])")
_FINAL = re.compile(r"assistant\s*final\s*|\nfinal\n")
_SENTENCES = (
    (
        re.compile(r"\s*Here(?: is|'s|’s) my thought process:", re.I),
        re.compile(r"Here(?: is|'s|’s) my response:", re.I),
    ),
    (re.compile(r"\s*Thinking\.\.\.\n"), re.compile(r"\n\.\.\.done thinking\.")),
)
_CONCLUSION = re.compile(r"<CONCLUSION>|<RESPONSE>")
_BEGINS = re.compile(r"\s*<(?:SUMMARY|CAPTION|REASONING|THINK|PLANNING)>")


def split_thinking(text: str) -> tuple[str, str | None]:
    """Return (answer, reasoning): reasoning is the text between marks such as `<think>` and `</think>`.

    An opening tag counts at the beginning of a line or directly after another block; elsewhere it is a mention. A
    closing tag without an opening one ends reasoning that the server's template began: all text before it is reasoning.
    An opening tag without a closing one is truncated reasoning: all text after it is reasoning. Of several channels,
    the final one is the answer.

    Returns:
        The answer, stripped, and the reasoning. Without reasoning: the unchanged text and None.

    Example:
        >>> split_thinking("<think>A or B?</think> B")
        ('B', 'A or B?')
        >>> split_thinking("analysisA or B?assistantfinalB")
        ('B', 'A or B?')
        >>> split_thinking(" B ")
        (' B ', None)
    """
    if "<|channel|>" in text and (channels := _channels(text)):
        return channels
    if text.startswith(("analysis", "commentary", "assistantanalysis")):
        finals = list(_FINAL.finditer(text))
        if finals or _BARE.match(text):
            thought = text[: finals[-1].start()] if finals else text
            return _strip_parts(
                text[finals[-1].end() :] if finals else "", thought.removeprefix("assistant").removeprefix("analysis")
            )
    for begins, ends in _SENTENCES:
        if begun := begins.match(text):
            end = ends.search(text)
            return _strip_parts(text[end.end() :] if end else "", text[begun.end() : end.start() if end else None])
    if _BEGINS.match(text) and (end := _CONCLUSION.search(text)):
        return _strip_parts(text[end.start() :], text[: end.start()])
    return _tagged(text)


def _strip_parts(reply: str, thought: str) -> tuple[str, str | None]:
    return reply.strip(), thought.strip() or None


def _channels(text: str) -> tuple[str, str | None] | None:
    """Return the final channel of gpt-oss and the others; None if the text has no channel."""
    heads = list(_CHANNEL.finditer(text))
    if not heads:
        return None
    ends = [*(head.start() for head in heads[1:]), len(text)]
    words = [(head[1], text[head.end() : end]) for head, end in zip(heads, ends, strict=True)]
    of = {True: [], False: []}  # type: dict[bool, list[str]]
    for channel, full_text in words:
        of[channel == "final"].append(_CHANNEL_ENDS.sub("", full_text).strip())
    return "".join(of[True][-1:]), "\n".join(filter(None, [text[: heads[0].start()].strip(), *of[False]])) or None


def _tagged(text: str) -> tuple[str, str | None]:
    if "<unused9" in text or "<|" in text or "<channel|>" in text or "<details" in text:
        details = "<details type=" in text
        text = _TOKENS.sub(lambda mark: "<think>" if mark[1] else "</think>", text)
        text = text.replace("</details>", "</think>", 1) if details else text
    return _split(text, _TAG)


def split_tags(text: str) -> tuple[str, str | None]:
    """Return (answer, reasoning) by the tags `<think>`, `<thinking>`, `<thought>` and `◁think▷` only.

    Example:
        >>> split_tags("<think>A or B?</think> B"), split_tags("[THINK]A or B?[/THINK] B")
        (('B', 'A or B?'), ('[THINK]A or B?[/THINK] B', None))
    """
    return _split(text, _THINK)


def _split(text: str, tag: re.Pattern[str]) -> tuple[str, str | None]:
    if not ("<" in text or "◁" in text or "[" in text) or not tag.search(text):
        return text, None
    texts: list[str] = []
    thought: deque[str] = deque()
    depth, last, mentioned, line = 0, 0, False, _Line(text)
    for mark in tag.finditer(text):
        begins = line.blank_until(mark.start())
        closes = bool(mark[1] or mark[2])
        if not depth and (mentioned if closes else not begins):
            mentioned = True
            line.skip_to(mark.end(), blank=False)
            continue
        (thought if depth or closes else texts).append(text[last : mark.start()])
        if closes and not depth:  # all text before it was reasoning
            thought.extendleft(reversed(texts))
            texts.clear()
        depth = max(0, depth + (-1 if closes else 1))
        last = mark.end()
        line.skip_to(last, blank=True)
    if not last:
        return text, None
    (thought if depth else texts).append(text[last:])
    return "".join(texts).strip(), "\n".join(filter(None, map(str.strip, thought))) or None


class _Line:
    """Whether the current line is empty so far. Each character is read once, since a reply may hold a million tags."""

    def __init__(self, text: str) -> None:
        self._text, self._read, self._blank = text, 0, True

    def blank_until(self, position: int) -> bool:
        """Return whether there is only whitespace before `position` on its line."""
        _, newline, line = self._text[self._read : position].rpartition("\n")
        self.skip_to(position, blank=(self._blank or bool(newline)) and not line.strip())
        return self._blank

    def skip_to(self, position: int, *, blank: bool) -> None:
        """Continue at `position`; `blank` says whether the text before it on its line counts as whitespace."""
        self._read, self._blank = position, blank
