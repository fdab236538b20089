"""Speech from text: any endpoint with OpenAI's speech API, or the program espeak-ng on this machine."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from triptych.errors import ProviderError, SpecError
from triptych.models.http.faults import checked_url, fault, with_path
from triptych.models.http.keys import key_in, say_where_it_goes
from triptych.secrets import scrub

OFFICIAL = "https://api.openai.com/v1"
MAX_BYTES = 64 << 20
MAX_CHARACTERS = 4_000
_VOICE = re.compile(r"[A-Za-z][\w+.-]{0,60}")


@dataclass(frozen=True)
class Speaker:
    """What speaks.

    model     `espeak-ng`, or `openai/NAME`: any endpoint with OpenAI's API
    base_url  the endpoint's address; empty: OPENAI_BASE_URL or OpenAI
    key_env   the environment variable with the endpoint's key
    timeout_s seconds to wait for one sentence
    """

    model: str
    base_url: str = ""
    key_env: str = "OPENAI_API_KEY"
    timeout_s: float = 120.0

    def speak(self, text: str, voice: str) -> bytes:
        """Return the text, spoken, as a WAV file (or what the endpoint sends for one).

        Raises SpecError for an unknown kind of speaker, a missing program or key, and a malformed voice; ProviderError
        if the speaker fails.
        """
        if not _VOICE.fullmatch(voice):
            raise SpecError("not a valid name of a voice", got=voice[:80], expected="letters, digits, + . _ -")
        if not text.strip() or len(text) > MAX_CHARACTERS:
            raise SpecError(
                "the text can't be spoken", got=f"{len(text)} characters", expected=f"1 to {MAX_CHARACTERS}"
            )
        kind, _, name = self.model.partition("/")
        if self.model == "espeak-ng":
            return _espeak(text, voice, self.timeout_s)
        if kind == "openai" and name:
            return self._ask(name, text, voice)
        raise SpecError("unknown speaker", got=self.model, expected="espeak-ng, or openai/NAME")

    def _ask(self, name: str, text: str, voice: str) -> bytes:
        base = str(self.base_url or os.environ.get("OPENAI_BASE_URL") or OFFICIAL).rstrip("/")
        url, key = with_path(checked_url(base), "audio/speech"), key_in(self.key_env)
        if not key and base == OFFICIAL:
            raise SpecError(f"{self.model} needs an API key", fix=f"set the environment variable {self.key_env}")
        say_where_it_goes(self.model, self.key_env, key, base)
        body = json.dumps({"model": name, "input": text, "voice": voice, "response_format": "wav"}).encode()
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key.reveal()}"
        request = urllib.request.Request(url, body, headers)
        try:
            with _NO_REDIRECT.open(request, timeout=self.timeout_s) as reply:
                sound: bytes = reply.read(MAX_BYTES + 1)
        except urllib.error.HTTPError as error:
            reply_body = error.read(2_000).decode("utf-8", "replace")
            raise fault(error.code, scrub(reply_body, key)) from None
        except OSError as error:
            reason = getattr(error, "reason", error)
            raise ProviderError(f"no speech from {scrub(base)} ({reason})", kind="connection", retryable=True) from None
        if not 44 <= len(sound) <= MAX_BYTES:
            raise ProviderError(f"the speech endpoint sent {len(sound):,} bytes", kind="malformed", retryable=True)
        return sound


class _Refused(urllib.request.HTTPRedirectHandler):
    """No redirect is followed: the key would go to another server."""

    def redirect_request(self, *_: object) -> None:
        return None


_NO_REDIRECT = urllib.request.build_opener(_Refused)


def _espeak(text: str, voice: str, timeout_s: float) -> bytes:
    program = shutil.which("espeak-ng")
    if program is None:
        raise SpecError(
            "the program espeak-ng is not installed",
            fix="install it (apt-get install espeak-ng, brew install espeak-ng)",
        )
    with TemporaryDirectory(prefix="triptych-speech-") as folder:
        out = Path(folder) / "speech.wav"
        command = [program, "-v", voice, "-b", "1", "-w", str(out), "--stdin"]
        try:
            done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=timeout_s, check=False)
        except subprocess.TimeoutExpired:
            raise ProviderError(f"espeak-ng took over {timeout_s:g} s", kind="timeout", retryable=True) from None
        if done.returncode or not out.is_file():
            wording = done.stderr.decode("utf-8", "replace")[:300].strip()
            raise ProviderError(f"espeak-ng failed ({wording or done.returncode})", kind="internal")
        return out.read_bytes()
