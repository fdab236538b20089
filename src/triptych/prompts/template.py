"""Prompt templates as data, as in a benchmark's spec.toml or a user's file."""

from __future__ import annotations

from typing import Any

import msgspec


class PromptSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prompt template; `triptych.prompts.build` uses it to turn an Item into Messages.

    `content`: pieces in order. A piece that is just `{question}`, `{content}`, `{media}` or `{options}` becomes those
    Parts. Any other piece becomes one text Part, in which `{question}`, `{content}`, `{content_modality}` and
    `{options}` are filled in; they must be texts there. `{media}` is the media of the stem, with the text that a
    Condition adds to them or replaces them by (a transcript, a description); if the template has `{content}`, too, that
    text is sent there. `{{` and `}}` are braces; a brace that encloses no name (JSON in an instruction) is kept. A
    piece whose `{content_modality}` is empty, because a Condition removed the content, is left out. `system`: sent
    unchanged, without slots. `option`: pieces for each option, with `{label}` and `{option}`; inside a text piece they
    are joined by a space. `text_content` and `text_option`: how a stem and options are written if they are text, where
    that differs from media (`Context: {content}`); used where `{content}` and `{options}` are pieces of their own.
    `join`: separator of options inside a text piece. Filled-in text is never searched for slots:
    a question that contains `{options}` stays unchanged.
    """

    content: tuple[str, ...]
    source: str
    option: tuple[str, ...] = ("{option}",)
    join: str = "\n"
    text_content: str = ""
    text_option: tuple[str, ...] = ()
    system: str = ""
    language: str = "en"
    kind: str = ""

    def sent_fields(self) -> dict[str, Any]:
        """Return everything that can change what is sent: all fields but those that describe the prompt to people.

        `language` is one of them, since a Condition asks for reasons in it.
        """
        every = msgspec.json.decode(msgspec.json.encode(self), type=dict[str, Any])
        empty = {field.name for field in msgspec.structs.fields(type(self)) if not field.default}
        left_out = {"source", "kind"} | {name for name in empty if not every[name]}  # a new field changes no hash
        return {key: value for key, value in every.items() if key not in left_out}


def with_system(prompt: PromptSpec, system: str | None) -> PromptSpec:
    """Return the template with another system prompt, or without one if it is empty; unchanged for None."""
    return prompt if system is None else msgspec.structs.replace(prompt, system=system)
