"""Tests of `viewer/serve.py`: the server of the viewer."""

from __future__ import annotations

import pytest

from triptych.viewer.serve import is_loopback


@pytest.mark.parametrize(
    ("host", "own"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("lab.example", False)],
)
def test_addresses_of_this_computer(host: str, own: bool) -> None:
    assert is_loopback(host) is own
