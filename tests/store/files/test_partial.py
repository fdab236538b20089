"""Tests of `store/files/partial.py`: a file over HTTP, resumed where an earlier transfer ended."""

from __future__ import annotations

import http.client
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.wire import Answer, Seen, Wire
from triptych.store.files.partial import fetch_rest, size_of

WHOLE = bytes(range(256)) * 400


def ranged(seen: Seen) -> Answer:
    """As a server that knows ranges answers."""
    if not (asked := seen.headers.get("range")):
        return Answer(200, WHOLE)
    start = int(asked.removeprefix("bytes=").removesuffix("-"))
    return Answer(206, WHOLE[start:], {"Content-Range": f"bytes {start}-{len(WHOLE) - 1}/{len(WHOLE)}"})


def test_a_whole_file_and_its_progress(tmp_path: Path) -> None:
    said: list[int] = []
    with Wire(ranged) as wire:
        fetch_rest(wire.url, tmp_path / "a", len(WHOLE), timeout_s=60, report=said.append)
    assert (tmp_path / "a").read_bytes() == WHOLE
    assert "range" not in wire.seen[0].headers and said[-1] == 100


def test_only_the_missing_part_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(WHOLE[:70_000])
    with Wire(ranged) as wire:
        fetch_rest(wire.url, tmp_path / "a", len(WHOLE), timeout_s=60)
    assert wire.seen[0].headers["range"] == "bytes=70000-"
    assert (tmp_path / "a").read_bytes() == WHOLE


def test_a_server_that_ignores_the_range_starts_again(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(WHOLE[:70_000])
    with Wire(lambda seen: Answer(200, WHOLE)) as wire:
        fetch_rest(wire.url, tmp_path / "a", len(WHOLE), timeout_s=60)
    assert (tmp_path / "a").read_bytes() == WHOLE


def test_a_broken_connection_keeps_what_came(tmp_path: Path) -> None:
    with Wire(lambda seen: Answer(200, WHOLE, cut=True)) as wire, suppress(OSError, http.client.HTTPException):
        fetch_rest(wire.url, tmp_path / "a", len(WHOLE), timeout_s=60)
    kept = (tmp_path / "a").read_bytes()
    assert 0 < len(kept) < len(WHOLE) and WHOLE.startswith(kept)
    with Wire(ranged) as wire:
        fetch_rest(wire.url, tmp_path / "a", len(WHOLE), timeout_s=60)
    assert (tmp_path / "a").read_bytes() == WHOLE


def test_a_server_that_sends_more_is_not_believed(tmp_path: Path) -> None:
    with Wire(lambda seen: Answer(200, WHOLE + b"!" * 500_000)) as wire:
        fetch_rest(wire.url, tmp_path / "a", len(WHOLE), timeout_s=60)
    assert (tmp_path / "a").read_bytes() == WHOLE


@pytest.mark.parametrize("status", [401, 404, 416, 503])
def test_an_error_is_raised_and_what_was_there_stays(status: int, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(WHOLE[:10])
    with Wire(lambda seen: Answer(status, b"<html>no</html>")) as wire, pytest.raises(OSError, match=str(status)):
        fetch_rest(wire.url, tmp_path / "a", len(WHOLE), timeout_s=60)
    assert (tmp_path / "a").read_bytes() == WHOLE[:10]


def test_a_token_goes_to_the_host_alone(tmp_path: Path) -> None:
    with Wire(ranged) as store:
        moved = {"Location": store.url.replace("127.0.0.1", "localhost") + "/blob"}
        with Wire(lambda seen: Answer(302, b"", moved)) as hub:
            fetch_rest(f"{hub.url}/a", tmp_path / "a", len(WHOLE), timeout_s=60, token="hf_x")
    assert hub.seen[0].headers["authorization"] == "Bearer hf_x"
    assert store.seen and "authorization" not in store.seen[0].headers
    assert (tmp_path / "a").read_bytes() == WHOLE


def test_the_size_of_what_is_not_a_file_is_zero(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"123")
    assert (size_of(tmp_path / "a"), size_of(tmp_path / "b"), size_of(tmp_path)) == (3, 0, 0)
