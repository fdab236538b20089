"""The description of the HTTP API as an OpenAPI document, made from the table of routes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from triptych.portal.site.page import Page
from triptych.version import __version__

_PART = re.compile(r"{(\w+)(?::\w+)?}")


def openapi(routes: Sequence[Page]) -> dict[str, Any]:
    """Return the document: the routes that need a token of the API."""
    paths: dict[str, dict[str, Any]] = {}
    for page in routes:
        if "api" in page.who:
            paths.setdefault(_PART.sub(r"{\1}", page.path), {})[page.method.lower()] = _operation(page)
    token = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Triptych portal", "version": __version__},
        "security": [{"token": []}],
        "components": {"securitySchemes": {"token": token}},
        "paths": paths,
    }


def _operation(page: Page) -> dict[str, Any]:
    made: dict[str, Any] = {
        "summary": page.about,
        "operationId": page.answer.__name__,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in _PART.findall(page.path)
        ],
        "responses": {"2XX": {"description": "done"}, "4XX": {"description": "refused; the body says why"}},
    }
    if page.body == "file":
        made["requestBody"] = {"required": True, "content": {"application/octet-stream": {}}}
    return made
