"""Experiments on whole Runs in processes of their own: killed and resumed, and against a faulty server.

The tests carry them out small and quick; `make speed` at full size.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.mock_process import MockProcess
from tests.support.questions import ANSWER, index_of, write_questions
from tests.support.skipping import Skipping
from tests.support.waiting import until

SOAK_FAULTS = {
    "429": 0.04,
    "429_date": 0.02,
    "500": 0.03,
    "503": 0.02,
    "hang": 0.02,
    "cut": 0.02,
    "malformed": 0.02,
    "empty_choices": 0.02,
    "null": 0.01,
}
"""Faults on 20% of all requests."""


def run_command(data: Path, mock: MockProcess, out: Path, concurrency: int, *more: str) -> list[str]:
    """`triptych run` over our questions as text."""
    command = [sys.executable, "-m", "triptych", "run", "cmdar/main", "--model", "openai/mock"]
    command += ["--model-base-url", mock.base_url, "--data", str(data), "--condition", "blind"]
    return [*command, "--concurrency", str(concurrency), "--out", str(out), *more]


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a Run with its output thrown away, and no proxy between it and the mock."""
    quiet = subprocess.DEVNULL
    env = {**os.environ, "OPENAI_API_KEY": "none", "NO_PROXY": "*"}
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, env=env)


def derived_files(run: Path) -> dict[str, bytes]:
    """Scores and tables of a Run by name: what must not depend on interruptions."""
    paths = [*(run / "scores").glob("*.jsonl"), *(run / "tables").glob("*.csv")]
    return {path.relative_to(run).as_posix(): path.read_bytes() for path in sorted(paths)}


def journal(run: Path) -> list[dict[str, Any]]:
    """The whole lines of `responses.jsonl`."""
    path = run / "responses.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


@dataclass
class Killed:
    """What came of a Run that was killed and resumed."""

    kills: int = 0
    asked_twice: int = 0  # requests beyond one for each Item
    journaled_asked_again: int = 0  # Items whose answer was in the journal and which were asked all the same
    most_in_flight: int = 0
    lost: int = 0  # Items without exactly one answer in the end
    differences: list[str] = field(default_factory=list)  # derived files that differ from the uninterrupted Run's


def kill_and_resume(folder: Path, items: int, kills: int, concurrency: int, latency: float, seed: int = 0) -> Killed:
    """Run once whole and once with SIGKILLs at random moments, then compare.

    The moments spread over the whole asking: each is the arrival of a request, for up to `kills`-th of all, twice over
    (or, one in five, a moment while the process starts).
    """
    rng, result = random.Random(seed), Killed()
    data = write_questions(folder / "data", items)
    with MockProcess(latency=latency, answer=ANSWER) as mock:
        whole = run_command(data, mock, folder / "whole", concurrency)
        subprocess.run(whole, check=True, capture_output=True)
        mock.reset()
        command = run_command(data, mock, folder / "killed", concurrency)
        settled: dict[int, int] = {}  # question -> times asked when its answer was first seen in the journal
        for number in range(kills):
            kill_once(command, mock, rng.randint(1, 2 * items // kills), from_start=number % 5 == 4)
            result.kills += 1
            until(lambda: mock.stats()["open"] == 1, "what was sent before the kill")  # ours alone is open
            settled = count_asked(mock, answered(folder / "killed")) | settled
        subprocess.run(command, check=True, capture_output=True)
        stats = mock.stats()
        now = count_asked(mock, set(settled))
    result.asked_twice = stats["asked_again"]
    result.most_in_flight = stats["peak_in_flight"]
    result.journaled_asked_again = sum(now[index] > times for index, times in settled.items())
    result.lost = items - sum(n == 1 for n in Counter(line["item"] for line in journal(folder / "killed")).values())
    one, two = derived_files(folder / "whole"), derived_files(folder / "killed")
    result.differences = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
    if not one:
        result.differences.append("the uninterrupted Run has no scores")
    return result


def kill_once(command: list[str], mock: MockProcess, requests: int, from_start: bool) -> None:
    """Start the command and kill it when so many requests have come, or as many hundredths of a second later."""
    before = mock.stats()["received"]
    process = start(command)
    if from_start:
        time.sleep(requests / 100)  # any moment will do: nothing depends on which
    else:
        until(lambda: process.poll() is not None or mock.stats()["received"] >= before + requests, "its requests")
    process.send_signal(signal.SIGKILL)
    process.wait()


def answered(run: Path) -> set[int]:
    """The questions whose answers are in the journal. Item ids end in the question's index."""
    return {int(line["item"].rpartition("/")[2]) for line in journal(run) if line["status"] == "answered"}


def count_asked(mock: MockProcess, questions: set[int]) -> dict[int, int]:
    """How often the server was asked each of the questions."""
    asked = {index_of(entry["text"]): entry["count"] for entry in mock.stats()["requests"].values()}
    return {index: asked.get(index, 0) for index in questions}


@dataclass
class Soaked:
    """What came of a Run against a server with injected faults."""

    faults: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    lost: list[int] = field(default_factory=list)  # questions without a Response
    mislabelled: list[str] = field(default_factory=list)  # "question: expected …, got …"
    score_statuses: dict[str, Counter[str]] = field(default_factory=dict)  # by protocol and metric
    code: int = 0
    seconds: float = 0.0


def soak(
    folder: Path,
    items: int,
    concurrency: int,
    always_fail: int,
    seed: int = 0,
    stream: bool = False,
    retry_after: int = 1,
    skip: bool = False,
) -> Soaked:
    """Run against 20% faults, with refusals and cut-off replies among the good answers, and compare each
    Response with what the server says it served last. One question always fails.

    `skip`: once nothing but requests that hang is left, their timeout isn't waited for: the Run's clock is set forward.
    """
    data = write_questions(folder / "data", items)
    faults = {**SOAK_FAULTS, "length": 0.03, "content_filter": 0.03}
    settings: dict[str, Any] = {"faults": faults, "max_faults": 2, "seed": seed, "retry_after": retry_after}
    settings["always_fail"] = f"综合第{always_fail}段"
    with MockProcess(latency=0.01, answer=ANSWER, **settings) as mock:
        more = ["--timeout", "5", "--retries", "3", *(["-M", "stream=true"] if stream else [])]
        command = run_command(data, mock, folder / "run", concurrency, *more)
        began = time.monotonic()
        if skip:
            code = skipping_hangs(command[3:], mock, items)
        else:
            code = subprocess.run(command, check=False, capture_output=True).returncode
        seconds = time.monotonic() - began
        stats = mock.stats()
    result = Soaked(code=code, requests=stats["received"], seconds=seconds)
    responses = {int(line["item"].rpartition("/")[2]): line for line in journal(folder / "run")}
    result.statuses.update(line["status"] for line in responses.values())
    for entry in stats["requests"].values():
        result.faults.update(outcome for outcome in entry["outcomes"] if outcome != "ok")
        compare(result, index_of(entry["text"]), entry, responses)
    result.lost += sorted(set(range(items)) - set(responses))
    for path in (folder / "run" / "scores").glob("*.jsonl"):
        for line in map(json.loads, path.read_text("utf-8").splitlines()):
            name = f"{path.stem} {line.get('metric')}"
            result.score_statuses.setdefault(name, Counter())[line.get("status", "scored")] += 1
    return result


def skipping_hangs(arguments: list[str], mock: MockProcess, items: int) -> int:
    """The exit code of `triptych ARGUMENTS`, whose clock goes faster while only requests that hang are under way."""
    run, before, skipped = Skipping(arguments, dict(os.environ)), 0, 0

    def ended() -> bool:
        nonlocal before, skipped
        stats = mock.stats()
        hanging = sum(entry["outcomes"][-1] == "hang" for entry in stats["requests"].values())
        only_hangs = 0 < stats["in_flight"] == hanging and stats["distinct"] == items
        if not only_hangs or stats["received"] != before:
            skipped = 0
        else:
            run.skip(1)
            skipped += 1
            assert skipped < 300, "requests hang on, whatever their timeout is"  # many: a busy machine skips late
        before = stats["received"]
        return run.process.poll() is not None

    until(ended, "the Run's end", pause=0.05)
    return run.process.returncode


def compare(result: Soaked, index: int, entry: dict[str, Any], responses: dict[int, dict[str, Any]]) -> None:
    """Note a Response that says something else than the server's last word on its question."""
    last = entry["outcomes"][-1]
    words = {"ok": "answered", "length": "truncated", "content_filter": "refused"}
    status = words.get(last, "failed")
    text = entry["answer"] if status in ("answered", "truncated") else ""
    got = responses.get(index)
    if got and (got["status"], got.get("text", "")) != (status, text):
        result.mislabelled.append(f"{index}: expected {status} {text!r}, got {got['status']} {got.get('text', '')!r}")
