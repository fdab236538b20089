"""Tests of `running/ask.py`: attempts and their limits, errors of one Request, the cache, and secrets."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.support.clock import Clock
from tests.support.runs import Told, carry_out, request, requests
from triptych.errors import DataError, MediaError, ProviderError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply
from triptych.records import Request, Response, Usage, media
from triptych.store.response_cache import ResponseCache

pytestmark = pytest.mark.usefixtures("quick")


def fails(kind: str, **more: object) -> ProviderError:
    return ProviderError("it broke", kind=kind, **more)  # type: ignore[arg-type]


def test_retryable_errors_are_retried_and_then_failed(tmp_path: Path) -> None:
    def answer(asked: Request, times: int) -> Reply:
        if asked.id == "00001" and times < 3:
            raise fails("server", retryable=True, status=500)
        if asked.id == "00002":
            raise fails("server", retryable=True, status=503)
        if asked.id == "00003":
            raise fails("bad_request", status=400)
        return Reply("A")

    model = Told(answer)
    folder, outcome = carry_out(tmp_path, model, requests(5), retries=2)
    got = {r.item: r for r in folder.responses()}
    assert [got[f"0000{n}"].status for n in range(5)] == ["answered", "answered", "failed", "failed", "answered"]
    assert [got[f"0000{n}"].attempts for n in range(5)] == [1, 3, 3, 1, 1]
    assert got["00002"].error is not None and got["00002"].error.kind == "server"
    assert got["00002"].error.http_status == 503 and got["00002"].text == ""
    assert outcome.retries == 4 and outcome.counts == {"answered": 3, "failed": 2}
    model.answer = lambda asked, times: Reply("B")
    _, again = carry_out(tmp_path, model, requests(5))
    assert again.counts == {"answered": 2}, "failed ones are asked again on resume, the others never"
    assert again.already == 3


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ValueError("odd"), "internal"),
        (MemoryError(), "memory"),
        (MediaError("no file"), "media"),
        (TimeoutError(), "timeout"),
        (RecursionError("deep"), "internal"),
    ],
)
def test_one_bad_item_never_stops_the_others(tmp_path: Path, error: Exception, kind: str) -> None:
    def answer(asked: Request, times: int) -> Reply:
        if asked.id == "00007":
            raise error
        return Reply("A")

    folder, outcome = carry_out(tmp_path, Told(answer), requests(20))
    assert outcome.counts == {"answered": 19, "failed": 1} and outcome.stopped is None
    (bad,) = [r for r in folder.responses() if r.status == "failed"]
    assert bad.item == "00007" and bad.error is not None and bad.error.kind == kind


def test_what_prepare_raises_fails_its_item_alone(tmp_path: Path) -> None:
    class Reads(Told):
        async def prepare(self, request: Request, media: MediaReader) -> object:
            return [media.load(part) for part in request.media_parts]

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.wav").write_bytes(b"RIFF....WAVE")
    sound, missing = media("audio", "a.wav"), media("audio", "../../etc/passwd")
    plan = [request(1, sound), request(2, missing), request(3)]
    folder, outcome = carry_out(tmp_path / "run", Reads(), plan, MediaReader(tmp_path / "data"))
    assert outcome.counts == {"answered": 2, "failed": 1}
    items = {i.id: i for i in folder.items()}
    assert len(items["00001"].parts[1].sha256) == 64 and items["00002"].parts[1].sha256 == ""
    bad = next(r for r in folder.responses() if r.status == "failed")
    assert bad.error is not None and (bad.error.kind, bad.attempts) == ("media", 0)
    assert b"RIFF" not in (tmp_path / "run" / "items.jsonl").read_bytes()


def test_what_a_model_cannot_take_is_skipped(tmp_path: Path) -> None:
    model = Told()
    model.accepts = frozenset({"text", "image"})
    folder, outcome = carry_out(tmp_path, model, [request(1), request(2, media("audio", "a.wav"))])
    assert outcome.counts == {"answered": 1, "skipped": 1} and model.asked == ["00001"]
    skipped = list(folder.responses())[1]
    assert skipped.error is not None and "does not take audio" in skipped.error.message


@pytest.mark.parametrize(
    "reply",
    [Reply("half a \ud83d"), Reply("A", usage=Usage(3.5, 1)), Reply("A", served_model=5)],  # type: ignore[arg-type]
)
def test_a_reply_that_no_journal_can_hold_is_the_failure_of_its_item_alone(tmp_path: Path, reply: Reply) -> None:
    def answer(asked: Request, times: int) -> Reply:
        if asked.id == "00003":
            return reply
        if asked.id == "00005":
            raise fails("bad_request", fix="no \ud83d")
        return Reply("A")

    folder, outcome = carry_out(tmp_path, Told(answer), requests(10), retries=1)
    assert outcome.counts == {"answered": 8, "failed": 2}
    bad = {r.item: r for r in folder.responses() if r.error is not None}
    assert bad["00003"].error is not None and bad["00003"].error.kind == "malformed"
    assert bad["00003"].attempts == 2 and bad["00005"].attempts == 1


def test_each_attempt_has_its_time_limit(tmp_path: Path) -> None:
    model = Told(latency=60)
    folder, outcome = carry_out(tmp_path, model, requests(3), timeout_s=0.02, retries=1)
    assert outcome.counts == {"failed": 3}
    (first, *_) = folder.responses()
    assert first.error is not None and (first.error.kind, first.attempts) == ("timeout", 2)


def test_a_429_for_ever_is_a_failure_in_the_end(tmp_path: Path) -> None:
    def answer(asked: Request, times: int) -> Reply:
        raise fails("rate_limit", retryable=True, status=429)

    _, outcome = carry_out(tmp_path, Told(answer), requests(3), retries=2)
    assert outcome.counts == {"failed": 3} and outcome.retries == 6


def test_a_429_for_ever_for_one_item_is_its_failure_alone(tmp_path: Path) -> None:
    def answer(asked: Request, times: int) -> Reply:
        if times > 200:
            raise AssertionError("it is asked for ever")
        if asked.id == "00000":
            raise fails("rate_limit", retryable=True, status=429, retry_after=0.0)
        return Reply("A")

    folder, outcome = carry_out(tmp_path, Told(answer, latency=0.001), requests(30), retries=2)
    assert outcome.counts == {"answered": 29, "failed": 1}
    bad = next(r for r in folder.responses() if r.status == "failed")
    assert bad.error is not None and bad.error.kind == "rate_limit" and bad.attempts < 100


def test_a_pause_too_long_for_a_sitting_stops_the_run(tmp_path: Path) -> None:
    def answer(asked: Request, times: int) -> Reply:
        raise fails("rate_limit", retryable=True, status=429, retry_after=86_400.0)

    folder, outcome = carry_out(tmp_path, Told(answer), requests(100))
    assert outcome.stopped is not None and "86400 s" in outcome.stopped and not outcome.fatal
    assert folder.done() == set() and not outcome.counts


def test_a_pause_too_long_for_one_item_is_its_failure_alone(tmp_path: Path, clock: Clock) -> None:
    def answer(asked: Request, times: int) -> Reply:
        if asked.id == "00005":
            raise fails("rate_limit", retryable=True, status=429, retry_after=1e9)
        return Reply("A")

    model = Told(answer)

    async def respond(asked: Request, prepared: object) -> Reply:
        await asyncio.sleep(0.03 if asked.id == "00005" else 0.001)
        return answer(asked, 1)

    model.respond = respond  # type: ignore[assignment, method-assign]
    _, outcome = carry_out(tmp_path, model, requests(100), clock=clock)
    assert outcome.stopped is None and outcome.counts == {"answered": 99, "failed": 1}


def test_an_adapter_that_returns_no_reply_ends_the_run_at_once(tmp_path: Path) -> None:
    _, outcome = carry_out(tmp_path, Told(lambda asked, times: "A"), requests(100))  # type: ignore[arg-type, return-value]
    assert outcome.fatal and outcome.stopped is not None
    assert "respond of the adapter gave str instead of a Reply" in outcome.stopped


@pytest.mark.parametrize("reply", [Reply(b"A"), Reply("A", thinking=b"?")])  # type: ignore[arg-type]
def test_a_reply_of_bytes_is_an_error_of_the_adapter_and_not_stored_as_base64(tmp_path: Path, reply: Reply) -> None:
    folder, outcome = carry_out(tmp_path, Told(lambda asked, times: reply), requests(100))
    assert outcome.fatal and outcome.stopped is not None and not list(folder.responses())
    assert "respond of the adapter gave a Reply with bytes instead of text" in outcome.stopped


def test_the_cache_serves_deterministic_requests_only(tmp_path: Path) -> None:
    model = Told()
    fixed = [request(1, temperature=0), request(2, seed=3), request(3), request(4, temperature=1)]
    carry_out(tmp_path / "one", model, fixed, cache=tmp_path / "cache")
    folder, outcome = carry_out(tmp_path / "two", model, fixed, cache=tmp_path / "cache")
    assert [r.cached for r in folder.responses()] == [True, True, False, False]
    assert Counter(model.asked) == {"00001": 1, "00002": 1, "00003": 2, "00004": 2} and outcome.cached == 2
    model.deterministic = False
    carry_out(tmp_path / "three", model, fixed, cache=tmp_path / "cache")
    assert Counter(model.asked)["00001"] == 2
    other = Told()
    other.settings = {"other": 1}
    carry_out(tmp_path / "four", other, fixed, cache=tmp_path / "cache")
    assert len(other.asked) == 4, "another setting of the adapter is another Request"


def test_a_cache_that_cannot_be_written_loses_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    cache, model = tmp_path / "c.sqlite", Told(latency=0.01)

    def full(self: ResponseCache, response: Response) -> None:
        raise DataError("the response cache can't be written")

    monkeypatch.setattr(ResponseCache, "put", full)
    plan = (request(number, temperature=0) for number in range(100))
    folder, outcome = carry_out(tmp_path / "run", model, plan, cache=cache, concurrency=8, clock=clock)
    assert outcome.stopped is not None and "can't be written" in outcome.stopped and not outcome.fatal
    assert 8 <= len(model.asked) < 20
    assert {r.item for r in folder.responses()} == set(model.asked)


def test_a_media_file_with_other_content_is_another_request(tmp_path: Path) -> None:
    class Reads(Told):
        async def prepare(self, request: Request, media: MediaReader) -> object:
            return [media.load(part) for part in request.media_parts]

    model = Reads()
    for content in (b"one", b"one", b"two"):
        (tmp_path / "a.wav").write_bytes(content)
        plan = [request(1, media("audio", "a.wav"), temperature=0)]
        path = tmp_path / str(len(list(tmp_path.iterdir())))
        carry_out(path / str(time.monotonic_ns()), model, plan, MediaReader(tmp_path), cache=tmp_path / "cache")
    assert len(model.asked) == 2


def test_secrets_stay_out_of_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPTYCH_SOME_API_KEY", "verysecretvalue")

    def answer(asked: Request, times: int) -> Reply:
        raise ValueError("verysecretvalue in Bearer abcdefghijkl at https://me:pass@host/?api_key=zzz")

    folder, _ = carry_out(tmp_path, Told(answer), requests(1))
    written = (tmp_path / "responses.jsonl").read_text()
    for secret in ("verysecretvalue", "abcdefghijkl", "pass@", "zzz"):
        assert secret not in written
    assert "ValueError" in written and next(folder.responses()).status == "failed"
