"""Tests of `models/anthropic/batch.py`: message batches, with results of any kind."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.models import batches_for_tests
from tests.models.anthropic.test_adapter import adapter
from tests.support.batch_servers import AnthropicServer
from tests.support.wire import Answer, Seen, Wire
from triptych.media.payload import MediaReader
from triptych.models.anthropic.batch import AnthropicBatches
from triptych.models.batch import BatchResult, BatchState
from triptych.records import Message, Request, text

pytest.importorskip("anthropic")


def use(wire: Wire, work: Callable[[AnthropicBatches, Any], Awaitable[Any]]) -> Any:
    """Open an adapter, do something with its batches, close it."""
    return batches_for_tests.use(adapter(wire), work)


def request(number: int, **settings: Any) -> Request:
    return Request(str(number), (Message("user", (text(f"Which is {number}? 春眠\u2028不觉晓"),)),), settings)


def test_a_batch_from_its_lines_to_its_results(tmp_path: Path) -> None:
    async def work(batches: AnthropicBatches, asked: Any) -> list[BatchResult]:
        lines = tmp_path / "lines.jsonl"
        requests = [request(n, temperature=0.5) for n in (1, 2)]
        made = [await batches.line(f"k{r.id}", r, await asked.prepare(r, MediaReader(None))) for r in requests]
        params = json.loads(made[0])["params"]
        assert params["temperature"] == 0.5 and "extra_body" not in params
        lines.write_bytes(b"".join(made))
        batch = await batches.submit(lines, "3f2a")
        assert await batches.state(batch) == BatchState(False)
        assert await batches.state(batch) == BatchState(True)
        now = server.batches[batch]["made"]
        assert await batches.find("3f2a", 2, now, ()) == batch
        assert await batches.find("3f2a", 2, now + 200, ()) == batch, "clocks differ by some minutes"
        assert await batches.find("3f2a", 2, now + 400, ()) == "", "made too early"
        assert await batches.find("3f2a", 3, now, ()) == "" == await batches.find("3f2a", 2, now, (batch,))
        return [result async for result in batches.results(batch)]

    server = AnthropicServer()
    with Wire(server) as wire:
        results = use(wire, work)
    assert {result.key: result.reply.text for result in results if result.reply} == {"k1": "B", "k2": "B"}


def about(seen: Seen, **more: Any) -> Answer:
    counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
    body = {
        "id": "b",
        "type": "message_batch",
        "processing_status": "ended",
        "request_counts": counts,
        "created_at": "2026-01-02T03:04:05Z",
        "expires_at": "2026-01-03T03:04:05Z",
        "results_url": f"http://{seen.headers['host']}/v1/messages/batches/b/results",
        **more,
    }
    return Answer(200, json.dumps(body).encode())


def collected(*results: Any) -> list[BatchResult]:
    """What these results give, with keys 0, 1 …"""
    lines = b"".join(json.dumps({"custom_id": str(n), "result": one}).encode() + b"\n" for n, one in enumerate(results))

    def serve(seen: Seen) -> Answer:
        return Answer(200, lines, kind="application/x-jsonl") if seen.path.endswith("/results") else about(seen)

    async def work(batches: AnthropicBatches, asked: Any) -> list[BatchResult]:
        return [result async for result in batches.results("b")]

    with Wire(serve) as wire:
        return list(use(wire, work))


def message(stop_reason: str) -> dict[str, Any]:
    content = [{"type": "text", "text": "B"}]
    usage = {"input_tokens": 9, "output_tokens": 1}
    body = {"id": "m", "type": "message", "role": "assistant", "model": "c", "stop_reason": stop_reason}
    return {"type": "succeeded", "message": {**body, "content": content, "usage": usage}}


def error(kind: str) -> dict[str, Any]:
    return {"type": "errored", "error": {"type": "error", "error": {"type": kind, "message": "sorry"}}}


def test_answers_and_errors_by_what_they_say() -> None:
    kinds = [
        "invalid_request_error",
        "authentication_error",
        "rate_limit_error",
        "overloaded_error",
        "api_error",
        "new",
    ]
    good, refused, *failed = collected(message("end_turn"), message("refusal"), *map(error, kinds))
    assert good.reply and good.reply.text == "B" and refused.reply and refused.reply.status == "refused"
    errors = {kind: one.error for kind, one in zip(kinds, failed, strict=True)}
    assert {kind: (one.kind, one.retryable) for kind, one in errors.items() if one} == {
        "invalid_request_error": ("bad_request", False),
        "authentication_error": ("auth", False),
        "rate_limit_error": ("rate_limit", True),
        "overloaded_error": ("server", True),
        "api_error": ("server", True),
        "new": ("server", True),
    }


def test_what_was_not_reached_is_asked_again() -> None:
    for result in collected({"type": "expired"}, {"type": "canceled"}):
        assert result.error is not None and (result.error.kind, result.error.retryable) == ("timeout", True)


def test_a_result_that_can_not_be_read_costs_its_request_alone() -> None:
    odd, empty, wordless, good = collected({"type": "paused"}, {}, message("pause_turn"), message("end_turn"))
    for one in (odd, empty, wordless):
        assert one.error is not None and (one.error.kind, one.error.retryable) == ("malformed", True)
    assert good.reply is not None and good.reply.text == "B"


def test_results_that_the_service_has_deleted_are_said_to_be_gone() -> None:
    async def work(batches: AnthropicBatches, asked: Any) -> BatchState:
        return await batches.state("b")

    with Wire(lambda seen: about(seen, archived_at="2026-02-01T00:00:00Z")) as wire:
        state = use(wire, work)
    assert state.ended and "29 days" in state.failed
