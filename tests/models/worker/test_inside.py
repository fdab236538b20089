"""Tests of `models/worker/inside.py`: the side of the protocol that runs in a model's own environment."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.models.worker.test_worker import RUNNER
from tests.support.waiting import until
from triptych.models.worker import inside as inside_module
from triptych.models.worker.frames import Reader, pack_message

INSIDE = Path(inside_module.__file__)
pytestmark = pytest.mark.skipif(os.name == "nt", reason="worker processes need POSIX")


def test_no_process_is_left_when_triptych_is_killed(tmp_path: Path) -> None:
    """A worker ends when its input does, even if its model hangs."""
    code = (
        "import asyncio, time; from tests.models.worker.test_worker import *;"
        "from triptych.models.worker.trust import allow_foreign_code; allow_foreign_code();"
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


class Talk:
    """A conversation with `python -I inside.py`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        assert process.stdin is not None and process.stdout is not None
        self._stream = process.stdin
        self._reader = Reader(process.stdout.fileno())
        self._reader.skip_to_hello(300)

    def say(self, **message: Any) -> None:
        self._stream.write(pack_message(message))
        self._stream.flush()

    def hear(self) -> dict[str, Any]:
        """The next message that is not a sign of life."""
        while (message := self._reader.message(300))["op"] == "alive":
            pass
        return message

    def ask(self, *words: str) -> list[dict[str, Any]]:
        jobs = [
            {"id": n, "messages": [{"content": [{"text": one}]}], "settings": {"max_tokens": 9}}
            for n, one in enumerate(words)
        ]
        self.say(op="ask", jobs=jobs)
        return sorted((self.hear() for _ in words), key=lambda message: int(message["id"]))


@contextmanager
def talking(runner: Path, **options: Any) -> Iterator[Talk]:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-I", str(INSIDE)], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            talk = Talk(process)
            talk.say(op="load", source="weights", runner=str(runner), options=options)
            yield talk
        finally:
            process.kill()


def test_what_libraries_print_is_no_message() -> None:
    with talking(RUNNER) as talk:
        assert talk.hear() == {"op": "ready", "accepts": ["text", "audio", "image", "video"]}
        one, two = talk.ask("春眠\u2028不觉晓", "b")
        assert one["text"] == "春眠\u2028不觉晓|0|9" and two["text"] == "b|0|9"
        assert (one["op"], one["input_tokens"], one["output_tokens"], one["finish"]) == ("answer", 5, 2, "stop")


def test_in_a_batch_that_breaks_each_is_tried_alone() -> None:
    with talking(RUNNER) as talk:
        talk.hear()
        good, bad, also = talk.ask("a", "raise", "b")
    assert (good["text"], also["text"]) == ("a|0|9", "b|0|9")
    assert (bad["op"], bad["kind"], bad["error"]) == ("failed", "internal", "ValueError: this one breaks")


PLAIN = """
def load(source, options):
    return source
def answer(model, messages, settings):
    words = messages[-1]["content"][0]["text"]
    if words == "memory":
        raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
    return {"skipped": "one picture, please"} if words == "skip" else model
"""


def test_a_runner_may_answer_one_by_one_in_plain_text(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN, encoding="utf-8")
    with talking(tmp_path / "plain.py") as talk:
        assert talk.hear() == {"op": "ready", "accepts": []}
        text, memory, skipped = talk.ask("a", "memory", "skip")
    assert text["text"] == "weights" and skipped["skipped"] == "one picture, please"
    assert memory["kind"] == "out_of_memory" and "2.00 GiB" in memory["error"]


LESS = PLAIN + "def answers(model, requests):\n    return ['only one']\n"


def test_a_batch_with_too_few_answers_is_asked_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "less.py").write_text(LESS, encoding="utf-8")
    with talking(tmp_path / "less.py") as talk:
        talk.hear()
        assert [message["text"] for message in talk.ask("a", "b")] == ["weights", "weights"]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import no_such_package", "ModuleNotFoundError: No module named 'no_such_package'"),
        (
            "def load(source, options):\n    raise OSError(f'no weights in\\n {source}')",
            "OSError: no weights in weights",
        ),
        ("x = (", "SyntaxError"),
        ("", "AttributeError"),
    ],
)
def test_a_runner_that_can_not_be_loaded_is_reported_in_one_line(code: str, error: str, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(code, encoding="utf-8")
    with talking(tmp_path / "broken.py") as talk:
        message = talk.hear()
        assert message["op"] == "broken" and message["error"].startswith(error) and "\n" not in message["error"]
        assert talk.process.wait(300) == 0


def test_it_ends_when_its_input_does_also_inside_a_message() -> None:
    with talking(RUNNER) as talk:
        talk.hear()
        assert talk.process.stdin is not None
        talk.process.stdin.write(struct.pack(">I", 100) + b"half")
        talk.process.stdin.close()
        assert talk.process.wait(300) is not None
