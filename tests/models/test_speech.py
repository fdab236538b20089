"""Speech from text: an endpoint with OpenAI's speech API, and the program espeak-ng."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from triptych.errors import ProviderError, SpecError
from triptych.models.speech import Speaker

SOUND = b"RIFF" + bytes(100)


class Endpoint(BaseHTTPRequestHandler):
    """Speaks anything but `fail` (500), `move` (a redirect) and `empty`."""

    seen: list[dict[str, str]] = []  # noqa: RUF012

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append(body | {"path": self.path, "key": self.headers.get("Authorization", "")})
        status = {"fail": 500, "move": 307}.get(body["input"], 200)
        self.send_response(status)
        if status == 307:
            self.send_header("Location", "http://example.invalid/")
        self.end_headers()
        self.wfile.write(b"" if body["input"] == "empty" else SOUND)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    Endpoint.seen.clear()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_endpoint_gets_the_text_the_voice_and_the_key(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPTYCH_SPEECH_API_KEY", "sk-secret")
    assert Speaker("openai/tts", endpoint, "TRIPTYCH_SPEECH_API_KEY").speak("Hello 世界", "alloy") == SOUND
    (seen,) = Endpoint.seen
    assert seen == {
        "model": "tts",
        "input": "Hello 世界",
        "voice": "alloy",
        "response_format": "wav",
        "path": "/v1/audio/speech",
        "key": "Bearer sk-secret",
    }


@pytest.mark.parametrize(("text", "kind"), [("fail", "server"), ("move", "bad_request"), ("empty", "malformed")])
def test_faults_of_an_endpoint_are_told_and_no_redirect_is_followed(endpoint: str, text: str, kind: str) -> None:
    with pytest.raises(ProviderError) as error:
        Speaker("openai/tts", endpoint).speak(text, "alloy")
    assert error.value.kind == kind


def test_an_endpoint_that_is_not_there_is_a_connection_error() -> None:
    with pytest.raises(ProviderError, match="no speech from"):
        Speaker("openai/tts", "http://127.0.0.1:9/v1", timeout_s=2).speak("x", "alloy")


@pytest.mark.parametrize(
    ("speaker", "text", "voice", "message"),
    [
        ("espeak-ng", "x", "--help", "not a valid name of a voice"),
        ("espeak-ng", "x", "en;rm", "not a valid name of a voice"),
        ("espeak-ng", "  ", "en", "can't be spoken"),
        ("espeak-ng", "x" * 4001, "en", "can't be spoken"),
        ("somebody", "x", "en", "unknown speaker"),
        ("openai/", "x", "en", "unknown speaker"),
    ],
)
def test_what_cannot_be_spoken_is_refused(speaker: str, text: str, voice: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Speaker(speaker).speak(text, voice)


def test_a_key_and_the_program_are_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SpecError, match="API key"):
        Speaker("openai/tts").speak("x", "alloy")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SpecError, match="espeak-ng is not installed"):
        Speaker("espeak-ng").speak("x", "en")


def test_the_program_gets_the_text_on_its_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "espeak-ng"
    program.write_text(
        '#!/bin/sh\nout=x\nwhile [ $# -gt 0 ]; do [ "$1" = -w ] && out=$2; shift; done\n/bin/cat > "$out"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Speaker("espeak-ng").speak("-w /etc/passwd", "en").decode() == "-w /etc/passwd"
    program.write_text("#!/bin/sh\necho no such voice >&2\nexit 1\n")
    with pytest.raises(ProviderError, match="no such voice"):
        Speaker("espeak-ng").speak("x", "xx")
