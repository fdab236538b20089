"""Transcription endpoints: one recording in a form, its words back; anything else is an error or `skipped`."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import triptych
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import encode_wav
from triptych.models.registry import load_adapter
from triptych.records import Message, Part, Request, Response, media, text
from triptych.running.loop import RunOptions, execute, run_sync
from triptych.store.journals.replies import ReplyJournal


class Endpoint(ThreadingHTTPServer):
    """Answers with `reply`, and keeps the forms that it received."""

    reply: Any
    forms: list[dict[str, bytes]]

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Endpoint

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Content-Type"].startswith("multipart/"):
            head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
            parts = BytesParser(policy=HTTP).parsebytes(head + body).iter_parts()
            form = {p.get_param("name", header="content-disposition"): p.get_payload(decode=True) for p in parts}
            self.server.forms.append({"path": self.path.encode(), **form})
            self.send(self.server.reply)
        else:
            asked = json.loads(body)["messages"][-1]["content"]
            said = asked if isinstance(asked, str) else "".join(part.get("text", "") for part in asked)
            self.send({"choices": [{"message": {"content": said}, "finish_reason": "stop"}], "model": "llm"})

    def do_GET(self) -> None:
        self.send({"data": []})

    def send(self, document: Any) -> None:
        data = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint(("127.0.0.1", 0), Handler)
    server.forms, server.reply = [], {"text": " 床前明月光 "}
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def heard(endpoint: Endpoint, folder: Path, *parts: Part, **settings: Any) -> Response:
    (folder / "a.wav").write_bytes(encode_wav(np.zeros((800, 1)), 8_000))
    adapter = load_adapter("asr/whisper", {"base_url": endpoint.base_url, **settings})
    journal = ReplyJournal(folder, "replies")
    request = Request("q", (Message("user", parts),), {"temperature": 0})
    run_sync(execute([request], adapter, journal, MediaReader(folder), RunOptions(progress=False, retries=0)))
    return next(iter(journal.latest_replies().values()))


def test_a_recording_is_sent_as_a_form_and_its_words_come_back(endpoint: Endpoint, tmp_path: Path) -> None:
    found = heard(endpoint, tmp_path, text("What is said?"), media("audio", "a.wav"), language="zh", prompt="李白")
    assert (found.status, found.text) == ("answered", "床前明月光")
    (form,) = endpoint.forms
    assert form["path"] == b"/v1/audio/transcriptions" and form["file"] == (tmp_path / "a.wav").read_bytes()
    assert form["model"] == b"whisper" and form["language"] == b"zh" and form["temperature"] == b"0"
    assert form["prompt"].decode() == "李白"


def test_containers_that_an_endpoint_does_not_take_become_wav(endpoint: Endpoint, tmp_path: Path) -> None:
    heard(endpoint, tmp_path, media("audio", "a.wav"), audio_formats="mp3")
    assert endpoint.forms[0]["file"][:4] == b"RIFF" and endpoint.forms[0]["file"] != (tmp_path / "a.wav").read_bytes()


def test_marks_of_sensevoice_are_no_words(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.reply = {"text": "<|zh|><|NEUTRAL|><|Speech|><|withitn|>举头望明月", "usage": {"input_tokens": 9}}
    found = heard(endpoint, tmp_path, media("audio", "a.wav"))
    assert found.text == "举头望明月" and found.usage is not None and found.usage.input_tokens == 9


@pytest.mark.parametrize("reply", [b"<html>", {"error": "no"}, {"text": None}, []])
def test_a_reply_without_words_has_failed(endpoint: Endpoint, tmp_path: Path, reply: Any) -> None:
    endpoint.reply = reply
    found = heard(endpoint, tmp_path, media("audio", "a.wav"))
    assert found.status == "failed" and found.error is not None and "no transcript" in found.error.message


@pytest.mark.parametrize("number", [0, 2])
def test_anything_but_one_recording_is_skipped(endpoint: Endpoint, tmp_path: Path, number: int) -> None:
    found = heard(endpoint, tmp_path, text("?"), *[media("audio", "a.wav")] * number)
    assert found.status == "skipped" and found.error is not None and f"not {number}" in found.error.message
    assert not endpoint.forms


def test_transcripts_are_the_input_of_a_language_model(endpoint: Endpoint, tmp_path: Path) -> None:
    """Speech recognition, then a language model: each file is heard once, and its words are journaled."""
    run = triptych.run(
        "cmdar/main",
        "openai/llm",
        base_url=endpoint.base_url,
        conditions=["transcript:from=asr/whisper"],
        limit=2,
        reader_base_url=endpoint.base_url,
        out=tmp_path / "run",
    )
    files = [form["file"] for form in endpoint.forms]
    assert len(files) == len(set(files)) and all("床前明月光" in one.text for one in run.folder.responses())
    assert list((tmp_path / "run" / "readings").glob("*.jsonl"))
