"""The live page: progress, failures first, replies as they come, several Runs side by side."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.runs import item, manifest
from tests.viewer.runs import EVIL
from triptych.records import ErrorInfo, Response
from triptych.store.folder import RunFolder

pytest.importorskip("starlette", reason="the viewer's packages are not installed (pip install 'triptych[portal]')")
from starlette.testclient import TestClient

from triptych.viewer.app import make_app
from triptych.viewer.catalogue import Catalogue
from triptych.viewer.pages.live import Follower, live

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def reply(number: int, status: str = "answered", said: str = "B") -> Response:
    error = ErrorInfo("server", f"HTTP 500: {said}") if status == "failed" else None
    at = (NOON + timedelta(seconds=2 * number)).isoformat(timespec="milliseconds")
    return Response(f"{number:05}", "", 0, status, said, error=error, cost_usd=0.25, time=at)  # type: ignore[arg-type]


def run(place: Path, *replies: Response, **changes: object) -> RunFolder:
    folder = RunFolder.create(place, manifest(planned=10, **changes))
    append(folder, *replies)
    return folder


def append(folder: RunFolder, *replies: Response) -> None:
    with folder.writer() as writer:
        for response in replies:
            if not writer.knows(response.item):
                writer.add_item(item(int(response.item)))
            writer.add_response(response)


def test_progress_and_what_failed_first(tmp_path: Path) -> None:
    folder = run(tmp_path / "a", reply(0), reply(1, "failed", "no"), reply(2), reply(3, "refused"))
    follower = Follower()
    found = live(Catalogue(tmp_path).list_runs(), [], follower)
    (row,), (column,) = found["rows"], found["columns"]
    assert (row["done"], row["planned"], row["failed"], row["refused"], row["usd"]) == (3, 10, 1, 1, "$1.0000")
    assert row["to_go"] == "12 s" and row["going"], "six Requests at one in two seconds"
    assert [line["kind"] for line in column["failures"]] == ["server"]
    assert [line["item"] for line in column["replies"]] == ["00003", "00002", "00000"]
    append(folder, reply(1), reply(4))
    found = live(Catalogue(tmp_path).list_runs(), [], follower)
    (row,), (column,) = found["rows"], found["columns"]
    assert (row["done"], row["failed"]) == (5, 0) and not column["failures"], "what was asked again has not failed"


def test_only_whole_lines_are_read_and_a_new_journal_is_noticed(tmp_path: Path) -> None:
    folder = run(tmp_path / "a", reply(0))
    path, follower = tmp_path / "a" / "responses.jsonl", Follower()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"item": "00001", "condi')
    assert sum(follower.read_progress(folder).counts.values()) == 1
    path.write_bytes(whole + whole.replace(b"00000", b"00001") + b"not a line\n")
    found = follower.read_progress(folder)
    assert sum(found.counts.values()) == 2 and found.damaged == 1
    path.write_bytes(b"")
    assert sum(follower.read_progress(folder).counts.values()) == 0


def test_several_runs_side_by_side_and_those_that_rest(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        run(tmp_path / name, reply(0, said=f"from {name}"), model=f"told/{name}")
    old = time.time() - 3600
    os.utime(tmp_path / "c" / "responses.jsonl", (old, old))
    listed = Catalogue(tmp_path).list_runs()
    found = live(listed, [], Follower())
    assert {row["slug"] for row in found["rows"]} == {"a", "b"} and [r["slug"] for r in found["rest"]] == ["c"]
    chosen = live(listed, ["c", "a", "nosuch"], Follower())
    assert [column["slug"] for column in chosen["columns"]] == ["c", "a"]
    assert [row["going"] for row in chosen["rows"] if row["slug"] == "c"] == [False]


def test_the_page_is_safe_and_reloads_while_runs_go_on(tmp_path: Path) -> None:
    run(tmp_path / "a", reply(0, said=EVIL), reply(1, "failed", EVIL))
    with TestClient(make_app(tmp_path), base_url="http://127.0.0.1") as client:
        page = client.get("/live")
        assert page.status_code == 200 and 'http-equiv="refresh"' in page.text
        assert "<img src=x" not in page.text and "&lt;img src=x" in page.text
        assert page.text.index("Failures (1)") < page.text.index("Latest replies")
        assert 'http-equiv="refresh"' not in client.get("/live?paused=1").text
        assert "/live" in client.get("/").text
    (tmp_path / "empty").mkdir()
    with TestClient(make_app(tmp_path / "empty"), base_url="http://127.0.0.1") as client:
        assert "There are no Runs" in client.get("/live").text
