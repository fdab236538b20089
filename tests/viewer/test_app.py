"""Tests of `viewer/app.py`: the web app."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from triptych.viewer.app import make_app


def test_a_name_can_be_allowed(root: Path) -> None:
    allowed = TestClient(make_app(root, names=["lab.example"]), base_url="http://lab.example")
    assert allowed.get("/").status_code == 200
