"""`triptych doctor`: the verdict about an endpoint."""

from __future__ import annotations

import socket

import pytest

from triptych.cli.doctor import _exit_code, examine


def closed_port() -> int:
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return int(own.getsockname()[1])


def test_an_endpoint_that_refuses_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    address = f"http://127.0.0.1:{closed_port()}/v1"
    found = examine(address)
    first = found["verdict"][0]
    assert first.startswith(f"Not ready: the endpoint {address} does not answer (") and "urlopen" not in first
    assert _exit_code(found) == 1
    assert not any(line.startswith("endpoint:") for line in found["verdict"]), "said once"


def test_without_an_endpoint_baselines_are_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    found = examine()
    assert found["verdict"][0].startswith("Ready") and _exit_code(found) == 0
