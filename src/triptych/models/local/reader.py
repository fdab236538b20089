"""`local/asr`, `local/ocr`, `local/tesseract` …: one engine as a model. The reply is what it reads out of the media."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from triptych.media.payload import MediaReader
from triptych.media.sound.coding import decode_sound
from triptych.models.adapter import Reply, SimpleAdapter, take_settings
from triptych.models.local.asr import Asr
from triptych.models.local.media_texts import MediaTexts, ReadFile
from triptych.models.local.ocr_engines import ENGINES, find_engine, make_reader
from triptych.models.local.packages import release
from triptych.models.weights.resolver import Resolver
from triptych.records import Intermediate, Kind, Request
from triptych.store.user_cache import TextCache

READER_SETTINGS: dict[str, dict[str, Any]] = {
    "asr": {"asr": "whisper-base", "language": "auto", "languages": "zh,en", "threads": 1, "fetch": False},
    "ocr": {"engine": "rapidocr", "languages": "", "threads": 1},
}
PACKAGES = ("faster-whisper", "ctranslate2")
MAKES_NO_DIFFERENCE = ("fetch", "threads")


class Reader(SimpleAdapter):
    """Reads recordings (`asr`) or pictures (`ocr`) and ignores the text of the prompt."""

    most_at_once = 3
    decoding: frozenset[str] = frozenset[str]()

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        engine = "ocr" if name in ENGINES else name
        settings = {**settings, "engine": name} if name in ENGINES else settings
        self._taken = take_settings(f"local/{engine}", settings, READER_SETTINGS[engine])
        super().__init__({k: v for k, v in self._taken.items() if k not in MAKES_NO_DIFFERENCE})
        self._engine = engine
        self.name: str = (
            f"local/{name}" if self._taken.get("engine", "rapidocr") == "rapidocr" else f"local/{self._taken['engine']}"
        )
        self.accepts: frozenset[Kind] = frozenset({"text", "audio" if engine == "asr" else "image"})
        weights = [f"{w}@{Resolver().describe(w).fingerprint}" for w in [self._taken.get("asr")] if w]
        revisions = [find_engine(self._taken["engine"]).revision] if engine == "ocr" else map(release, PACKAGES)
        self.revision: str = ", ".join([*weights, *revisions])

    async def open(self) -> None:
        """Find the weights; the engine loads at first use. Raises WeightsError."""
        self._pool = ThreadPoolExecutor(1, self._engine)
        reading = await asyncio.to_thread(self._asr) if self._engine == "asr" else self._ocr()
        self._texts = MediaTexts(self.name + " " + self.revision, self.settings, reading, TextCache())

    async def close(self) -> None:
        """Let the engine go."""
        if hasattr(self, "_pool"):  # opening may have failed
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def prepare(self, request: Request, media: MediaReader) -> tuple[Intermediate, ...]:
        """Read all media. Raises MediaError."""
        return tuple([await self._texts.words(part, media, self._pool) for part in request.media_parts])

    async def respond(self, request: Request, prepared: tuple[Intermediate, ...]) -> Reply:
        """Return the extracted text, one line per file; a Request without media is skipped."""
        if not prepared:
            return Reply("", "skipped", note=f"{self.name} reads media, and there is none")
        return Reply("\n".join(read.text for read in prepared), intermediates=prepared)

    def _ocr(self) -> ReadFile:
        engine = make_reader(self._taken["engine"], self._taken["languages"], self._taken["threads"])
        return lambda kind, data: engine.read(data)

    def _asr(self) -> ReadFile:
        taken = self._taken
        folder = Resolver().resolve(taken["asr"], fetch=taken["fetch"])
        languages = [code.strip() for code in taken["languages"].split(",") if code.strip()]
        engine = Asr(folder, language=taken["language"], languages=languages, threads=taken["threads"])
        return lambda kind, data: engine.transcribe(decode_sound(data).mono()).text
