"""Readings: words that a model must put media into before a Condition can be applied to the Items that hold them.

A Condition that needs them says so by `wants`; the run loop has every file read once, before the first question, keeps
the replies in a journal of the Run, and gives the Condition its `Texts`. So "the model's own OCR, asked first" and "its
own transcript in the recording's place" are one command each, resumed and paid for like any Run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from triptych.conditions.condition import Condition, NotApplicable
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Part, ResponseStatus

UNDER_TEST = "model"  # what `from=` says for the model that the Run is about


@dataclass(frozen=True, slots=True)
class Reading:
    """What is asked about every file of a kind.

    kind     `image` (what is written in it) or `audio` (what is said in it)
    by       `model`: the model under test; or `ADAPTER/NAME`
    hidden   the Item's hidden text that tells the truth: what `baseline/reference` reads
    what     `text`, word for word, or a `description` of everything in it
    """

    kind: Literal["image", "audio"]
    by: str = UNDER_TEST
    hidden: str = ""
    what: Literal["text", "description"] = "text"

    @property
    def prompt_name(self) -> str:
        """A benchmark's prompt of this name is asked with, where there is one."""
        return {"image": "ocr", "audio": "transcript"}[self.kind] if self.what == "text" else "describe"

    def prompt(self, language: str) -> PromptSpec:
        """Words of our own, in Chinese or English, where the benchmark has none."""
        language = language if language in ("zh", "en") else "en"
        return PromptSpec(("{media}", _WORDS[self.kind, self.what, language]), source="Triptych", language=language)


_WORDS = {
    ("image", "text", "en"): "Write down all the text in the picture, in reading order. Give nothing but the text.",
    ("image", "text", "zh"): "按阅读顺序写出图中的全部文字。只输出文字内容，不要有其他内容。",
    ("audio", "text", "en"): "Write down what is said in the recording, word for word. Give nothing but the words.",
    ("audio", "text", "zh"): "逐字写出录音中所说的内容。只输出文字内容，不要有其他内容。",
    ("image", "description", "en"): "Describe what is to be seen in the picture, in every detail, with any text in it.",
    ("image", "description", "zh"): "详细描述图片中的全部内容，包括其中的文字。",
    ("audio", "description", "en"): "Describe what is to be heard in the recording, in every detail and in order: who "
    "speaks, in which mood, what is said word for word, which sounds there are.",
    (
        "audio",
        "description",
        "zh",
    ): "按顺序详细描述录音中听到的全部内容：有谁在说话、语气和情绪如何、逐字说了什么、有哪些其他声音。",
}


class NoText(NotApplicable):
    """A model was asked to read a file and gave no text, so the Item can't be asked under its Condition.

    `status`: what became of the reading, and becomes of the Item's Response.
    """

    kind = "reading"

    def __init__(self, problem: str, status: ResponseStatus, *, got: object = None) -> None:
        super().__init__(problem, got=got)
        self.status = status


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts by a Part's `content_name` (its path, if nothing changes the file) or SHA-256; a recording that is cut to
    the length that a model takes, and not changed otherwise, has the text of the whole.

    `missing`: where a model was asked and gave none, what came instead and why.
    """

    found: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, tuple[ResponseStatus, str]] = field(default_factory=dict)

    def get(self, part: Part) -> str | None:
        """The text of a media Part, None where there is none. Raises NoText where a model was asked in vain."""
        kept = all(step.startswith("cut:") for step in filter(None, part.transform.split("|")))
        for key in filter(None, (part.content_name, *((part.path, part.sha256) if kept else ()))):
            if key in self.found:
                return self.found[key]
            if key in self.missing:
                status, why = self.missing[key]
                raise NoText(f"the {part.kind} could not be read first: {why}", status, got=part.path)
        return None


@runtime_checkable
class NeedsTexts(Condition, Protocol):
    """A Condition that can't be applied before its `Texts` are there.

    Until then `apply` puts a placeholder where the text will stand, for a dry run to show; a Run never asks it. After
    that it raises NoText for a file that could not be read.
    """

    @property
    def wants(self) -> Reading | None:
        """What must be read; None once it was."""

    def media(self, item: Item) -> Sequence[Part]:
        """The Item's Parts that must be read."""

    def with_texts(self, texts: Texts) -> NeedsTexts:
        """The same Condition, ready to be applied: `wants` is None."""
