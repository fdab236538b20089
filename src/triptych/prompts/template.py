"""A prompt template as data, as a benchmark's spec.toml or a user's file holds it."""

from __future__ import annotations

import msgspec


class PromptSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prompt template as data; `triptych.prompts.build` turns an Item into Messages with it.

    `content`: pieces in order. A piece that is just `{question}`, `{content}`, `{media}` or `{options}` becomes those
    Parts; any other piece is one text Part, in which `{question}`, `{content}`, `{content_modality}` and `{options}`
    are filled in (they must be text there). `{media}` is the stem's media, with the text that a Condition puts beside
    them or in their place (a transcript, a description); in a template that names `{content}` as well, that text is
    sent there. `{{` and `}}` stand for braces; a brace that encloses no name (JSON in an instruction) is left as it
    is. A piece whose `{content_modality}` has nothing to name, because a Condition took the content out, is left out.
    `system`: sent as it is, without slots.
    `option`: pieces for each option, with `{label}` and `{option}`; inside a text piece they are joined by a blank.
    `join`: between options inside a text piece. What is filled in is never looked at again: a question that
    holds `{options}` stays as it is.
    """

    content: tuple[str, ...]
    source: str
    option: tuple[str, ...] = ("{option}",)
    join: str = "\n"
    system: str = ""
    language: str = "en"
    kind: str = ""
