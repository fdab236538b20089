"""Tests of `models/openai/batch.py`: the batch interface, with results of any kind."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.models import batches_for_tests
from tests.models.batches_for_tests import carried_out
from tests.support.batch_servers import OpenAIServer
from tests.support.wire import Answer, Seen, Wire
from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.batch import BatchResult, BatchState
from triptych.models.openai.adapter import make
from triptych.models.openai.batch import OpenAIBatches
from triptych.records import Message, Request, text


def use(url: str, work: Callable[[OpenAIBatches, Any], Awaitable[Any]]) -> Any:
    """Open an adapter, do something with its batches, close it."""
    return batches_for_tests.use(make("gpt-x", {"base_url": f"{url}/v1"}), work)


@pytest.fixture(autouse=True)
def key(no_key: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-test-test-test-test")


def request(number: int, words: str = "") -> Request:
    return Request(str(number), (Message("user", (text(f"Which is {number}? {words}"),)),))


def test_a_batch_from_its_lines_to_its_results(tmp_path: Path) -> None:
    async def work(batches: OpenAIBatches, adapter: Any) -> list[BatchResult]:
        lines = tmp_path / "lines.jsonl"
        asked = [request(n, "春眠\u2028不觉晓") for n in (1, 2)]
        lines.write_bytes(
            b"".join([await batches.line(f"k{r.id}", r, await adapter.prepare(r, MediaReader(None))) for r in asked])
        )
        assert lines.read_bytes().count(b"\n") == 2
        return await carried_out(batches, lines)

    with Wire(OpenAIServer()) as wire:
        results = use(wire.url, work)
    assert {result.key: result.reply.text for result in results if result.reply} == {"k1": "B", "k2": "B"}


def collected(*lines: Any) -> list[BatchResult]:
    """What a file of results with these lines gives."""
    content = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)

    def serve(seen: Seen) -> Answer:
        if seen.path.endswith("/content"):
            return Answer(200, content, kind="application/octet-stream")
        return Answer(200, b'{"id": "b", "status": "completed", "output_file_id": "f", "error_file_id": null}')

    async def work(batches: OpenAIBatches, adapter: Any) -> list[BatchResult]:
        return [result async for result in batches.results("b")]

    with Wire(serve) as wire:
        return list(use(wire.url, work))


GOOD = {
    "custom_id": "good",
    "error": None,
    "response": {
        "status_code": 200,
        "body": {"model": "m", "choices": [{"message": {"content": "B"}, "finish_reason": "stop"}]},
    },
}


@pytest.mark.parametrize(
    "broken",
    [
        {"custom_id": "x", "response": None, "error": None},
        {"custom_id": "x", "response": {"status_code": 200}},
        {"custom_id": "x", "response": {"body": {}}},
        {"custom_id": "x", "response": "B"},
        {"custom_id": "x", "response": None, "error": "no"},
    ],
)
def test_a_result_without_an_answer_costs_its_request_alone(broken: Any) -> None:
    """Before, one such line ended the command, and the answers behind it were never read."""
    bad, good = collected(broken, GOOD)
    assert good.reply is not None and good.reply.text == "B"
    assert bad.key == "x" and bad.error is not None and (bad.error.kind, bad.error.retryable) == ("malformed", True)


@pytest.mark.parametrize("broken", [b"{", b"[]", b"5", b'{"id": "no key"}', b"\xff\xfe", b"   "])
def test_a_line_that_names_no_request_is_left_to_be_asked_again(broken: bytes) -> None:
    assert [result.key for result in collected(broken, GOOD)] == ["good"]


def test_errors_by_what_they_say() -> None:
    def failed(code: str) -> dict[str, Any]:
        return {"custom_id": code, "response": None, "error": {"code": code, "message": "sorry"}}

    bad = {"custom_id": "bad", "response": {"status_code": 400, "body": {"error": {"message": "too long"}}}}
    results = collected(failed("batch_expired"), failed("batch_cancelled"), failed("odd"), bad)
    errors = {result.key: result.error for result in results if result.error}
    assert {key: (error.kind, error.retryable) for key, error in errors.items()} == {
        "batch_expired": ("timeout", True),
        "batch_cancelled": ("timeout", True),
        "odd": ("server", True),
        "bad": ("bad_request", False),
    }
    assert "odd: sorry" in str(errors["odd"]) and "too long" in str(errors["bad"])


def test_a_batch_that_was_refused_says_why() -> None:
    body = {"status": "failed", "errors": {"data": [{"message": "line 3 has no model"}, {"message": "line 9"}]}}

    async def work(batches: OpenAIBatches, adapter: Any) -> BatchState:
        return await batches.state("b")

    with Wire(lambda seen: Answer(200, json.dumps(body).encode())) as wire:
        assert use(wire.url, work) == BatchState(True, "line 3 has no model; line 9")
    with Wire(lambda seen: Answer(200, b'{"status": "failed", "errors": null}')) as wire:
        assert use(wire.url, work) == BatchState(True, "no reason given")


@pytest.mark.parametrize("body", [b"[]", b"<html>", b"5", b"{}", b'{"status": "failed", "errors": ["no"]}'])
def test_a_state_that_is_none_is_worth_another_look(body: bytes) -> None:
    async def work(batches: OpenAIBatches, adapter: Any) -> None:
        with pytest.raises(ProviderError, match="an answer that can't be read") as caught:
            await batches.state("b")
        assert (caught.value.kind, caught.value.retryable) == ("malformed", True)

    with Wire(lambda seen: Answer(200, body)) as wire:
        use(wire.url, work)


@pytest.mark.parametrize("body", [b"[]", b"<html>", b'{"data": [{"metadata": {"triptych": "n"}}]}', b'{"data": [5]}'])
def test_other_answers_that_are_none_are_worth_another_try(body: bytes, tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(b"{}\n")

    async def work(batches: OpenAIBatches, adapter: Any) -> list[str]:
        kinds = []
        for call in (lambda: batches.find("n", 1, 0.0, ()), lambda: batches.submit(tmp_path / "lines", "n")):
            with pytest.raises(ProviderError) as caught:
                await call()
            kinds.append(caught.value.kind)
        return kinds

    with Wire(lambda seen: Answer(200, body)) as wire:
        assert use(wire.url, work) == ["malformed", "malformed"]


def test_lines_that_are_missing_here_are_not_the_fault_of_the_connection(tmp_path: Path) -> None:
    async def work(batches: OpenAIBatches, adapter: Any) -> None:
        with pytest.raises(FileNotFoundError):
            await batches.submit(tmp_path / "lines", "n")

    with Wire(lambda seen: Answer(200, b"{}")) as wire:
        use(wire.url, work)


def test_an_older_batch_is_found_on_a_later_page() -> None:
    def serve(seen: Seen) -> Answer:
        first = "after=" not in seen.path
        rows = [
            {"id": f"b{n}", "created_at": 900 if first else 800, "metadata": {"triptych": str(n)}} for n in range(3)
        ]
        rows = rows if first else [{**row, "id": "old", "metadata": {"triptych": "mine"}} for row in rows[:1]]
        return Answer(200, json.dumps({"data": rows, "has_more": first}).encode())

    def find(since: float) -> Callable[[OpenAIBatches, Any], Awaitable[str]]:
        return lambda batches, adapter: batches.find("mine", 1, since, ())

    with Wire(serve) as wire:
        assert use(wire.url, find(0.0)) == "old" and "after=b2" in wire.seen[-1].path
    with Wire(serve) as wire:
        assert use(wire.url, find(1000.0)) == "" and len(wire.seen) == 1, "older pages can't have it"


def test_a_streamed_model_has_no_batches() -> None:
    with pytest.raises(SpecError, match="can't be asked in batches"):
        make("gpt-x", {"base_url": "http://127.0.0.1:9/v1", "stream": "true"}).batches()
