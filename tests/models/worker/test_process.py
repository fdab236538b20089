"""Tests of `models/worker/process.py`: A worker process."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from tests.models.worker.test_worker import adapter, asked, questions, why
from triptych.errors import WeightsError
from triptych.models.worker import process

pytestmark = [
    pytest.mark.usefixtures("trusted"),
    pytest.mark.skipif(os.name == "nt", reason="worker processes need POSIX"),
]


WRONG = {
    "wrong id": ("answer(7)", "not asked"),
    "garbage": ("os.write(out, b'\\xff' * 64)", "announced a message"),
    "no message": ("os.write(out, struct.pack('>I', 2) + b'[]')", "not a message"),
    "silent": ("time.sleep(600)", "silent"),
    "ends": ("sys.exit('out of luck')", "out of luck"),
}
FALSE_WORKER = """
import json, os, struct, sys, time
out = os.dup(1)
def send(**told):
    body = json.dumps(told).encode()
    os.write(out, struct.pack(">I", len(body)) + body)
def answer(id):
    send(op="answer", id=id, text="x")
def read():
    return json.loads(sys.stdin.buffer.read(struct.unpack(">I", sys.stdin.buffer.read(4))[0]))
os.write(out, b"printed before the protocol begins" + {hello!r})
read()
send(op="ready")
head = read()
{wrong}
time.sleep(600)
"""


@pytest.mark.parametrize("name", WRONG)
def test_a_worker_that_breaks_the_protocol_is_killed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triptych.models.worker.frames import HELLO

    def start_in_any_time(self: process.WorkerProcess, head: Any, start_s: float) -> tuple[str, ...]:
        short, self._silence_s = self._silence_s, start_s
        found = load(self, head, start_s)
        self._silence_s = short
        return found

    load = process.WorkerProcess._load
    monkeypatch.setattr(process.WorkerProcess, "_load", start_in_any_time)
    code, said = WRONG[name]
    script = tmp_path / "false.py"
    script.write_text(FALSE_WORKER.format(hello=HELLO, wrong=code), encoding="utf-8")
    monkeypatch.setattr(process, "INSIDE", script)
    short = {"silence_s": 0.3} if name == "silent" else {}  # a busy machine is silent for longer in the others, too
    found = asked(adapter(tmp_path, **short), questions("a"), tmp_path)
    assert found["0-a"].status == "failed" and said in why(found["0-a"])


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('hello' * 500_000, flush=True)", "doesn't follow"),
        ("raise SystemExit('no torch')", "no torch"),
        ("import time; time.sleep(600)", "silent"),
    ],
)
def test_a_worker_that_does_not_start_is_reported(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "false.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(process, "INSIDE", tmp_path / "false.py")
    with pytest.raises(WeightsError, match=said):
        asyncio.run(adapter(tmp_path, **({"silence_s": 0.3} if said == "silent" else {})).open())


def test_keys_do_not_reach_the_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD"):
        monkeypatch.setenv(name, "secret-secret")
    found = asked(adapter(tmp_path), questions("environment"), tmp_path)["0-environment"].text.split(",")
    assert "PATH" in found and "HF_HUB_OFFLINE" in found
    assert not {"OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD"} & set(found)
    assert process.environment(fetch=True)["HF_TOKEN"] == "secret-secret"
