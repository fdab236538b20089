"""Templates: every value is escaped; an unknown name is an error."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.portal.site import languages
from triptych.portal.site.languages import LANGUAGES
from triptych.portal.site.page import Visit

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.responses import HTMLResponse, Response

HERE = Path(__file__).parents[1]


def show(visit: Visit, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page in the visitor's language."""
    from starlette.responses import HTMLResponse

    common = {
        "say": partial(languages.say, visit.language),
        "language": visit.language,
        "visit": visit,
        "date": partial(languages.date, visit.language),
        "day": partial(languages.day, visit.language),
        "number": partial(languages.number, visit.language),
        "languages": {name: LANGUAGES[name] for name in visit.portal.settings.languages},
        "here": visit.request.url.path,
        "settings": visit.portal.settings,
    }
    return HTMLResponse(environment().get_template(template).render(**common, **values), status)


def problem(visit: Visit, status: int, name: str, **values: object) -> Response:
    """Return a page that says why something was refused; `name`: of the text. Scripts get it as JSON.

    `why` among the values is the problem of an error, in English; people read it in their language.
    """
    from starlette.responses import JSONResponse

    if "why" in values:
        values["why"] = languages.reason_in(visit.language, str(values["why"]))
    message = languages.say(visit.language, name, **values)
    if "text/html" not in visit.request.headers.get("accept", ""):
        return JSONResponse({"problem": name, "message": message}, status)
    return show(visit, "problem.html", status, message=message)


def go(where: str) -> Response:
    """Return to a page of the portal after a form."""
    from starlette.responses import RedirectResponse

    return RedirectResponse(where, 303)


@cache
def environment() -> Environment:
    """Return the environment of all templates."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
