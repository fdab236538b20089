"""The adapter of `hf/ID`: Requests are prepared in threads, gathered into batches, and answered by one model."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.metrics.replies.thinking import split_thinking
from triptych.models.adapter import (
    MORE_DECODING,
    Reply,
    SimpleAdapter,
    in_one_form,
    json_object,
    take_settings,
)
from triptych.models.hf.batches import Batcher, Rules
from triptych.models.hf.content import Conversation, converse
from triptych.models.hf.engine import Answer, Engine, Job, TooLong
from triptych.models.hf.films import packer_of, takes_sound_in_videos
from triptych.models.hf.loading import identity_of, load, source_of
from triptych.models.hf.loras import Loras, card_loras
from triptych.models.hf.settings import SETTINGS
from triptych.models.local.packages import release
from triptych.models.loras import setting_of
from triptych.models.packing.decoded import FRAMES, FULL_VIDEO_MODES
from triptych.models.packing.packing import Packing, check_possible
from triptych.models.packing.usual import chosen_packing, usual_packing
from triptych.records import Kind, Request, Usage

MAKES_NO_DIFFERENCE = ("fetch", "batch", "device", "device_map", "revision", "adapter", "template")
GENERATION = ("temperature", "top_p", "top_k", *MORE_DECODING)
OLDER = ("fps", "max_frames")  # are part of the packing
AHEAD = 2  # batches of Requests under way: one is answered, the next is prepared


class HfAdapter(SimpleAdapter):
    """See the module. The model is loaded when the Run begins."""

    more_decoding: frozenset[str] = frozenset(MORE_DECODING)

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self._taken = taken = in_one_form("hf", take_settings("hf", settings, SETTINGS), "chat_template_kwargs")
        if taken["batch"] < 1:
            raise SpecError("the batch must be at least 1", got=taken["batch"], where="-M batch")
        self.name: str = f"hf/{name}"
        self._source, folder = source_of(name)
        self._packing = hf_packing(name, folder, taken)
        self.packing: str = self._packing.text
        own_settings = {key: taken[key] for key in settings if key not in (*MAKES_NO_DIFFERENCE, *OLDER)}
        adapter = _folder(taken["adapter"], "-M adapter")
        self._loras = () if adapter else card_loras(name, folder, str(taken["loras"]))
        carded = {"loras": setting_of(self._loras)} if self._loras else {}
        super().__init__({**own_settings, "packing": self.packing, **carded})
        self._template = _read(taken["template"])
        self._for_template = json_object("hf", "chat_template_kwargs", taken["chat_template_kwargs"])
        named = "" if Path(name).is_dir() else str(taken["revision"])  # it is loaded, whatever the newest snapshot is
        revisions = [named or identity_of(folder), release("transformers")]
        revisions += [f"adapter {identity_of(adapter)}"] if adapter else []
        revisions += self._loras_of(folder) if Path(name).is_dir() and folder is not None else []
        revisions += [f"template {len(self._template)}:{hash_of(self._template)}"] if self._template else []
        self.revision: str = ", ".join(filter(None, revisions))
        self.most_at_once: Any = AHEAD * taken["batch"]
        self._engine: Engine | None = None

    async def open(self) -> None:
        """Load the model. Raises SpecError or WeightsError."""
        model, processor = await asyncio.to_thread(load, self._source, self._taken)
        if self._packing.sound == "in_video" and not takes_sound_in_videos(processor):
            raise SpecError(
                f"{self.name} can't take the sound of a film in its video",
                got=f"--packing {self.packing}",
                fix="sound=apart sends it as a recording",
            )
        loras = await asyncio.to_thread(Loras, model, source_of(self._source)[1], self._loras, self.name)
        self._engine = Engine(
            model,
            processor,
            self._template or None,
            loras,
            for_template=self._for_template,
            context=self._taken["context"],
        )
        self.accepts: frozenset[Kind] = self._engine.accepts  # type: ignore[assignment]
        rules = Rules[Job](lambda job: job.group, lambda job: job.conversation.length, out_of_memory, free)
        self._batcher: Batcher[Job, Answer] = Batcher(self._engine.answers, self._taken["batch"], rules)

    async def close(self) -> None:
        """Release the model."""
        if self._engine is not None:
            await self._batcher.close()
            self._engine = None
            await asyncio.to_thread(free)

    async def prepare(self, request: Request, media: MediaReader) -> Conversation:
        """Decode the media. Raises MediaError."""
        engine = self._require_engine()
        hears = "audio" in engine.accepts
        packer = packer_of(engine.processor, engine.rate, self._packing, media)
        return await asyncio.to_thread(converse, request, media, packer, hears)

    async def respond(self, request: Request, prepared: Conversation) -> Reply:
        """Answer in a batch. A prompt that exceeds the context is `skipped`; any other exception is a failure."""
        try:
            answer = await self._batcher.ask(self._job(request, prepared))
        except TooLong as error:
            return Reply("", "skipped", note=error.problem)
        except Exception as error:
            kind = "out_of_memory" if out_of_memory(error) else "internal"
            message = " ".join(str(error).split())[:500]
            raise ProviderError(f"{type(error).__name__}: {message}", kind=kind) from error
        text, thinking = split_thinking(answer.text)
        return Reply(
            text,
            "truncated" if answer.finish == "length" else "answered",
            finish_reason=answer.finish,
            usage=Usage(answer.read, answer.written),
            thinking=thinking,
            encoded=answer.encoded,
            adapter=answer.adapter,
        )

    def _loras_of(self, folder: Path) -> list[str]:
        """Return what identifies the card's adapters in folders of their own; a snapshot of the Hub covers them."""
        return [f"{one.name} {identity_of(folder / one.folder)}" for one in self._loras if one.folder != "."]

    def _require_engine(self) -> Engine:
        if self._engine is None:
            raise ProviderError(f"{self.name} was asked before it was opened", kind="internal")
        return self._engine

    def _job(self, request: Request, conversation: Conversation) -> Job:
        settings = request.settings
        max_tokens = int(settings.get("max_tokens") or self._taken["max_tokens"])
        sampling = tuple((key, settings[key]) for key in GENERATION if settings.get(key) is not None)
        stop = settings.get("stop") or ()
        seed = settings.get("seed")
        return Job(
            conversation,
            max_tokens,
            sampling,
            (stop,) if isinstance(stop, str) else tuple(stop),
            None if seed is None else int(seed) + request.repeat,
        )


def hf_packing(name: str, folder: Path | None, taken: Mapping[str, Any]) -> Packing:
    """Return the packing that the settings declare, or the card's. Raises SpecError for one that is impossible."""
    older = {"fps": taken["fps"], "frames": taken["max_frames"]}
    chosen = chosen_packing(taken["packing"], usual_packing(name, folder), older)
    return check_possible(
        chosen,
        f"hf/{name}",
        film_sounds=FULL_VIDEO_MODES,
        frames=FRAMES,
        whole_keys=("fps", "frames", "size", "pixels", "total"),
        unable=("rate", "channels"),
    )


def out_of_memory(error: Exception) -> bool:
    """Return whether an exception means that the memory of the device or the computer ran out."""
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and ("out of memory" in str(error) or "can't allocate memory" in str(error))
    )


def free() -> None:
    """Return unused memory to the device."""
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def hash_of(text: str) -> str:
    """Return 16 hex digits that identify a text."""
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _folder(path: Any, where: str) -> Path | None:
    if path and not Path(path).is_dir():
        raise SpecError("the folder is not there", got=path, where=where)
    return Path(path) if path else None


def _read(path: Any) -> str:
    try:
        return Path(path).read_text(encoding="utf-8") if path else ""
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError("the chat template can't be read", got=str(error), where="-M template") from None
