"""Tests of `portal/exchange/remote.py`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construction.recipes.test_mcga import config
from tests.portal.conftest import visitor
from tests.portal.exchange.test_pull import record_all
from tests.portal.serving import served
from triptych.construction.build import build
from triptych.errors import DataError, MediaError, SpecError
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.pull import pull
from triptych.portal.exchange.push import push
from triptych.portal.exchange.remote import TOKEN, Remote
from triptych.portal.project import Portal
from triptych.portal.work.tokens import add_token, end_tokens

pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")

__all__ = ["config"]


def test_the_circle_over_http(config: Path, tmp_path: Path, small: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    to = tmp_path / "build"
    build("mcga", config, to)
    with small.database.writing() as connection:
        token = add_token(connection, "recipe")
    with served(small) as address:
        with pytest.raises(SpecError, match="token is missing"):
            Remote(address)
        monkeypatch.setenv(TOKEN, token)
        end = Remote(address)
        assert push(end, to, "record").added == 4
        assert record_all(small, visitor(small, "recorder", gender="man"), 300) == 304
        made = pull(end, to, "record")
        assert (made.results, made.media) == (4, 4)
        there = (to / "results/record.jsonl").read_bytes()
        pull(Local(small), to, "record")
        assert (to / "results/record.jsonl").read_bytes() == there
        with pytest.raises(DataError, match="no queue"):
            pull(end, to, "review")
        with pytest.raises(MediaError, match="any more"), end.medium("0" * 64):
            pass
        described = json.loads(visitor(small).client.get("/api/openapi.json").text)
        assert described["paths"]["/api/queues/{queue}/results"]["get"]["operationId"] == "results"
        with small.database.writing() as connection:
            assert end_tokens(connection, "recipe") == 1
        with pytest.raises(DataError, match="API token"):
            end.results("record")
    with pytest.raises(DataError, match="nothing accepts connections"):
        end.medium("0" * 64)  # never taken for a medium that was erased


@pytest.mark.parametrize("url", ["http://example.org", "ftp://127.0.0.1", "example.org", ""])
def test_the_token_is_sent_over_https_alone(url: str) -> None:
    with pytest.raises(SpecError, match="https://"):
        Remote(url)
