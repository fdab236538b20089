"""Prompts of stages: a text with a slot for each value that it shows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import SpecError
from triptych.records import Message, Part, text
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason

_SLOT = re.compile(r"\{([a-z_]+)\}")


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prompt's table in a TOML file."""

    content: str
    system: str = ""


@dataclass(frozen=True)
class Prompt:
    """A prompt for a model. `{name}` in `content` and `system` is replaced by the value of that name.

    A value that isn't text is inserted as JSON. Slots in inserted values are not replaced.
    """

    name: str
    content: str
    system: str = ""

    @property
    def digest(self) -> str:
        """Eight hex digits that identify the wording."""
        return hashlib.sha256(f"{self.system}\0{self.content}".encode()).hexdigest()[:8]

    @property
    def identity(self) -> str:
        """The name in provenance, such as `questions#1a2b3c4d`."""
        return f"{self.name}#{self.digest}"

    @property
    def slots(self) -> frozenset[str]:
        """The names of the values that the prompt shows."""
        return frozenset(_SLOT.findall(self.content + self.system))

    def messages(self, values: Mapping[str, Any], media: tuple[Part, ...] = ()) -> tuple[Message, ...]:
        """Return the Messages, media first. Raises SpecError for a slot without a value."""
        if missing := sorted(name for name in self.slots if name not in values):
            raise SpecError(f"prompt {self.name!r} has a slot without a value", got=missing[0])
        system = (Message("system", (text(self._filled(self.system, values)),)),) if self.system else ()
        return (*system, Message("user", (*media, text(self._filled(self.content, values)))))

    def _filled(self, template: str, values: Mapping[str, Any]) -> str:
        return _SLOT.sub(lambda slot: _shown(values[slot[1]]), template)


def load_prompts(path: Path) -> dict[str, Prompt]:
    """Return the prompts of a TOML file, one table each with `content` and optionally `system`. Raises SpecError."""
    try:
        tables = msgspec.convert(parse_toml(path.read_text(encoding="utf-8")), dict[str, Wording])
    except OSError as error:
        raise SpecError(f"the prompts can't be read ({error.strerror})", where=path) from None
    except (*NO_TOML, msgspec.ValidationError) as error:
        raise SpecError("the prompts are malformed", where=path, got=reason(error)) from None
    return {
        name: Prompt(f"{path.stem}/{name}", table.content.strip(), table.system.strip())
        for name, table in tables.items()
    }


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
