"""Templates: every value is escaped; an unknown name is an error."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from triptych.reports.html.links import FACET

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup
    from starlette.responses import HTMLResponse

HERE = Path(__file__).parent
MAX_TEXT_LENGTH = 200_000  # characters of one text that a page shows; the page says how much is left out
_JOINTS = re.compile(r"(?<=[/_-])")
_HAN = re.compile(r"[㐀-鿿]")
_KANA = re.compile(r"[぀-ヿ]")
_TONES = {
    "right": "right",
    "scored": "right",
    "answered": "right",
    "wrong": "wrong",
    "failed": "wrong",
    "missing": "none",
    "partly": "unsure",
    "unparsed": "unsure",
    "truncated": "unsure",
    "judge_failed": "unsure",
    "none": "none",
    "neither": "wrong",
    "both": "right",
}


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page of a template."""
    from starlette.responses import HTMLResponse

    return HTMLResponse(_environment().get_template(template).render(**values), status)


def tone(outcome: str) -> str:
    """Return the colour class of an outcome or a status: right, wrong, unsure, lost or none."""
    return "tone-" + _TONES.get(outcome, "lost")


def language(words: object) -> str:
    """Return `zh` for a text with Chinese characters and `ja` with kana, which fonts and screen readers use; otherwise
    empty."""
    text = str(words)[:2000]
    if not _HAN.search(text):
        return ""
    return "ja" if _KANA.search(text) else "zh"


def shorten(words: object) -> str:
    """Return a text for a page; a text too long for a page is truncated, and the number of omitted characters is
    added."""
    text = str(words)
    return (
        text
        if len(text) <= MAX_TEXT_LENGTH
        else f"{text[:MAX_TEXT_LENGTH]}\n… ({len(text) - MAX_TEXT_LENGTH:,} characters more)"
    )


def breakable(words: object) -> Markup:
    """Return a text that may break after `/`, `_` and `-`."""
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(escape(piece) for piece in _JOINTS.split(str(words)))


def seconds(value: float) -> str:
    """Return seconds to three digits; empty for less than a millisecond, which can't be a request to a model."""
    return f"{value:.3g}" if value >= 0.001 else "under 0.001"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "tone": tone,
        "language": language,
        "breakable": breakable,
        "seconds": seconds,
        "shortened": shorten,
        "spaced": lambda words: str(words).replace("_", " "),
        "when": lambda time: f"{str(time)[:19].replace('T', ' ')} UTC" if time else "",
        "facet_query": lambda name, value: urlencode({f"{FACET}{name}": value}),
    }
    return environment
