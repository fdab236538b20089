"""The texts of a task on a review page, and the names of fields and choices in the language of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from triptych.portal.review.fields import Field, as_text
from triptych.portal.site.languages import words
from triptych.portal.site.media_access import Medium, entries_of, label_of

_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class ShownValue:
    """A value that is shown as text; `entries`: of a list whose media are shown above, with the same letters.
    `language`: of the text, `zh` or empty."""

    name: str
    kind: Literal["text", "list", "entries", "data"]
    value: Any
    language: str


def shown_values(body: Mapping[str, Any], media: Collection[Medium], fields: Collection[Field]) -> list[ShownValue]:
    """Return the texts of a task: everything that is neither a medium nor proposed for an edit."""
    left_out = {"media", *(each.field for each in media), *(f.name for f in fields if f.proposed is not None)}
    values = body.get("shows", {}).items()
    return [
        _shown(name, value, entries_of(name, value, media))
        for name, value in values
        if name not in left_out and value not in (None, "", [], {})
    ]


def _shown(name: str, value: Any, entries: list[str] | None) -> ShownValue:
    text = as_text(value)
    language = "zh" if _IDEOGRAPH.search(text) else ""
    if entries is not None:
        return ShownValue(name, "entries", entries if any(entries) else [], language)
    if isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
        return ShownValue(name, "list", [str(each) for each in value], language)
    return ShownValue(name, "data" if isinstance(value, dict | list) else "text", text, language)


def field_name(language: str) -> Callable[[str], str]:
    """Return the function that names fields.

    >>> field_name("en")("verdict"), field_name("en")("true_text")
    ('Verdict', 'True text')
    >>> field_name("en")("candidates.0.audio")
    'Candidates A: Recording'
    """
    return lambda name: label_of(name, lambda part: _named(language, part))


def _named(language: str, name: str) -> str:
    return _localised(language, f"field-{name}") or name.replace("_", " ").capitalize()


def choice_name(language: str) -> Callable[[Any], str]:
    """Return the function that names choices; one without a text is shown as it is.

    >>> choice_name("zh")("not in the audio"), choice_name("en")("B"), choice_name("en")(True)
    ('与音频内容无关', 'B', 'yes')
    """
    return lambda choice: _localised(language, f"choice-{_slug(choice)}") or str(choice)


def _slug(choice: Any) -> str:
    text = {True: "yes", False: "no"}[choice] if isinstance(choice, bool) else str(choice)
    return text.lower().replace(" ", "-").replace("_", "-")


def _localised(language: str, name: str) -> str:
    return words().get(name, {}).get(language, "")
