"""`triptych doctor`: the verdict about an endpoint."""

from __future__ import annotations

import socket
import tomllib
from pathlib import Path

import pytest

from triptych.cli.doctor import PACKAGES, _exit_code, examine


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


def test_doctor_names_every_extra_with_a_package_that_it_brings() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = {name: " ".join(needs) for name, needs in project["optional-dependencies"].items() if name != "all"}
    named = {extra: package for package, (_, extra) in PACKAGES.items() if extra}
    assert set(named) == set(brought)
    for package, (_, extra) in PACKAGES.items():
        assert package in (brought[extra] if extra else " ".join(project["dependencies"])), package
