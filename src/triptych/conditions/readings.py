"""Readings: texts that a model must extract from media before a Condition can be applied to their Items.

A Condition that needs them says so by `wants`. The run loop has every file read once, before the first question, stores
the replies in a journal of the Run, and passes the Condition its `Texts`. So "the model's own OCR, asked first" and
"its own transcript instead of the recording" are one command each, resumed and paid for like any Run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from triptych.conditions.condition import Condition, NotApplicable
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Part, ResponseStatus

UNDER_TEST = "model"  # value of `from=` for the Run's own model


@dataclass(frozen=True, slots=True)
class Reading:
    """The question asked about every file of a kind.

    kind     `image` (its text) or `audio` (its words)
    by       `model`: the model under test; or `ADAPTER/NAME`
    hidden   the Item's hidden text with the true words, which `baseline/reference` returns
    what     `text`, word for word, or a `description` of everything in it
    """

    kind: Literal["image", "audio"]
    by: str = UNDER_TEST
    hidden: str = ""
    what: Literal["text", "description"] = "text"

    @property
    def prompt_name(self) -> str:
        """The name of the benchmark's prompt for this question, used if the benchmark has one."""
        return {"image": "ocr", "audio": "transcript"}[self.kind] if self.what == "text" else "describe"

    def prompt(self, language: str) -> PromptSpec:
        """Return the built-in prompt, in Chinese or English, used if the benchmark has none."""
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
    """A model was asked to read a file and returned no text, so the Item can't be asked under its Condition.

    `status`: the status of the reading, and of the Item's Response.
    """

    kind = "reading"

    def __init__(self, problem: str, status: ResponseStatus, *, got: object = None) -> None:
        super().__init__(problem, got=got)
        self.status: ResponseStatus = status


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts by a Part's `content_name` (its path, if nothing changes the file) or SHA-256.

    A recording that is only truncated to the length that a model accepts has the text of the whole. `missing`: if a
    model was asked and returned no text, the status and the reason.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, tuple[ResponseStatus, str]] = field(default_factory=dict)

    def get(self, part: Part) -> str | None:
        """Return the text of a media Part; None if there is none. Raises NoText if a model returned none."""
        is_cut_only = all(step.startswith("cut:") for step in filter(None, part.transform.split("|")))
        for key in filter(None, (part.content_name, *((part.path, part.sha256) if is_cut_only else ()))):
            if key in self.texts:
                return self.texts[key]
            if key in self.missing:
                status, why = self.missing[key]
                raise NoText(
                    f"the {part.kind} could not be read before the question was asked: {why}", status, got=part.path
                )
        return None


@runtime_checkable
class NeedsTexts(Condition, Protocol):
    """A Condition that can't be applied before its `Texts` are available.

    Before that, `apply` inserts a placeholder for the text, for dry runs only. After that, it raises NoText for a file
    that could not be read.
    """

    @property
    def wants(self) -> Reading | None:
        """What must be read; None once it was."""

    def media(self, item: Item) -> Sequence[Part]:
        """Return the Item's Parts that must be read."""

    def with_texts(self, texts: Texts) -> NeedsTexts:
        """Return the Condition ready to be applied: its `wants` is None."""
