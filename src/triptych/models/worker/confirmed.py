"""Whether a runner has run with its model's weights: a confirmation, which a person makes with the card's example.

The runners of `worker/NAME` follow their authors' code, and are tested with small replacements for it. Nothing shows
that they give the model's answers until the example of its card was asked and compared on a computer with the weights.
`triptych models confirm NAME` stores that in the user's cache. A confirmation holds for one file of the runner.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from triptych.errors import SpecError
from triptych.models.catalogue import CatalogueModel, find_model
from triptych.models.worker.environments import environment_of
from triptych.records import Message, Part, Request, media, text
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.user_cache import cache_root

NEVER = "never run with its weights"
_KINDS = ("text", "audio", "image", "video")


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The example of a model's card.

    source    where it is stated: the address of the card, or a file of the authors' repository
    parts     what is asked, in order: {"text": "…"}, or {"audio": "a.wav"} with a path next to the file
    expected  the stated answer; several: texts that must all occur in it
    compare   `equal`: the same letters and digits; `contains`: `expected` occurs in the answer
    settings  decoding settings; the most probable answer by default
    """

    source: str
    parts: tuple[dict[str, str], ...]
    expected: tuple[str, ...] | str
    compare: Literal["equal", "contains"] = "equal"
    settings: dict[str, Any] = {}

    def request(self) -> Request:
        """Return the example as a Request. Raises SpecError for a part that is not one kind and its content."""
        return Request(
            "example", (Message("user", tuple(map(_part, self.parts))),), {"temperature": 0, **self.settings}
        )

    def agrees(self, answer: str) -> bool:
        """Return whether an answer is the expected one. Case, width, whitespace and punctuation don't count.

        Example:
            >>> Example("card", (), "The sky, at dusk.").agrees("the sky at dusk")
            True
            >>> Example("card", (), ("sky", "dusk"), "contains").agrees("A sky.")
            False
        """
        wanted = (self.expected,) if isinstance(self.expected, str) else self.expected
        text = letters_and_digits(answer)
        if self.compare == "contains":
            return bool(wanted) and all(letters_and_digits(one) in text for one in wanted)
        return bool(text) and [text] == [letters_and_digits(one) for one in wanted]


class Confirmation(msgspec.Struct, frozen=True):
    """A stored confirmation: when, of which weights and runner, with which software, what was asked and answered."""

    model: str
    date: str
    revision: str
    runner: str
    versions: dict[str, str]
    example: Example
    answer: str


def read_example(path: Path) -> Example:
    """Return an example of a JSON file. Raises SpecError, which shows the form."""
    form = '{"source": "https://…", "parts": [{"audio": "a.wav"}, {"text": "…"}], "expected": "…"}'
    try:
        example = msgspec.json.decode(path.read_bytes(), type=Example)
    except (OSError, *UNREADABLE) as error:
        raise SpecError("the example can't be read", where=path, got=reason(error), expected=form) from None
    if not example.parts or not example.expected or not example.source.strip():
        raise SpecError("the example has no parts, no expected answer or no source", where=path, expected=form)
    example.request()
    return example


def letters_and_digits(words: str) -> str:
    """Return the letters and digits of a text in lower case and usual width.

    Example:
        >>> letters_and_digits("Ｔhe cat’s 2 toys.")
        'thecats2toys'
    """
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", words).casefold())


def runner_hash(row: CatalogueModel) -> str:
    """Return 16 hex digits of the file of a model's runner; empty for a model without one."""
    environment = environment_of(row.key)
    if environment is None or not environment.runner or row.way[0] != "environment":
        return ""
    return hashlib.sha256(environment.file.read_bytes()).hexdigest()[:16]


def confirmation(row: CatalogueModel) -> Confirmation | None:
    """Return the confirmation of a model's runner as it is now; None if there is none."""
    with suppress(OSError, *UNREADABLE):
        confirmation_ = msgspec.json.decode(_confirmation_path(row.key).read_bytes(), type=Confirmation)
        return confirmation_ if confirmation_.runner == runner_hash(row) else None
    return None


def confirm(confirmation: Confirmation) -> Path:
    """Store a confirmation, and return its file."""
    path = _confirmation_path(confirmation.model)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".new")
    written.write_bytes(msgspec.json.format(msgspec.json.encode(confirmation), indent=1))
    return written.replace(path)


def state(model: str) -> str:
    """Return in words whether a model's runner has run with its weights; empty for a model without a runner.

    `model`: a name of the catalogue, or `worker/NAME`.
    """
    row = find_model(model.removeprefix("worker/"))
    if row is None or not runner_hash(row):
        return ""
    confirmed = confirmation(row)
    return (
        f"confirmed on {confirmed.date} with {confirmed.revision or 'weights without a revision'}"
        if confirmed
        else NEVER
    )


def _confirmation_path(key: str) -> Path:
    return cache_root() / "confirmed" / f"{key}.json"


def _part(part: dict[str, str]) -> Part:
    if len(part) != 1 or (kind := next(iter(part))) not in _KINDS:
        raise SpecError(
            "a part of the example is one kind with its content",
            got=str(part),
            expected=" | ".join(f'{{"{kind}": "…"}}' for kind in _KINDS),
        )
    return text(part[kind]) if kind == "text" else media(kind, part[kind])  # type: ignore[arg-type]
