"""Speech to text: Whisper base by faster-whisper, int8 on the CPU."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.records.packages import need

RATE = 16_000
# Whisper writes Mandarin in either script; a prompt in simplified characters makes it keep to them (character error
# rate on 15 synthetic clips 8.9% with it, 10.0% without, after both were brought to one script).
PROMPTS = {"zh": "以下是普通话的句子。"}


@dataclass(frozen=True, slots=True)
class Transcript:
    """The recognised text and its language."""

    text: str
    language: str


class Asr:
    """A speech recogniser, loaded on first use; safe to call from several threads (one at a time).

    `language`: a code (`en`, `zh`), or `auto`: the most likely of `languages`.
    """

    def __init__(
        self, weights: Path, *, language: str = "auto", languages: Sequence[str] = ("zh", "en"), threads: int = 1
    ) -> None:
        self._weights, self._threads = weights, threads
        self._languages = tuple(languages) if language == "auto" else (language,)
        self._model: Any = None
        self._lock = threading.Lock()

    def transcribe(self, samples: Any) -> Transcript:
        """Transcribe mono samples (float32, 16 kHz). Silence may be transcribed as words, so call it only if there is
        speech.
        """
        with self._lock:
            model = self._load()
            language = self._languages[0] if len(self._languages) == 1 else self._likeliest_language(model, samples)
            segments, _ = model.transcribe(
                samples,
                language=language,
                beam_size=5,
                temperature=(0.0,),  # no sampling: the same sound always gives the same text
                condition_on_previous_text=False,
                initial_prompt=PROMPTS.get(language),
            )
            return Transcript("".join(segment.text for segment in segments).strip(), language)

    def _likeliest_language(self, model: Any, samples: Any) -> str:
        """Return the most likely of the expected languages, from the first 30 seconds."""
        pad = need("faster_whisper.audio", "recognising speech").pad_or_trim
        features = model.feature_extractor(samples)
        # transcribe() encodes all frames but the last; the same frames here let it reuse the result
        encoded = model.encode(pad(features[:, : min(features.shape[-1] - 1, model.feature_extractor.nb_max_frames)]))
        shares = {mark.strip("<|>"): share for mark, share in model.model.detect_language(encoded)[0]}
        return max(self._languages, key=lambda code: shares.get(code, 0.0))

    def _load(self) -> Any:
        if self._model is None:
            whisper = need("faster_whisper", "recognising speech")
            self._model = whisper.WhisperModel(
                str(self._weights),
                device="cpu",
                compute_type="int8",
                cpu_threads=self._threads,
                num_workers=1,
                local_files_only=True,
            )
            self._model.encode = _remember_last(self._model.encode)
        return self._model


def _remember_last(encode: Any) -> Any:
    """Cache the last call of the encoder, which takes most of the time: language detection and transcription share
    it.
    """
    import numpy as np

    last: list[Any] = []

    def remembered(features: Any) -> Any:
        if not last or not np.array_equal(last[0], features):
            last[:] = [features, encode(features)]
        return last[1]

    return remembered
