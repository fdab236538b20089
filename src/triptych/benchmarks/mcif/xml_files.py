"""Read and write XML, and recover damaged files. DTDs, entities and bombs are rejected."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from triptych.errors import DataError
from triptych.store.files.limits import MAX_DEPTH, MAX_ELEMENTS, MAX_XML, check_limit

# Characters that XML 1.0 does not allow, even as a reference
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TASK_OR_SAMPLE = re.compile(
    r"<task\b(?P<task>[^<>]*)>|<sample\b(?P<empty>[^<>]*)/>"
    r"|<sample\b(?P<sample>[^<>]*)>(?P<body>[^<]*(?:<(?!/?sample\b)[^<]*)*)</sample\s*>"
)
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*("[^"]*"|'[^']*')""")


class NotWellFormed(DataError):
    """A file that is not well-formed XML, with file, line and character."""


def read_bytes(path: Path) -> bytes:
    """Return the file's bytes, unpacked if it is gzipped. Raises DataError if it can't be read or is too large."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_XML + 1)
        if data[:2] == b"\x1f\x8b":
            with gzip.open(path) as unpacked:
                data = unpacked.read(MAX_XML + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError("a file can't be read", where=path, got=str(error)) from None
    if len(data) > MAX_XML:
        raise DataError("a file is too large", where=path, expected=f"at most {MAX_XML:,} bytes unpacked")
    return data


def parse(path: Path) -> Element:
    """Return the root element of an XML file, gzipped or not.

    Raises NotWellFormed with file, line and character; DataError for a file that declares a document type or entities
    (no released one does), is nested too deep, or has too many elements and attributes.
    """
    builder, parser, depth, nodes = TreeBuilder(), expat.ParserCreate(), 0, 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, nodes
        depth, nodes = depth + 1, nodes + 1 + len(attributes)
        if nodes > MAX_ELEMENTS:
            check_limit("the XML", nodes, MAX_ELEMENTS, path, unit="elements and attributes")
        if depth > MAX_DEPTH:
            raise DataError("the XML is nested too deep", where=f"{path}:{parser.CurrentLineNumber}", got=depth)
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _refuse(path, parser)
    parser.ExternalEntityRefHandler = _refuse(path, parser)
    data = read_bytes(path)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise NotWellFormed(
            f"the file is not well-formed XML: {expat.errors.messages[error.code]}",
            got=_character(data, parser.ErrorByteIndex),
            where=f"{path}, line {error.lineno}, character {error.offset + 1}",
            fix="repair the file there",
        ) from None
    except (ValueError, LookupError) as error:  # an encoding that is unknown to Python
        raise NotWellFormed("the file can't be decoded", where=path, got=str(error)) from None
    return builder.close()


@dataclass(frozen=True, slots=True)
class RawSample:
    """A sample found in a damaged file."""

    track: str
    language: str
    id: str
    text: str


def recover(path: Path) -> Iterator[RawSample]:
    """Yield the samples in a damaged results file: the text between `<sample id=…>` and `</sample>`, without the
    characters that XML doesn't allow. A sample that doesn't end is lost."""
    source = _ILLEGAL.sub("", read_bytes(path).decode("utf-8-sig", errors="replace"))
    task: dict[str, str] = {}
    for match in _TASK_OR_SAMPLE.finditer(source):
        if match["task"] is not None:
            task = _attributes(match["task"])
            continue
        attributes = _attributes(match["empty"] if match["empty"] is not None else match["sample"])
        text = _ILLEGAL.sub("", _unescape(match["body"] or ""))
        yield RawSample(task.get("track", ""), task.get("text_lang", ""), attributes.get("id", ""), text)


def legal(text: str) -> str:
    """Return the text without the characters that XML 1.0 does not allow."""
    return _ILLEGAL.sub("", text)


def _character(data: bytes, position: int) -> str | None:
    """Return the character at a byte (from 0) as `U+000B`, or itself if it is visible."""
    character = data[position : position + 4].decode("utf-8", errors="replace")[:1]
    return None if not character else repr(character) if character.isprintable() else f"U+{ord(character):04X}"


def _unescape(text: str) -> str:
    """Replace only XML's own references; a stray `&` and HTML's entities are kept."""

    def character(match: re.Match[str]) -> str:
        decimal, hexadecimal, name = match.groups()
        number = int(decimal) if decimal else int(hexadecimal, 16) if hexadecimal else ord(_NAMED[name])
        return chr(number) if number < 0x110000 else ""

    return _REFERENCE.sub(character, text)


def _attributes(source: str) -> dict[str, str]:
    return {name: _unescape(value[1:-1]) for name, value in _ATTRIBUTE.findall(source)}


def _refuse(path: Path, parser: Any) -> Callable[..., NoReturn]:
    def refuse(*_: object) -> NoReturn:
        raise DataError(
            "the XML declares a document type or entities, which no released file does",
            where=f"{path}, line {parser.CurrentLineNumber}",
            fix="remove the <!DOCTYPE …> if you trust the file",
        )

    return refuse
