"""A model in a process of its own: what it prints does no harm, and when it dies, only what killed it has failed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import until
from triptych.errors import SpecError, WeightsError
from triptych.media.payload import MediaReader
from triptych.models.registry import load_adapter
from triptych.models.worker.adapter import WorkerAdapter
from triptych.models.worker.trust import allow_foreign_code
from triptych.records import Message, Part, Request, Response, text
from triptych.running.loop import RunOptions, execute, run_sync
from triptych.store.journals.replies import ReplyJournal

RUNNER = Path(__file__).with_name("runner.py")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="worker processes need POSIX")


@pytest.fixture(autouse=True)
def trusted() -> Iterator[None]:
    allow_foreign_code()
    yield
    allow_foreign_code(allowed=False)


def adapter(tmp_path: Path, **settings: Any) -> WorkerAdapter:
    told = {"python": sys.executable, "runner": str(RUNNER), "source": str(tmp_path), **settings}
    made = load_adapter("worker/mine", told)
    assert isinstance(made, WorkerAdapter)
    return made


def request(name: str, *parts: Part, **settings: Any) -> Request:
    return Request(name, (Message("user", parts),), {"temperature": 0, "max_tokens": 6, **settings})


def asked(model: WorkerAdapter, requests: Sequence[Request], folder: Path, **options: Any) -> dict[str, Response]:
    journal = ReplyJournal(folder, "replies")
    told = RunOptions(**{"progress": False, "retries": 0, "timeout_s": None, **options})
    run_sync(execute(requests, model, journal, MediaReader(folder), told))
    return {one.item: one for one in journal.latest().values()}


def questions(*words: str) -> list[Request]:
    return [request(f"{n}-{word}", text(word)) for n, word in enumerate(words)]


def why(response: Response) -> str:
    return "" if response.error is None else response.error.message


def test_answers_come_with_tokens_and_how_they_ended_and_noise_does_no_harm(tmp_path: Path) -> None:
    found = asked(adapter(tmp_path), questions("a", "raise", "long", "nothing", "b"), tmp_path)
    assert [one.status for one in found.values()].count("failed") == 2
    assert found["0-a"].text == "a|0|6" and found["4-b"].usage is not None and found["4-b"].usage.output_tokens == 2
    assert found["2-long"].status == "truncated"
    assert "ValueError: this one breaks" in why(found["1-raise"]) and "no text" in why(found["3-nothing"])


@pytest.mark.parametrize("word", ["die", "exit"])
def test_when_the_worker_dies_in_a_batch_only_the_cause_has_failed(word: str, tmp_path: Path) -> None:
    found = asked(adapter(tmp_path, batch=4), questions("a", "b", word, "c", "d", "e"), tmp_path)
    assert [name for name, one in found.items() if one.status != "answered"] == [f"2-{word}"]
    said = why(found[f"2-{word}"])
    assert ("killed by signal 9; its last message: CUDA error" in said) if word == "die" else ("exit code 3" in said)


def test_a_worker_that_dies_again_and_again_ends_the_run_and_nothing_is_lost(tmp_path: Path) -> None:
    journal = ReplyJournal(tmp_path, "replies")
    told = RunOptions(progress=False, retries=0, timeout_s=None, concurrency=2)
    model = adapter(tmp_path, restarts=2)
    outcome = run_sync(execute(questions("a", *["die"] * 9), model, journal, MediaReader(tmp_path), told))
    assert outcome.fatal and "died 3 times" in outcome.stopped
    statuses = [one.status for one in journal.latest().values()]
    first = statuses[0] == "failed"  # of two that are prepared at once, either may be asked first
    assert statuses.count("answered") == 1 and statuses.count("failed") == 3 + first and len(statuses) == 4 + first


def test_a_question_that_hangs_fails_alone(tmp_path: Path) -> None:
    found = asked(adapter(tmp_path, answer_s=0.3), questions("a", "hang", "b"), tmp_path)
    assert [one.status for one in found.values()].count("answered") == 2
    assert "no answer within 0.3 s" in why(found["1-hang"])


def test_a_question_whose_time_is_over_stops_the_worker_and_the_next_is_answered(tmp_path: Path) -> None:
    async def ask() -> tuple[str, bool]:
        model = adapter(tmp_path)
        await model.open()
        reader = MediaReader(tmp_path)
        hangs = request("hang", text("hang"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await model.respond(hangs, await model.prepare(hangs, reader))
        then = request("a", text("a"))
        reply = await model.respond(then, await model.prepare(then, reader))
        await model.close()
        return reply.text, reply.status == "answered"

    assert asyncio.run(ask()) == ("a|0|6", True)


def test_a_model_that_cannot_be_loaded_is_reported(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="no such weights"):
        asyncio.run(adapter(tmp_path, options='{"fail": true}').open())


def test_no_process_is_left_when_triptych_is_killed(tmp_path: Path) -> None:
    """A worker ends when its input does, even if its model hangs."""
    code = (
        "import asyncio, time; from tests.models.worker.test_worker import *; allow_foreign_code();"
        f"m = adapter(Path({str(tmp_path)!r})); asyncio.run(m.open());"
        "print(m._asking._worker._process.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        until(lambda: _state(pid) == "Z", "the end of the worker")


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_what_is_missing_is_said_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    weights = {"source": str(tmp_path)}
    for name, settings, match in (
        ("qwen-audio-chat", {}, "hf download Qwen/Qwen-Audio-Chat"),
        ("qwen-audio-chat", weights, r"(?s)doesn't exist yet.*transformers==4.37.2.*-M install=true"),
        (
            "salmonn-7b",
            weights,
            r"(?s)repository, which pip.*git clone -b salmonn https://github.com/bytedance/SALMONN",
        ),
        ("worker/internvl2-8b", weights, "triptych run BENCH --model internvl2-8b"),
        ("worker/mine", {**weights, "runner": "nowhere.py"}, "no such file"),
        ("worker/mine", {**weights, "runner": str(RUNNER)}, "-M python=PATH"),
        ("worker/mine", {**weights, "runner": str(RUNNER), "python": "nowhere"}, "no such program"),
        ("worker/mine", {**weights, "runner": str(RUNNER), "python": sys.executable, "options": "[1]"}, "JSON object"),
    ):
        with pytest.raises(SpecError, match=match):
            load_adapter(name, settings)
