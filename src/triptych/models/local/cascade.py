"""`local/cascade`: media become words (OCR, speech recognition, sound events), and a small language model answers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.errors import ProviderError, SpecError, nearest
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply, SimpleAdapter, take_settings
from triptych.models.local import choices, describe
from triptych.models.local.asr import Asr
from triptych.models.local.llm import GeneratedText, Llm, TooLong, usage_sum
from triptych.models.local.media_texts import MediaTexts
from triptych.models.local.ocr import Ocr
from triptych.models.local.packages import need_cascade, release
from triptych.models.local.sounds import Listener
from triptych.models.weights.resolver import Resolver
from triptych.records import Intermediate, Request
from triptych.store.user_cache import TextCache

DEFAULT_SETTINGS: dict[str, Any] = {
    "light": False,  # the smallest language model; English only
    "large": False,  # a larger one; much better in Chinese, three times as slow
    "llm": "",  # or any set of the weights list by name
    "asr": "whisper-base",
    "language": "auto",  # language of speech: a code, or the most likely of `languages`
    "languages": "zh,en",
    "choice": "auto",  # lettered options are chosen by `content` or by `letter`; auto: whatever suits the LLM
    "constrain": False,  # by letter: restrict the LLM to writing a letter
    "max_tokens": 128,  # if the Request has no limit
    "threads": 1,
    "instances": 2,  # instances of the language model: the number of Requests answered at a time, each on its own core
    "fetch": False,  # download missing weights
}
MAKES_NO_DIFFERENCE = ("fetch", "threads", "instances", "light", "large")  # result of `auto`, once `llm` is known
EDITION = 3  # of the prompts below and in `choices`
# Of an option that is being written out: enough to tell which one it is
ENOUGH_TOKENS = 32
MAX_JSON_TOKENS = 768  # where JSON is asked for: a document that is cut is of no use
SYSTEM = (
    "Recordings, pictures and videos are given as text in square brackets: what was heard or seen in them. "
    "Answer in the form that is asked for, without explanation."
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A Request as text: its turns as segments, and the texts extracted from its media."""

    turns: tuple[tuple[str, tuple[str, ...]], ...]
    intermediates: tuple[Intermediate, ...]


class Cascade(SimpleAdapter):
    """See the module. Engines run in threads: one reads pictures and recordings, the others run the language model."""

    name = "local/cascade"
    decoding: frozenset[str] = frozenset({"max_tokens"})  # the most probable word is always taken

    def __init__(self, settings: Mapping[str, Any]) -> None:
        taken = _settings(settings)
        super().__init__({k: v for k, v in taken.items() if k not in MAKES_NO_DIFFERENCE})
        self._threads, self._fetch = taken["threads"], taken["fetch"]
        self._instances = max(1, min(taken["instances"], os.cpu_count() or 1))
        # These are answered, one is read, one waits; more would only wait, and count against the time limit.
        self.most_at_once: int = self._instances + 2
        self.weights: tuple[str, ...] = (taken["llm"], taken["asr"])
        self.revision: str = self._revision(Resolver())
        self._llm: Llm | None = None

    async def open(self) -> None:
        """Find the weights (downloading only with `fetch`); engines are loaded on first use. Raises WeightsError, or
        SpecError if a package is missing.
        """
        need_cascade()
        resolver = Resolver()
        llm, asr = [await asyncio.to_thread(resolver.resolve, name, fetch=self._fetch) for name in self.weights]
        self._llm_pool = ThreadPoolExecutor(self._instances, "language-model")
        self._media_pool = ThreadPoolExecutor(1, "media")
        self._texts = self._make_texts(asr)
        self._llm = Llm(_gguf(llm), threads=self._threads, instances=self._instances)

    async def close(self) -> None:
        """Release the engines."""
        if self._llm is None:  # opening failed
            return
        self._media_pool.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self._llm_pool.shutdown, wait=True, cancel_futures=True)  # what is being written ends
        self._llm.close()

    async def prepare(self, request: Request, media: MediaReader) -> Prepared:
        """Convert the media to text. Raises MediaError."""
        read: list[Intermediate] = []
        turns = []
        for message in request.messages:
            segments = []
            for part in message.parts:
                if part.is_media:
                    read.append(await self._texts.words(part, media, self._media_pool))
                segments.append(read[-1].text if part.is_media else part.text)
            turns.append((message.role, tuple(segments)))
        return Prepared(tuple(turns), tuple(read))

    async def respond(self, request: Request, prepared: Prepared) -> Reply:
        """Ask the language model in its thread. A prompt that exceeds its context is `skipped`."""
        schema = request.settings.get("json_schema")
        usual = self.settings["max_tokens"] if schema is None else max(MAX_JSON_TOKENS, self.settings["max_tokens"])
        max_tokens = int(request.settings.get("max_tokens") or usual)
        loop = asyncio.get_running_loop()
        try:
            text, reply_text, thinking = await loop.run_in_executor(
                self._llm_pool, self._answer, prepared.turns, max_tokens, schema
            )
        except TooLong as error:
            return Reply("", "skipped", intermediates=prepared.intermediates, note=str(error))
        return Reply(
            text,
            "truncated" if reply_text.cut else "answered",
            finish_reason="length" if reply_text.cut else "stop",
            usage=reply_text.usage,
            thinking=thinking,
            intermediates=prepared.intermediates,
            served_model=self.settings["llm"],
        )

    def _answer(
        self, turns: Sequence[tuple[str, tuple[str, ...]]], max_tokens: int, schema: Mapping[str, Any] | None
    ) -> tuple[str, GeneratedText, str | None]:
        """The reply, what the model wrote, and its words where the reply is a letter that was looked up."""
        llm = self._require_model()
        choice = choices.find_choice(turns[-1][1]) if turns and schema is None else None
        if choice and self._by_content and choice.has_distinct_options:
            return self._choose(llm, choice, max_tokens)
        messages = [{"role": role, "content": "\n".join(segments)} for role, segments in turns]
        if not any(m["role"] == "system" for m in messages):
            messages.insert(0, {"role": "system", "content": SYSTEM})
        letters = [letter for letter, _ in choice.options] if choice and self.settings["constrain"] else []
        generated = llm.chat(messages, max_tokens, letters, schema)
        return generated.text.strip(), generated, None

    def _choose(self, llm: Llm, choice: choices.Choice, max_tokens: int) -> tuple[str, GeneratedText, str | None]:
        """Let the model write the option that fits; what it wrote is kept as its thinking. Where that is like no
        option (it may repeat the question instead), it must begin one of them."""
        prompt = choices.completion_prompt(choice)
        generated = llm.complete(prompt, min(max_tokens, ENOUGH_TOKENS))
        wrote, letter = generated.text.strip(), choices.letter_of(generated.text, choice)
        if letter is None:
            shared, beginnings = choices.distinct_beginnings(choice)
            forced = llm.complete(f"{prompt} {shared}".rstrip(), max_tokens, [f" {b}" for b in beginnings])
            wrote, letter = f"{wrote} -> {forced.text.strip()}", beginnings.get(forced.text[1:])
            generated = GeneratedText(forced.text, usage_sum(generated.usage, forced.usage), forced.cut)
        return (
            letter or wrote,
            generated if letter is None else GeneratedText(generated.text, generated.usage, cut=False),
            wrote,
        )

    def _require_model(self) -> Llm:
        if self._llm is None:
            raise ProviderError("local/cascade was asked before it was opened", kind="internal")
        return self._llm

    @property
    def _by_content(self) -> bool:
        wish = self.settings["choice"]
        return bool(wish == "content" or (wish == "auto" and self.settings["llm"] != LARGE))

    def _make_texts(self, asr: Path) -> MediaTexts:
        languages = [code.strip() for code in self.settings["languages"].split(",") if code.strip()]
        engines = describe.Engines(
            Ocr(self._threads),
            Asr(asr, language=self.settings["language"], languages=languages, threads=self._threads),
            Listener(),
        )
        return MediaTexts(describe.edition(), describe.settings_of(self.settings), engines.describe, TextCache())

    def _revision(self, resolver: Resolver) -> str:
        pinned = [f"{name}@{resolver.describe(name).fingerprint}" for name in self.weights]
        return ", ".join([*pinned, f"cascade {EDITION}", describe.edition(), release("xllamacpp")])


LIGHT, STANDARD, LARGE = "smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"


def _settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """All settings, `llm` filled in. Raises SpecError for what is unknown or contradicts itself."""
    taken = take_settings("local/cascade", settings, DEFAULT_SETTINGS)
    if sum([bool(taken["light"]), bool(taken["large"]), bool(taken["llm"])]) > 1:
        raise SpecError("light, large and llm can't be combined", where="local/cascade", got=dict(settings))
    if taken["choice"] not in (ways := ("auto", "content", "letter")):
        raise SpecError(f"local/cascade can't choose by {taken['choice']!r}", fix=nearest(taken["choice"], ways))
    taken["llm"] = taken["llm"] or (LIGHT if taken["light"] else LARGE if taken["large"] else STANDARD)
    return taken


def _gguf(folder: Path) -> Path:
    """Return the model file of a set. Raises SpecError if there is none."""
    files = sorted(p for p in folder.iterdir() if p.suffix == ".gguf")
    if len(files) != 1:
        raise SpecError("a language model's weights are one .gguf file", where=folder, got=[p.name for p in files])
    return files[0]
