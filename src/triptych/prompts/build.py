"""Building Requests: a template is filled with an Item's texts and media; templates can come from a user's file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from triptych.errors import SpecError, nearest
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Message, Part, Request, text
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason

_SLOT = re.compile(r"\{\{|\}\}|\{([A-Za-z_]\w*)\}")
_ALONE = re.compile(r"\s*\{([A-Za-z_]\w*)\}\s*")
_OPEN_SLOT = re.compile(r"\{\s*([A-Za-z_]\w*)")  # in a text between slots
CONTENT_SLOTS = ("question", "content", "content_modality", "media", "options")
OPTION_SLOTS = ("label", "option")


def build_request(
    item: Item,
    prompt: PromptSpec,
    *,
    settings: Mapping[str, Any],
    condition: str = "",
    repeat: int = 0,
) -> Request:
    """Return the Request for an Item: an optional system Message, then one user Message with all Parts in order.

    Empty text Parts are left out. An Item of which only the reference answer is known (without Parts and options)
    becomes a Request without Messages; only a replay can answer it. Raises SpecError if the template doesn't fit the
    Item: media inside a text piece, or an unknown slot.
    """
    parts = tuple([p for piece in prompt.content for p in _fill(piece, item, prompt) if p.text or p.is_media])
    if not parts and not item.parts and not item.options:
        return Request(item.id, (), settings, condition, repeat, item)
    if not parts:
        raise SpecError("the prompt is empty for this item", where=item.id, fix="add {question} to the template")
    system = (Message("system", (text(prompt.system),)),) if prompt.system else ()
    return Request(item.id, (*system, Message("user", parts)), settings, condition, repeat, item)


def check_template(name: str, prompt: PromptSpec, where: object = None) -> None:
    """Raise SpecError for a template without content, with an unknown or unclosed slot (naming the nearest known one),
    with options that lack `{option}`, or with a slot in its system prompt, which is sent unchanged.
    """
    if not prompt.content:
        raise SpecError(f"prompt {name!r} has no content", where=where, expected='content = ["{question}", …]')
    if wrong := [m[1] for m in _SLOT.finditer(prompt.system) if m[1] in (*CONTENT_SLOTS, *OPTION_SLOTS)]:
        problem = f"prompt {name!r} has the slot {{{wrong[0]}}} in its system prompt, which is sent as it is"
        raise SpecError(problem, where=where, fix="move it to content")
    for pieces, slots in (
        (prompt.content, CONTENT_SLOTS),
        (prompt.option, OPTION_SLOTS),
        ((prompt.text_content,), CONTENT_SLOTS),
        (prompt.text_option, OPTION_SLOTS),
    ):
        for piece in pieces:
            for slot in _slots(piece):
                if slot not in slots:
                    raise SpecError(
                        f"prompt {name!r} has an unknown slot {{{slot}}}", where=where, fix=nearest(slot, slots)
                    )
            _check_braces(name, piece, slots, where)
    for pieces in (prompt.option, prompt.text_option):
        if pieces and not any("option" in _slots(piece) for piece in pieces):
            raise SpecError(
                f"prompt {name!r} shows options without their content",
                where=where,
                got=" ".join(pieces),
                expected="{option} in the pieces for an option",
            )


def _check_braces(name: str, piece: str, slots: Sequence[str], where: object) -> None:
    """Raise SpecError for the name of a slot behind a brace that isn't closed at once: it would be sent as it is."""
    for is_slot, words in _pieces(piece):
        if not is_slot and (match := _OPEN_SLOT.search(words)) and match[1] in slots:
            raise SpecError(
                f"prompt {name!r} has {match[0]!r}, which is not a slot",
                where=where,
                got=piece,
                expected=f"{{{match[1]}}}, without spaces",
                fix=f"write {{{match[1]}}}, or {{{{ for a brace",
            )


def check_place(item: Item, name: str, prompt: PromptSpec) -> None:
    """Raise SpecError if the template has no slot for the Item's content: its media, or the texts that replace them.

    Without them, the Request would belong to another Condition (`blind`, `no_context`) than the Run's.
    """
    if not has_place(prompt) and (kinds := [p.kind for p in item.parts if p.role == "content" or p.is_media]):
        raise SpecError(
            f"the prompt {name!r} leaves out the content of the question",
            where=item.id,
            got=", ".join(kinds),
            expected="{content} or {media} in the template",
            fix="add a slot for it; to leave it out on purpose, use --condition blind or --condition no_context",
        )


def omitted_parts(request: Request) -> list[str]:
    """Return which of "the question" and "the options" the messages of a Request don't contain.

    The content decides, not the slots, since some questions contain their options.
    """
    item = request.item
    if item is None or not request.messages:
        return []
    sent = [part for message in request.messages for part in message.parts]
    texts, files = "\n".join(part.text for part in sent), {part.path for part in sent}
    question = [part for part in item.parts if (part.role or "question") == "question"]
    options = [part for option in item.options for part in option]
    named = {"the question": question, "the options": options}
    return [
        name
        for name, parts in named.items()
        if any(part.path not in files if part.is_media else part.text not in texts for part in parts)
    ]


@lru_cache(maxsize=1024)
def has_place(prompt: PromptSpec) -> bool:
    """Return whether the template has a slot for the Item's content."""
    return _names_content(prompt) or any("media" in _slots(piece) for piece in prompt.content)


def _names_content(prompt: PromptSpec) -> bool:
    return any("content" in _slots(piece) for piece in prompt.content)


def speaks_of_options(prompt: PromptSpec) -> bool:
    """Return whether a sentence of the template contains the options; without options it would make no sense."""
    return any("{options}" in piece and not _single_slot(piece) for piece in prompt.content)


def load_prompts(path: Path) -> dict[str, PromptSpec]:
    """Return the prompts of a file by name: tables `[NAME]` or `[prompts.NAME]`. The default of `source` is the file.

    Raises SpecError for a file that can't be read, an unknown key, a missing `content`, or an unknown slot.
    """
    try:
        tables = parse_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError("the prompt file can't be read", where=path, got=str(error)) from None
    except NO_TOML as error:
        raise SpecError("the prompt file is not valid TOML", where=path, got=reason(error)) from None
    tables = tables.get("prompts", tables)
    if not isinstance(tables, dict) or not tables:
        raise SpecError("the file contains no prompts", where=path, expected='[NAME] with content = ["{question}", …]')
    return {name: as_prompt(name, table, path) for name, table in tables.items()}


def as_prompt(name: str, table: object, path: Path) -> PromptSpec:
    """Return the prompt of a table of a file. Raises SpecError as `load_prompts` does."""
    if not isinstance(table, dict):
        raise SpecError(f"prompt {name!r} is not a table", where=path, got=repr(table), expected=f"[{name}]")
    for key in table:
        if key not in PromptSpec.__struct_fields__:
            raise SpecError(
                f"unknown key {key!r} in prompt {name!r}", where=path, fix=nearest(key, PromptSpec.__struct_fields__)
            )
    try:
        prompt = msgspec.convert({"source": path.name, **table}, PromptSpec)
    except msgspec.ValidationError as error:
        raise SpecError(f"prompt {name!r} is malformed", where=path, got=str(error)) from None
    check_template(name, prompt, path)
    return prompt


def _fill(piece: str, item: Item, prompt: PromptSpec) -> Sequence[Part]:
    """Return the Parts of one piece."""
    alone = _single_slot(piece)
    if alone and (parts := _parts(alone, item, prompt)) is not None:
        return parts
    if "{content_modality}" in piece and not _modality(item):
        return ()
    return [text(_replace(piece, lambda slot: _words(slot, item, prompt)))]


def _parts(slot: str, item: Item, prompt: PromptSpec) -> list[Part] | None:
    """Return the Parts of a slot; None for slots that are always text."""
    if slot == "question":
        return [p for p in item.parts if (p.role or "question") == slot]
    if slot == "content":
        return [_as_written(p, item, prompt) for p in item.parts if p.role == slot]
    if slot == "media":
        return [p for p in item.parts if p.is_media or (p.role == "content" and not _names_content(prompt))]
    if slot == "options":
        return [p for index in range(len(item.options)) for p in _option_parts(item, index, prompt)]
    return None


def _as_written(part: Part, item: Item, prompt: PromptSpec) -> Part:
    """Return a Part of the stem in the words that the template has for text."""
    if part.is_media or not prompt.text_content:
        return part
    words = _replace(prompt.text_content, lambda slot: part.text if slot == "content" else _words(slot, item, prompt))
    return structs.replace(part, text=words)


def _option_parts(item: Item, index: int, prompt: PromptSpec) -> Iterator[Part]:
    in_words = prompt.text_option and not any(part.is_media for part in item.options[index])
    for piece in prompt.text_option if in_words else prompt.option:
        if piece.strip() == "{option}":
            yield from item.options[index]
        else:
            yield text(_option_words(piece, item, index))


def _option_words(piece: str, item: Item, index: int) -> str:
    label = item.labels[index] if index < len(item.labels) else chr(ord("A") + index)
    option = item.options[index]
    words = [
        part if not is_slot else label if part == "label" else _as_text(option, "option", item)
        for is_slot, part in _pieces(piece)
    ]
    return words[0] if len(words) == 1 else "".join(words)


def _words(slot: str, item: Item, prompt: PromptSpec) -> str:
    """Return the text of a slot inside a text piece."""
    if slot == "content_modality":
        return _modality(item)
    if slot == "options":
        lines = [" ".join([_option_words(piece, item, n) for piece in prompt.option]) for n in range(len(item.options))]
        return prompt.join.join(lines)
    if slot in ("question", "content", "media"):
        return _as_text(_parts(slot, item, prompt) or [], slot, item)
    raise SpecError(f"unknown slot {{{slot}}} in a prompt", fix=nearest(slot, CONTENT_SLOTS), where=item.id)


def _as_text(parts: Sequence[Part], what: str, item: Item) -> str:
    if len(parts) == 1 and parts[0].kind == "text":
        return parts[0].text
    for part in parts:
        if part.is_media:
            raise SpecError(
                f"the prompt has the {what} inside a sentence, but it is {part.kind}",
                where=item.id,
                got=part.path,
                fix=f"let {{{what if what != 'option' else 'options'}}} be a piece of its own",
            )
    return "\n".join([p.text for p in parts])


def _modality(item: Item) -> str:
    """Return the kinds of content, in order: `Audio`; `Audio, Image`."""
    return ", ".join(dict.fromkeys(p.kind.capitalize() for p in item.parts if p.role == "content"))


def _replace(piece: str, value: Callable[[str], str]) -> str:
    """Fill in the slots of a piece in one pass, so that filled-in text is never searched for slots."""
    return "".join([value(words) if is_slot else words for is_slot, words in _pieces(piece)])


@lru_cache(maxsize=1024)  # called with the same pieces for every Item
def _pieces(piece: str) -> tuple[tuple[bool, str], ...]:
    """Return the literal texts and slots of a piece, in order: (whether it is a slot, the text or the slot's name)."""
    pieces: list[tuple[bool, str]] = []
    end = 0
    for match in _SLOT.finditer(piece):
        pieces += [(False, piece[end : match.start()]), (bool(match[1]), match[1] or match[0][0])]
        end = match.end()
    return tuple(one for one in (*pieces, (False, piece[end:])) if one[1])


def _slots(piece: str) -> list[str]:
    """Return the names of the slots."""
    return [words for is_slot, words in _pieces(piece) if is_slot]


@lru_cache(maxsize=1024)
def _single_slot(piece: str) -> str:
    """Return the slot if the piece consists of a single slot; otherwise an empty text."""
    match = _ALONE.fullmatch(piece)
    return match[1] if match else ""
