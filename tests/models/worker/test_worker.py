"""A model in a process of its own: what it prints does no harm, and when it dies, only what killed it has failed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.models.registry import load_adapter
from triptych.models.worker.adapter import WorkerAdapter
from triptych.records import Message, Part, Request, Response, text
from triptych.running.loop import RunOptions, execute, run_sync
from triptych.store.journals.replies import ReplyJournal

RUNNER = Path(__file__).with_name("runner.py")
pytestmark = [
    pytest.mark.usefixtures("trusted"),
    pytest.mark.skipif(os.name == "nt", reason="worker processes need POSIX"),
]


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
    return {one.item: one for one in journal.latest_replies().values()}


def questions(*words: str) -> list[Request]:
    return [request(f"{n}-{word}", text(word)) for n, word in enumerate(words)]


def why(response: Response) -> str:
    return "" if response.error is None else response.error.message


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
