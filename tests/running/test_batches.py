"""Requests in batches: all three services, partial failures, limits, prices, budgets, and kills at every step."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.batch_servers import SERVERS, Batches, Fate, always, question
from tests.support.runs import Told
from tests.support.wire import Answer, Seen, Wire
from triptych import api
from triptych.api import RunResult
from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.models.batch import BatchLimits
from triptych.running.batches import _Session
from triptych.running.loop import RunOptions
from triptych.store.folder import RunFolder

COUNT = 7
QUESTIONS = "id,question,A,B,answer\n" + "".join(f"{n},Which is {n}?,x,y,B\n" for n in range(COUNT))
PRICES = """as_of = "2026-11-01"
source = "https://example.org"
[[price]]
model = "*"
input = 2
output = 20
"""
NEEDS = {"anthropic": "anthropic", "gemini": "google.genai"}


@pytest.fixture(params=sorted(SERVERS))
def service(request: pytest.FixtureRequest) -> str:
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param])
    return str(request.param)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_BASE_URL", "GOOGLE_API_KEY", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("OPENAI", "ANTHROPIC", "GEMINI"):
        monkeypatch.setenv(f"{name}_API_KEY", "sk-test-test-test-test-test")
    (tmp_path / "q.csv").write_text(QUESTIONS)
    (tmp_path / "prices.toml").write_text(PRICES)
    return tmp_path


def server_of(service: str, fate: Fate = always, **settings: Any) -> Batches:
    return SERVERS[service][0](fate=fate, **settings)


def ask(service: str, url: str, *, options: RunOptions | None = None, **what: Any) -> RunResult:
    _, model, version = SERVERS[service]
    usual = RunOptions(batch=True, poll_s=0.01, retries=2, prices=Path("prices.toml"))
    return api.run("q.csv", model, base_url=url + version, out="run", options=options or usual, **what)


def statuses(result: RunResult) -> dict[str, str]:
    return {response.item.rpartition("/")[2]: response.status for response in result.folder.responses()}


def test_every_question_is_answered_at_half_the_price(service: str) -> None:
    server = server_of(service)
    with Wire(server) as wire:
        result = ask(service, wire.url)
        again = ask(service, wire.url)
    assert result.outcome.counts == {"answered": COUNT} and len(server.batches) == 1
    assert server.asked == dict.fromkeys(map(str, range(COUNT)), 1)
    cost = (100 * 2 + 10 * 20) / 1e6 / 2
    assert [r.cost_usd for r in result.folder.responses()] == pytest.approx([cost] * COUNT)
    assert result.outcome.cost_usd == pytest.approx(COUNT * cost)
    assert all(r.text == "B" and r.usage and r.usage.input_tokens == 100 for r in result.folder.responses())
    assert {i.id for i in result.folder.items()} == {r.item for r in result.folder.responses()}
    assert again.outcome.already == COUNT and len(server.batches) == 1, "nothing is sent again"
    left = [path.name for path in (result.folder.path / "batches").iterdir()]
    assert len(left) == 1 and left[0].endswith(".json"), "what was sent is deleted when it is journaled"


def test_a_resumed_run_counts_refusals_apart_from_answers(here: Path) -> None:
    """As without batches: `answered before` has answers only."""
    with Wire(server_of("openai")) as wire:
        first = ask("openai", wire.url, limit=3)
        journal = first.folder.path / "responses.jsonl"
        journal.write_text(journal.read_text().replace('"answered"', '"refused"', 1))
        folder, adapter = RunFolder.open(first.folder.path), Told()
        with folder.writer() as writer:
            session = _Session([], adapter, folder, MediaReader(None), RunOptions(), writer)
    assert (session.tally.already, session.tally.already_answered) == (3, 2)


def test_the_bodies_are_those_of_single_requests(service: str, here: Path) -> None:
    single: list[Any] = []

    def refuse(seen: Seen) -> Answer:
        if seen.method == "POST":
            single.append(seen.json)
        return Answer(400, b'{"error": {"message": "no", "type": "invalid_request_error"}}')

    settings = {"temperature": "0.5", "max_tokens": "20"}
    with Wire(refuse) as wire:
        one_by_one = RunOptions(concurrency=1, retries=0)
        api.run(
            "q.csv",
            SERVERS[service][1],
            base_url=wire.url + SERVERS[service][2],
            out="other",
            options=one_by_one,
            settings=settings,
            limit=2,
        )
    server = server_of(service)
    with Wire(server) as wire:
        ask(service, wire.url, settings=settings, limit=2)
    assert len(single) == 2 and len(server.bodies) == 2
    ordered = {question(body): body for body in single}
    for body in server.bodies:
        assert _plain(body) == _plain(ordered[question(body)])


def _plain(body: Any) -> Any:
    return json.loads(json.dumps(body).replace("20.0", "20"))


def test_partial_failures_are_asked_again_and_lasting_ones_are_not(service: str) -> None:
    def fate(text: str, before: int) -> str:
        if text in "01":
            return ("expired", "cancelled")[int(text)] if before == 0 else "ok"
        return {"2": "bad", "3": "server"}.get(text, "ok") if before == 0 or text in "3" else "ok"

    server = server_of(service, fate)
    with Wire(server) as wire:
        result = ask(service, wire.url)
    expected = {"0": 2, "1": 2, "2": 1, "3": 3, **dict.fromkeys("456", 1)}
    assert server.asked == expected, "3 has two retries"
    assert statuses(result) == {"2": "failed", "3": "failed", **dict.fromkeys("01456", "answered")}
    errors = {r.item.rpartition("/")[2]: (r.error.kind, r.attempts) for r in result.folder.responses() if r.error}
    assert errors == {"2": ("bad_request", 1), "3": ("server", 3)}


def test_batches_are_split_where_they_are_full(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = __import__(f"triptych.models.{service}.batch", fromlist=["x"])
    (kind,) = (own for name, own in vars(module).items() if name.endswith("Batches"))
    usual = kind.limits
    assert (usual.requests, usual.size) >= (50_000, 200_000_000)
    monkeypatch.setattr(kind, "limits", BatchLimits(3, usual.size))
    server = server_of(service)
    with Wire(server) as wire:
        assert ask(service, wire.url).outcome.counts == {"answered": COUNT}
    assert [len(batch["rows"]) for batch in server.batches.values()] == [3, 3, 1]
    (Path("run") / "responses.jsonl").unlink()
    monkeypatch.setattr(kind, "limits", BatchLimits(100, 800))
    server = server_of(service)
    with Wire(server) as wire:
        assert ask(service, wire.url).outcome.counts == {"answered": COUNT}
    assert len(server.batches) > 2
    (Path("run") / "responses.jsonl").unlink()
    monkeypatch.setattr(kind, "limits", BatchLimits(100, 50))
    with Wire(server_of(service)) as wire:
        result = ask(service, wire.url)
    assert result.outcome.counts == {"failed": COUNT}
    assert all("larger than a batch" in r.error.message for r in result.folder.responses() if r.error)


def test_a_batch_that_is_refused_as_a_whole_ends_the_run(service: str) -> None:
    with Wire(server_of(service, whole="the model is not for batches")) as wire:
        result = ask(service, wire.url)
    assert result.outcome.fatal
    if service != "gemini":  # its SDK tells no message of a failed job
        assert "the model is not for batches" in (result.outcome.stopped or "")
    server = server_of(service)
    with Wire(server) as wire:
        assert ask(service, wire.url).outcome.counts == {"answered": COUNT}


def test_a_budget_limits_what_is_sent(service: str) -> None:
    server = server_of(service)
    cost = (100 * 2 + 10 * 20) / 1e6 / 2
    options = RunOptions(batch=True, poll_s=0.01, concurrency=2, budget_usd=4.5 * cost, prices=Path("prices.toml"))
    with Wire(server) as wire:
        result = ask(service, wire.url, options=options)
        assert result.outcome.stopped and "budget is spent" in result.outcome.stopped
        assert [len(batch["rows"]) for batch in server.batches.values()] == [2, 3]
        whole = ask(service, wire.url, options=replace(options, budget_usd=1.0))
    assert len(statuses(whole)) == COUNT and set(server.asked.values()) == {1}


KILLED = """
import sys
from pathlib import Path
from triptych import api
from triptych.running.loop import RunOptions
api.run("q.csv", sys.argv[1], base_url=sys.argv[2], out="run",
        options=RunOptions(batch=True, poll_s=0.01, retries=2, prices=Path("prices.toml")))
"""


@pytest.mark.parametrize("step", ["upload", "create", "state", "content"])
def test_a_kill_at_any_step_sends_nothing_twice(service: str, step: str, here: Path) -> None:
    if (service, step) == ("anthropic", "upload"):
        pytest.skip("Anthropic's batches have no upload")
    server = server_of(service)
    with Wire(server) as wire:
        _, model, version = SERVERS[service]
        child: list[int] = []

        def kill(now: str) -> None:
            if now == step and child:
                os.kill(child.pop(), signal.SIGKILL)

        server.at = kill
        root = Path(__file__).parents[2]
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, model, wire.url + version],
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": f"{root}/src:{root}"},
        )
        child.append(process.pid)
        assert process.wait(120) == -signal.SIGKILL, f"it got to {step}"
        result = ask(service, wire.url)
    assert statuses(result) == dict.fromkeys(map(str, range(COUNT)), "answered")
    assert set(server.asked.values()) == {1}, "every question was in one batch"
    assert ("list" in server.steps) == (step in ("upload", "create")), "only a batch of unknown fate is looked for"


@pytest.mark.parametrize("after", [0, 3, COUNT])
def test_a_kill_while_results_are_journaled(service: str, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    from triptych.running.batches import _Session

    usual, seen = _Session._record, [0]

    def dying(self: Any, *arguments: Any, **how: Any) -> None:
        if seen[0] == after:
            raise Killed
        seen[0] += 1
        usual(self, *arguments, **how)

    def dying_after(self: Any, batch: Any) -> Any:
        if batch.state == "collected":
            raise Killed
        return save(self, batch)

    from triptych.running.batch_files import BatchFolder

    save = BatchFolder.save
    server = server_of(service)
    with Wire(server) as wire:
        with monkeypatch.context() as patched:
            if after < COUNT:
                patched.setattr(_Session, "_record", dying)
            else:
                patched.setattr(BatchFolder, "save", dying_after)
            with pytest.raises(Killed):
                ask(service, wire.url)
        result = ask(service, wire.url)
    lines = [response.item for response in RunFolder.open(Path("run")).history()]
    assert sorted(lines) == sorted({*lines}) and len(lines) == COUNT, "each is journaled once"
    assert statuses(result) == dict.fromkeys(map(str, range(COUNT)), "answered") and len(server.batches) == 1


def test_anothers_batch_of_the_same_size_is_not_taken_for_ours() -> None:
    pytest.importorskip("anthropic")
    server = server_of("anthropic")
    body = {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "Which is 99?"}]}

    def meddle(now: str) -> None:
        if now == "create" and server.at is meddle:
            server.at = lambda step: None
            del server.batches["batch_1"]  # ours was not received, and another one of its size was
            server.asked.clear()
            server.create([(f"other-{n}", body) for n in range(COUNT)])
            raise ConnectionResetError

    server.at = meddle
    with Wire(server) as wire:
        result = ask("anthropic", wire.url)
    assert statuses(result) == dict.fromkeys(map(str, range(COUNT)), "answered")
    assert [len(batch["rows"]) for batch in server.batches.values()] == [COUNT, COUNT]
    assert server.asked["99"] == COUNT and all(server.asked[str(n)] == 1 for n in range(COUNT))


def test_media_are_in_the_batch_as_in_single_requests(here: Path, service: str) -> None:
    from PIL import Image

    Image.new("RGB", (3, 2), (255, 0, 0)).save(here / "a.png")
    (here / "q.csv").write_text("id,question,A,B,answer,image\n1,Which is 1?,x,y,B,a.png\n2,Which is 2?,x,y,B,a.png\n")
    server = server_of(service)
    with Wire(server) as wire:
        result = ask(service, wire.url)
    assert result.outcome.counts == {"answered": 2}
    for body in server.bodies:
        assert "iVBORw0KGgo" in json.dumps(body), "the picture, as base64"
    items = list(result.folder.items())
    assert all(part.sha256 for item in items for part in item.parts if part.is_media)
    assert all(response.key for response in result.folder.responses())


def test_who_has_no_batches(here: Path) -> None:
    with pytest.raises(SpecError, match="can't be asked in batches"):
        api.run("q.csv", "baseline/first", options=RunOptions(batch=True))
    with Wire(lambda seen: Answer()) as wire, pytest.raises(SpecError, match="can't be asked in batches"):
        ask("openai", wire.url, settings={"stream": "true"})
