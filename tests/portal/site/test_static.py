"""Tests of `portal/site/static.py`: the portal's own files, and no others."""

from __future__ import annotations

import pytest

from tests.portal.conftest import anonymous
from triptych.portal.project import Portal
from triptych.portal.site.static import TYPES, files


def test_every_file_is_served_with_its_type_and_asked_for_again(small: Portal) -> None:
    client = anonymous(small)
    for name, path in files().items():
        answer = client.get(f"/static/{name}")
        assert answer.status_code == 200 and answer.content == path.read_bytes(), name
        assert answer.headers["content-type"].partition(";")[0] == TYPES[path.suffix]
        assert answer.headers["cache-control"] == "no-cache" and answer.headers["x-content-type-options"] == "nosniff"
        assert client.get(f"/static/{name}", headers={"if-none-match": answer.headers["etag"]}).status_code in (
            200,
            304,
        )


def test_pages_name_no_file_that_is_missing() -> None:
    assert {"portal.css", "tokens.css", "theme.js", "icon.png", "forget.js"} <= files().keys()
    assert all(path.is_file() and path.name == name for name, path in files().items())


@pytest.mark.parametrize(
    "name",
    ["none.css", "PORTAL.CSS", "portal.css ", "..%2fsecret", "%2e%2e%2fportal.db", "a%00.css", "题.js"],
)
def test_a_name_that_is_not_in_the_table_opens_nothing(small: Portal, name: str) -> None:
    assert anonymous(small).get(f"/static/{name}").status_code == 404
