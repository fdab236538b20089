"""Tests of `models/gemini/batch.py`: the batch mode, with results of any kind."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.models import batches_for_tests
from tests.models.batches_for_tests import carried_out
from tests.models.gemini.test_adapter import adapter, request
from tests.support.batch_servers import GeminiServer
from tests.support.wire import Answer, Seen, Wire
from triptych.media.payload import MediaReader
from triptych.models.batch import BatchResult
from triptych.models.gemini.batch import GeminiBatches
from triptych.records import media, text

pytest.importorskip("google.genai")


def use(wire: Wire, work: Callable[[GeminiBatches, Any], Awaitable[Any]], **settings: Any) -> Any:
    """Open an adapter, do something with its batches, close it."""
    return batches_for_tests.use(adapter(wire, **settings), work)


def test_a_batch_from_its_lines_to_its_results(tmp_path: Path) -> None:
    async def work(batches: GeminiBatches, asked: Any) -> list[BatchResult]:
        lines = tmp_path / "lines.jsonl"
        requests = [request(text(f"Which is {n}? 春眠\u2028不觉晓")) for n in (1, 2)]
        made = [
            await batches.line(f"k{n}", one, await asked.prepare(one, MediaReader(None)))
            for n, one in enumerate(requests, 1)
        ]
        lines.write_bytes(b"".join(made))
        return await carried_out(batches, lines)

    with Wire(GeminiServer()) as wire:
        results = use(wire, work)
    assert {result.key: result.reply.text for result in results if result.reply} == {"k1": "B", "k2": "B"}


def test_a_line_is_the_request_as_the_rest_interface_takes_it(root: Path) -> None:
    asked_for = request(text("?"), media("image", "b.jpg"), system="Be brief.", temperature=0, max_tokens=8)

    async def work(batches: GeminiBatches, asked: Any) -> Any:
        return json.loads(await batches.line("k", asked_for, await asked.prepare(asked_for, MediaReader(root))))

    with Wire(lambda seen: Answer()) as wire:
        line = use(wire, work, safety="off")
    assert line["key"] == "k"
    assert set(line["request"]) == {"contents", "generationConfig", "systemInstruction", "safetySettings"}
    assert line["request"]["systemInstruction"] == {"parts": [{"text": "Be brief."}], "role": "user"}
    assert line["request"]["generationConfig"] == {"temperature": 0, "maxOutputTokens": 8}
    assert line["request"]["contents"][0]["parts"][1]["inlineData"]["mimeType"] == "image/jpeg"
    assert not wire.seen


def collected(*lines: Any, file: bool = True) -> list[BatchResult]:
    """What a file of responses with these lines gives."""
    content = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)

    def serve(seen: Seen) -> Answer:
        if ":download" in seen.path:
            return Answer(200, content)
        output = {"output": {"responsesFile": "files/out"}} if file else {}
        metadata = {"displayName": "x", "state": "BATCH_STATE_SUCCEEDED", "model": "models/m", **output}
        return Answer(200, json.dumps({"name": "batches/b", "metadata": metadata}).encode())

    async def work(batches: GeminiBatches, asked: Any) -> list[BatchResult]:
        return [result async for result in batches.results("batches/b")]

    with Wire(serve) as wire:
        return list(use(wire, work))


GOOD = {"key": "good", "response": {"candidates": [{"content": {"parts": [{"text": "B"}]}, "finishReason": "STOP"}]}}


@pytest.mark.parametrize(
    "broken",
    [{"key": "x"}, {"key": "x", "response": "B"}, {"key": "x", "error": "no"}, {"key": "x", "response": {}}],
)
def test_a_result_without_an_answer_costs_its_request_alone(broken: Any) -> None:
    bad, good = collected(broken, GOOD)
    assert good.reply is not None and good.reply.text == "B"
    assert bad.key == "x" and bad.error is not None and (bad.error.kind, bad.error.retryable) == ("malformed", True)


@pytest.mark.parametrize("broken", [b"{", b"[]", b"5", b'{"response": {}}', b"\xff\xfe", b"  "])
def test_a_line_that_names_no_request_is_left_to_be_asked_again(broken: bytes) -> None:
    """Before, such a line ended the command, or the batch was taken for somebody else's."""
    assert [result.key for result in collected(broken, GOOD)] == ["good"]


@pytest.mark.parametrize(
    ("code", "kind", "retryable"),
    [
        (1, "timeout", True),
        (4, "timeout", True),
        (3, "bad_request", False),
        (8, "rate_limit", True),
        (13, "server", True),
        (14, "server", True),
        (16, "auth", False),
        (429, "rate_limit", True),
        (None, "server", True),
    ],
)
def test_errors_by_the_code_of_google_rpc(code: int | None, kind: str, retryable: bool) -> None:
    (result,) = collected({"key": "k", "error": {"code": code, "message": "sorry"}})
    assert result.error is not None and (result.error.kind, result.error.retryable) == (kind, retryable)


def test_a_job_that_ended_without_a_file_has_no_results() -> None:
    assert collected(GOOD, file=False) == []
