"""Who may ask, and what an answer tells the browser."""

from __future__ import annotations

from starlette.testclient import TestClient

from tests.viewer.runs import RANDOM
from triptych.reports.html.links import run_path

PAGES = ["/", run_path(RANDOM), f"{run_path(RANDOM)}items", "/static/viewer.css", "/nowhere", "/runs/none/"]


def test_a_strange_host_name_sees_nothing(client: TestClient) -> None:
    for path in PAGES:
        answer = client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 403
        assert "Triptych" not in answer.text


def test_other_methods_do_nothing(client: TestClient) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert client.request(method, f"{run_path(RANDOM)}items").status_code == 405
