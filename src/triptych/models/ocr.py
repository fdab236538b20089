"""`ocr/ENGINE -M llm=ADAPTER/NAME`: an OCR engine reads the images, and any model answers from the text.

Settings that begin with `llm.` are passed to the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from triptych.conditions.ocr import ABOUT
from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import DECODING, Adapter, Reply, SimpleAdapter, take_settings
from triptych.models.local.media_texts import MediaTexts
from triptych.models.local.ocr_engines import find_engine, make_reader
from triptych.models.registry import load_adapter
from triptych.records import Intermediate, Item, Kind, Message, Part, Request, text
from triptych.store.user_cache import TextCache

ADAPTER = "ocr/ENGINE -M llm=ADAPTER/NAME: an OCR engine reads, any model answers"

SETTINGS: dict[str, Any] = {"llm": "", "base_url": "", "languages": "", "threads": 1}
MAKES_NO_DIFFERENCE = ("threads", "base_url")
LLM_PREFIX = "llm."  # prefix of the model's settings


def make(name: str, settings: Mapping[str, Any]) -> OcrFirst:
    """Return the adapter for `ocr/ENGINE`. Raises SpecError for an unknown engine, a missing model or a wrong
    setting.
    """
    return OcrFirst(name, settings)


@dataclass(frozen=True, slots=True)
class Read:
    """A Request with texts instead of images, as prepared by the model."""

    request: Request
    prepared: Any
    intermediates: tuple[Intermediate, ...]


class OcrFirst(SimpleAdapter):
    """Images are read in a thread, each once; everything else is done by the model."""

    def __init__(self, engine: str, settings: Mapping[str, Any]) -> None:
        taken = take_settings("ocr", {k: v for k, v in settings.items() if not k.startswith(LLM_PREFIX)}, SETTINGS)
        if not taken["llm"]:
            raise SpecError("no model is given to answer", expected=f"ocr/{engine} -M llm=ADAPTER/NAME")
        reader_engine = find_engine(engine)
        llm_settings = {
            key.removeprefix(LLM_PREFIX): value for key, value in settings.items() if key.startswith(LLM_PREFIX)
        }
        if taken["base_url"]:
            llm_settings["base_url"] = taken["base_url"]
        self._llm: Adapter = load_adapter(taken["llm"], llm_settings)
        self._engine, self._taken = engine, taken
        model_settings = {key: taken[key] for key in settings if key in taken and key not in MAKES_NO_DIFFERENCE}
        super().__init__({**model_settings, **{LLM_PREFIX + key: value for key, value in self._llm.settings.items()}})
        self.name: str = f"ocr/{engine}+{self._llm.name}"
        self.priced_as: str = self._llm.name
        self.revision: str = ", ".join(filter(None, [reader_engine.revision, self._llm.revision]))
        self.accepts: frozenset[Kind] = self._llm.accepts | {"image"}
        self.endpoint: str = self._llm.endpoint
        self.deterministic: bool = self._llm.deterministic
        self.decoding: frozenset[str] = getattr(self._llm, "decoding", frozenset(DECODING))
        if (limit := getattr(self._llm, "most_at_once", None)) is not None:
            self.most_at_once = limit

    async def open(self) -> None:
        """Open the model; the engine is loaded on first use."""
        reader = make_reader(self._engine, self._taken["languages"], self._taken["threads"])
        self._pool = ThreadPoolExecutor(1, "ocr")
        named = f"ocr/{self._engine} {find_engine(self._engine).revision}"
        settings = {"languages": self._taken["languages"]}
        self._texts = MediaTexts(named, settings, lambda kind, data: reader.read(data), TextCache())
        await self._llm.open()
        self.in_step: Any = getattr(self._llm, "in_step", None)

    async def close(self) -> None:
        """Close both."""
        if hasattr(self, "_pool"):
            self._pool.shutdown(wait=False, cancel_futures=True)
        await self._llm.close()

    async def prepare(self, request: Request, media: MediaReader) -> Read:
        """Replace the images by their text, and have the model prepare the rest. Raises MediaError."""
        read: list[Intermediate] = []
        messages = []
        for message in request.messages:
            parts = [await self._in_words(part, request, media, read) for part in message.parts]
            messages.append(Message(message.role, tuple(parts)))
        with_texts = replace(request, messages=tuple(messages))
        return Read(with_texts, await self._llm.prepare(with_texts, media), tuple(read))

    async def respond(self, request: Request, prepared: Read) -> Reply:
        """Return the model's reply; the texts of the images are stored with it."""
        reply = await self._llm.respond(prepared.request, prepared.prepared)
        return replace(reply, intermediates=(*prepared.intermediates, *reply.intermediates))

    async def _in_words(self, part: Part, request: Request, media: MediaReader, read: list[Intermediate]) -> Part:
        if part.kind != "image":
            return part
        read.append(await self._texts.words(part, media, self._pool))
        question = Item(
            request.id, "", tuple(p for message in request.messages for p in message.parts if not p.is_media)
        )
        return text(f"{ABOUT.caption(question)}\n{read[-1].text}", part.role)
