"""Who may ask, and what an answer tells the browser."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tests.viewer.runs import RANDOM
from triptych.reports.html.links import run_path
from triptych.web.guard import POLICY

PAGES = ["/", run_path(RANDOM), f"{run_path(RANDOM)}items", "/static/viewer.css", "/nowhere", "/runs/none/"]


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_carries_the_policy(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


def test_a_strange_host_name_sees_nothing(client: TestClient) -> None:
    for path in PAGES:
        answer = client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 403
        assert "Triptych" not in answer.text


def test_other_methods_do_nothing(client: TestClient) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert client.request(method, f"{run_path(RANDOM)}items").status_code == 405
