"""Tests of `portal/exchange/openapi.py`: the description of the HTTP API."""

from __future__ import annotations

import json
import re
from typing import Any

from starlette.responses import Response

from triptych.portal.exchange.openapi import openapi
from triptych.portal.routes import ROUTES
from triptych.portal.site.page import Page, Visit
from triptych.version import __version__


def put_thing(visit: Visit) -> Response:
    """An answer that is never given."""
    raise NotImplementedError


def test_a_route_of_the_api_is_an_operation_and_no_other_is() -> None:
    routes = [
        Page("PUT", "/api/things/{name}/{number:int}", put_thing, ("api",), "Store a thing.", body="file"),
        Page("GET", "/api/things/{name}/{number:int}", put_thing, ("api",), "A thing."),
        Page("GET", "/people", put_thing, ("admin",), "People."),
    ]
    document = openapi(routes)
    assert document["openapi"] == "3.1.0" and document["info"]["version"] == __version__
    assert document["paths"].keys() == {"/api/things/{name}/{number}"}
    operations: dict[str, Any] = document["paths"]["/api/things/{name}/{number}"]
    assert operations.keys() == {"put", "get"}
    put = operations["put"]
    assert (put["summary"], put["operationId"]) == ("Store a thing.", "put_thing")
    assert [(each["name"], each["in"], each["required"]) for each in put["parameters"]] == [
        ("name", "path", True),
        ("number", "path", True),
    ]
    assert "application/octet-stream" in put["requestBody"]["content"] and "requestBody" not in operations["get"]


def test_the_document_of_the_portal_is_valid_for_whoever_reads_it() -> None:
    """As the specification of OpenAPI 3.1 asks: JSON, unique ids, and each part of an address a parameter."""
    document = json.loads(json.dumps(openapi(ROUTES)))
    operations = [(path, each) for path, of_path in document["paths"].items() for each in of_path.values()]
    assert len(operations) == sum("api" in page.who for page in ROUTES) > 5
    names = [each["operationId"] for _, each in operations]
    assert len(set(names)) == len(names)
    for path, each in operations:
        assert re.findall(r"{(\w+)}", path) == [parameter["name"] for parameter in each["parameters"]]
        assert each["summary"] and each["responses"] and ":" not in path
    (scheme,) = document["security"][0]
    assert document["components"]["securitySchemes"][scheme] == {"type": "http", "scheme": "bearer"}


def test_a_portal_without_an_api_has_a_document_without_paths() -> None:
    assert openapi([])["paths"] == {}
