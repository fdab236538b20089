"""The page: templates, styles and script in one file, with a policy that blocks everything else."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.errors import SpecError
from triptych.records.findings import FINDING_ORIGINS, KINDS
from triptych.records.harmless import visible
from triptych.reports.html import links
from triptych.reports.html.chapter import Chapter
from triptych.reports.html.first_screen import screen
from triptych.reports.html.fonts import font_face
from triptych.reports.html.tables import compact
from triptych.reports.plots.draw import INSTALL
from triptych.reports.plots.text_style import TOKENS, theme_rules
from triptych.reports.tables import words
from triptych.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"
_CJK = re.compile(f"({words.CHINESE}+)")


def page(chapters: Sequence[Chapter], title: str = "", *, viewer: str = links.VIEWER) -> str:
    """Return the whole file. `title`: in place of one that says what was compared; `viewer`: the address that numbers
    link to; empty for no links. Raises SpecError if jinja2 isn't installed."""
    first = screen([chapter.block for chapter in chapters], title)
    return fill_template(
        "report.html",
        title=first.title,
        screen=first,
        chapters=chapters,
        kinds=KINDS,
        origins=FINDING_ORIGINS,
        viewer=viewer,
        roots=[] if not viewer else sorted({chapter.root for chapter in chapters}),
    )


def fill_template(template: str, **values: Any) -> str:
    """Return a template filled with its values, the report's styles, and a policy that allows only those. Raises
    SpecError as `page`.

    The template uses `policy`, `style`, `font` and `script` as `report.html` does.
    """
    environment = _environment()
    style = "\n".join(
        [TOKENS.read_text(encoding="utf-8"), (TEMPLATES / "report.css").read_text(encoding="utf-8"), theme_rules()]
    )
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    font, rules = (f"triptych-{secrets.token_hex(16)}" for _ in range(2))  # filled when the page's characters are known
    shown = environment.get_template(template).render(
        **values,
        version=__version__,
        policy=rules,
        style=_trusted(style),
        font=font,
        script=_trusted(script),
    )
    face = font_face(shown)
    element = f"<style>{face}</style>" if face else ""
    return shown.replace(rules, policy(style, script, face), 1).replace(font, element, 1)


def policy(style: str, script: str, font: str = "") -> str:
    """Return the Content-Security-Policy: only these styles, this script, and media and a font embedded in the file.

    `font`: the text of the style element that holds a font; empty if the page has none.
    """
    styles = " ".join(_hash(text) for text in (style, font) if text)
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src {styles}",
            f"script-src {_hash(script)}",
            "font-src data:",
            "img-src data:",
            "media-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _environment() -> Environment:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise SpecError("HTML reports need jinja2", fix=INSTALL) from None
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )
    environment.filters["zh"] = chinese
    environment.filters["name"] = break_after_slashes
    environment.filters["prose"] = prose
    environment.filters["compact"] = compact
    environment.filters["svg"] = _drawn
    environment.filters["plain"] = lambda text: str(text).replace("_", " ")
    return environment


def _finalized(value: Any) -> Any:
    """Escape values that no filter has handled; markup is created only by this package."""
    from markupsafe import Markup

    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def prose(text: str) -> Markup:
    """Return a sentence as HTML; text between backticks becomes code."""
    from markupsafe import Markup

    pieces = str(text).split("`")
    if len(pieces) % 2 == 0:  # a backtick without its fellow is a sign like any other
        return chinese(text)
    shown = [Markup("<code>{}</code>").format(piece) if n % 2 else chinese(piece) for n, piece in enumerate(pieces)]
    return Markup("").join(shown)


def break_after_slashes(text: str) -> Markup:
    """Return a name with line-break opportunities after its slashes."""
    from markupsafe import Markup

    return Markup("/<wbr>").join(chinese(piece) for piece in str(text).split("/"))


def chinese(text: str) -> Markup:
    """Return the text escaped, with Chinese marked as such for fonts and screen readers."""
    from markupsafe import Markup, escape

    pieces = _CJK.split(visible(str(text)))
    marked = [Markup('<span lang="zh">{}</span>').format(p) if n % 2 else escape(p) for n, p in enumerate(pieces)]
    return Markup("").join(marked)


def _trusted(text: str) -> Markup:
    """Return a text of this package without escaping."""
    from markupsafe import Markup

    return Markup(text)


def _drawn(drawing: Any, name: str) -> Markup:
    """Return a figure's SVG, which its serialiser has already escaped."""
    from markupsafe import Markup

    return Markup(drawing.svg(name))
