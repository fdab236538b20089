"""Tests of `models/batch.py`: what the batch interfaces of the services have in common."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from triptych.errors import ProviderError
from triptych.models.adapter import Reply
from triptych.models.anthropic.batch import AnthropicBatches
from triptych.models.batch import BatchResult, BatchService, BatchState, expired, read_line, read_result
from triptych.models.gemini.batch import GeminiBatches
from triptych.models.openai.batch import OpenAIBatches

SERVICES = [AnthropicBatches, GeminiBatches, OpenAIBatches]


@pytest.mark.parametrize("what", ["expired", "cancelled"])
def test_a_request_that_was_not_reached_is_worth_asking_again(what: str) -> None:
    error = expired(what)
    assert str(error) == f"the batch {what} before this Request was answered"
    assert (error.kind, error.retryable, error.fatal) == ("timeout", True, False)


@pytest.mark.parametrize("service", SERVICES)
def test_each_service_has_the_same_methods_with_the_same_arguments(service: type) -> None:
    methods = [name for name, member in vars(BatchService).items() if inspect.isfunction(member) and name[0] != "_"]
    assert sorted(methods) == ["find", "line", "results", "state", "submit"]
    for name in methods:
        arguments = list(inspect.signature(getattr(service, name)).parameters)
        assert arguments == list(inspect.signature(getattr(BatchService, name)).parameters), name


def test_no_batch_is_larger_than_the_services_document() -> None:
    """OpenAI: 50,000 requests and 200 MB; Anthropic: 100,000 requests or 256 MB; Gemini: an input file of 2 GB."""
    documented = {OpenAIBatches: (50_000, 200e6), AnthropicBatches: (100_000, 256e6), GeminiBatches: (10**6, 2e9)}
    for service, (requests, size) in documented.items():
        assert 0 < service.limits.requests <= requests and 0 < service.limits.size <= size


def test_a_batch_that_goes_on_has_no_reason_to_have_failed() -> None:
    assert BatchState(False) == BatchState(False, "") and BatchState(True, "refused").failed == "refused"


def answered(key: str, document: dict[str, Any]) -> BatchResult:
    return BatchResult(key, Reply(document["answer"]["text"].strip()))


def test_a_line_is_read_by_its_key() -> None:
    line = b'{"id": 7, "answer": {"text": "B"}}'
    assert read_line(line, "id", answered) == BatchResult("7", Reply("B"))


@pytest.mark.parametrize("line", [b"{", b"[]", b"7", b'{"answer": {}}', b"\xff", b"[" * 100_000])
def test_a_line_that_names_no_request_is_none(line: bytes) -> None:
    assert read_line(line, "id", answered) is None


@pytest.mark.parametrize("line", [b'{"id": "a"}', b'{"id": "a", "answer": 7}', b'{"id": "a", "answer": {"text": []}}'])
def test_an_unreadable_result_costs_its_own_request_only(line: bytes) -> None:
    result = read_line(line, "id", answered)
    assert result is not None and result.key == "a" and result.reply is None and result.error is not None
    assert (result.error.kind, result.error.retryable) == ("malformed", True)


def test_a_services_own_error_stays() -> None:
    error = ProviderError("busy", kind="server", retryable=True)

    def refuse() -> BatchResult:
        raise error

    assert read_result("a", refuse) == BatchResult("a", error=error)
