"""An aiohttp without one of the parts that aren't public: Requests go through its public interface."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest

import triptych
from tests.support.mock_process import MockProcess
from triptych.models.http import aiohttp_inside

GONE = [f"{owner.__name__}.{name}" for owner, name in aiohttp_inside.METHODS]


def answered(folder: Path) -> None:
    with MockProcess(answer="letter") as mock:
        run = triptych.run("cmdar/main", "openai/m", base_url=mock.base_url, limit=3, out=folder)
        assert {response.status for response in run.folder.responses()} == {"answered"}
        assert mock.stats()["received"] >= 3


def test_nothing_is_missing_in_this_one() -> None:
    assert aiohttp_inside.missing() == []


@pytest.mark.parametrize("name", GONE)
def test_a_method_that_is_gone_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, method = next(pair for pair in aiohttp_inside.METHODS if f"{pair[0].__name__}.{pair[1]}" == name)
    methods = tuple((o, f"{m}_gone" if (o, m) == (owner, method) else m) for o, m in aiohttp_inside.METHODS)
    monkeypatch.setattr(aiohttp_inside, "METHODS", methods)
    assert aiohttp_inside.missing() == [f"{name}_gone"]


def test_without_it_requests_are_answered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(aiohttp_inside, "METHODS", ((aiohttp_inside.ResponseHandler, "gone"),))
    assert aiohttp_inside.missing()
    answered(tmp_path / "run")


@pytest.mark.parametrize("attribute", aiohttp_inside.ATTRIBUTES)
def test_without_an_attribute_of_the_connector_requests_are_answered(
    attribute: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(aiohttp_inside, "ATTRIBUTES", (*aiohttp_inside.ATTRIBUTES, f"{attribute}_gone"))
    answered(tmp_path / "run")


def test_a_constructor_that_takes_other_arguments_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wanted: tuple[Any, ...] = ((aiohttp.ClientRequest, ("gone",)),)
    monkeypatch.setattr(aiohttp_inside, "PARAMETERS", wanted)
    assert aiohttp_inside.missing() == ["ClientRequest(gone)"]
    answered(tmp_path / "run")
