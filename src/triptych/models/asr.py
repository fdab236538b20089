"""`asr/NAME`: endpoints with OpenAI's transcriptions API, as OpenAI, vLLM, FunASR and speaches serve it.

Such an endpoint hears one recording and returns its words; it sees nothing of the question. It answers recognition
tasks, and it reads for the Condition `transcript:from=asr/NAME`, which makes a cascade with any language model.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec

from triptych.errors import ProviderError
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import SPEECH_HZ, decode_sound, encode_wav
from triptych.models.adapter import Reply, counted, take_settings
from triptych.models.http.balanced import Balanced, addresses_of
from triptych.models.openai.adapter import OFFICIAL as OPENAI
from triptych.models.openai.adapter import OpenAIAdapter
from triptych.models.openai.reply import malformed
from triptych.records import Kind, Part, Request, Usage
from triptych.records.surrogates import without_halves
from triptych.records.unreadable import UNREADABLE

ADAPTER = "a transcription endpoint (Whisper, FunASR, vLLM …): asr/NAME, --model-base-url URL"
OFFICIAL = OPENAI
SETTINGS: dict[str, Any] = {
    "base_url": "",  # or OPENAI_BASE_URL; several, separated by spaces, serve the same model
    "key_env": "OPENAI_API_KEY",  # environment variable with the API key
    "revision": "",  # identifies the weights behind the endpoint, if known
    "language": "",  # code of the language that is spoken, if the endpoint should not guess it
    "prompt": "",  # words that the recognition should know; endpoints differ in what they do with it
    "audio_formats": "wav,mp3,flac,ogg",  # containers that are sent unchanged; others are converted to WAV
}
_TRANSPORT = ("base_url", "key_env", "revision")
# Marks of language, mood and event that SenseVoice writes before the words: <|zh|><|NEUTRAL|><|Speech|>
_MARKS = re.compile(r"<\|[^|<>]{1,40}\|>")


class _Transcription(msgspec.Struct):
    text: str
    usage: Any = None


def make(name: str, settings: Mapping[str, Any]) -> TranscriptionAdapter | Balanced:
    """Return the adapter for `asr/NAME`. Raises SpecError for a wrong setting or a missing API key."""
    urls = addresses_of(settings.get("base_url") or os.environ.get("OPENAI_BASE_URL"))
    if len(urls) < 2:
        return TranscriptionAdapter(name, settings)
    return Balanced([TranscriptionAdapter(name, {**settings, "base_url": url}) for url in urls])


class TranscriptionAdapter(OpenAIAdapter):
    """An adapter that sends the recording as a form, and nothing of the question."""

    path = "audio/transcriptions"
    decoding: frozenset[str] = frozenset({"temperature"})

    def __init__(self, model: str, settings: Mapping[str, Any]) -> None:
        taken = take_settings("asr", settings, SETTINGS)
        super().__init__(model, {key: settings[key] for key in _TRANSPORT if key in settings})
        self.name: str = f"asr/{model}"
        self.settings: Mapping[str, Any] = {key: taken[key] for key in settings if key not in _TRANSPORT}
        self.accepts: frozenset[Kind] = frozenset({"text", "audio"})
        self._boundary = secrets.token_hex(16)
        self.content_type: str = f"multipart/form-data; boundary={self._boundary}"
        fields = {"model": model, "response_format": "json", "language": taken["language"], "prompt": taken["prompt"]}
        self._fields = {name: str(value) for name, value in fields.items() if value}
        self._formats = {one.strip() for one in str(taken["audio_formats"]).split(",")}

    async def prepare(self, request: Request, media: MediaReader) -> bytes:
        """Return the form; empty if the Request doesn't have exactly one recording. Raises MediaError."""
        sounds = [part for part in request.media_parts if part.kind == "audio"]
        if len(sounds) != 1:
            return b""
        return await asyncio.to_thread(self._form, sounds[0], media, request.settings.get("temperature"))

    async def respond(self, request: Request, prepared: bytes) -> Reply:
        """Make one attempt. A Request without exactly one recording is `skipped`."""
        if not prepared:
            count = sum(part.kind == "audio" for part in request.media_parts)
            return Reply("", "skipped", note=f"{self.name} takes exactly one recording, not {count}")
        return await super().respond(request, prepared)

    def read(self, body: bytes) -> Reply:
        """Return the words. Raises ProviderError if the body has none."""
        try:
            transcription = msgspec.json.decode(without_halves(body), type=_Transcription)
        except UNREADABLE:
            raise malformed("the reply has no transcript", body) from None
        usage_fields = transcription.usage if isinstance(transcription.usage, dict) else {}
        usage = Usage(counted(usage_fields.get("input_tokens")), counted(usage_fields.get("output_tokens")))
        words = _MARKS.sub("", transcription.text).strip()
        return Reply(words, finish_reason="stop", usage=None if usage == Usage() else usage)

    def _form(self, part: Part, media: MediaReader, temperature: Any) -> bytes:
        payload = media.load(part)
        data, ending = payload.data, payload.format
        if ending not in self._formats:
            samples = decode_sound(data, payload.path).mono(SPEECH_HZ)
            data, ending = encode_wav(samples[:, None], SPEECH_HZ), "wav"
        if self._boundary.encode() in data:
            raise ProviderError("the recording contains the form's boundary", kind="internal")
        fields = {**self._fields, **({} if temperature is None else {"temperature": str(temperature)})}
        line = f"--{self._boundary}\r\nContent-Disposition: form-data; name="
        head = "".join(f'{line}"{name}"\r\n\r\n{value}\r\n' for name, value in fields.items())
        head += f'{line}"file"; filename="audio.{ending}"\r\nContent-Type: audio/{ending}\r\n\r\n'
        return head.encode() + data + f"\r\n--{self._boundary}--\r\n".encode()
