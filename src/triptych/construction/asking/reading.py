"""Parse models' replies strictly. A fault is described in words that are sent to the model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from triptych.metrics.replies.thinking import split_thinking
from triptych.records.unreadable import UNREADABLE, reason

MAX_REPLY_LENGTH = 1 << 20
_OPENING, _CLOSING = re.compile(r"```[\w-]*"), "```"  # a line that begins a code fence, and one that ends it


class Unreadable(ValueError):
    """A reply that can't be used; the message states the fault, and `reason` is the code of a dropped record."""

    def __init__(self, fault: str, reason: str = "unreadable-reply") -> None:
        super().__init__(fault)
        self.reason = reason


class PartlyUsable(Unreadable):
    """A reply some parts of which can't be used; `value` is the reply, and `faults` has a text for each such part."""

    def __init__(self, value: Any, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults), "faulty-part")
        self.value: Any = value
        self.faults: tuple[str, ...] = tuple(faults)


def read_reply(reply: str, kind: type | None) -> Any:
    """Return the value of a reply: the text if `kind` is None, otherwise JSON that fits the type.

    Thinking is left out. JSON may be in a code fence or between sentences, but there must be exactly one document that
    fits, apart from repetitions of the same one. Raises Unreadable.
    """
    if len(reply) > MAX_REPLY_LENGTH:
        raise Unreadable(f"the reply has {len(reply):,} characters; at most {MAX_REPLY_LENGTH:,} are read")
    text, _ = split_thinking(reply)
    text = text.strip()
    if not text:
        raise Unreadable("the reply is empty")
    return text if kind is None else _document(text, kind)


def schema_of(kind: type) -> dict[str, Any]:
    """Return the JSON schema of a reply, for adapters that support structured output."""
    schema: dict[str, Any] = msgspec.json.decode(_schema(kind))  # a copy for each caller
    return schema


@cache
def _schema(kind: type) -> bytes:
    return msgspec.json.encode(_root_schema(kind))


def _root_schema(kind: type) -> dict[str, Any]:
    made = msgspec.json.schema(kind)
    named = made.get("$defs", {})
    root = named.get(str(made.get("$ref", "")).rpartition("/")[2])
    return made if root is None else {**root, "$defs": named}  # some servers take no reference at the top


def _document(reply: str, kind: type) -> Any:
    documents: list[Any] = []
    fault = "there is no JSON in the reply"
    for candidate in _candidates(reply):
        try:
            documents.append(msgspec.json.decode(candidate.encode(), type=kind, strict=True))
        except msgspec.ValidationError as error:
            fault = f"the JSON doesn't fit: {error}"
        except UNREADABLE as error:
            fault = f"the reply is not valid JSON: {reason(error)}"
    if not documents:
        raise Unreadable(fault)
    if any(each != documents[0] for each in documents):
        raise Unreadable("the reply holds two different JSON documents")
    return documents[0]


def _candidates(reply: str) -> list[str]:
    """Return the texts that may be the document: the whole reply, each code fence, first to last bracket."""
    if fenced := list(_fenced(reply)):
        return fenced
    begins = [at for at in (reply.find("{"), reply.find("[")) if at >= 0]
    ends = max(reply.rfind("}"), reply.rfind("]"))
    return [reply[min(begins) : ends + 1]] if begins and ends > min(begins) else [reply]


def _fenced(reply: str) -> Iterator[str]:
    """Yield the text between each opening line of a code fence and the next closing one, in one pass over the lines."""
    block: list[str] | None = None
    for line in reply.split("\n"):
        if block is None:
            block = [] if _OPENING.fullmatch(line.rstrip()) else None
        elif line.rstrip() == _CLOSING:
            yield "\n".join(block).strip()
            block = None
        else:
            block.append(line)
