"""One loaded model: conversations in, texts out."""

from __future__ import annotations

import base64
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from triptych.errors import ProviderError
from triptych.media.sound.coding import encode_wav
from triptych.models.adapter import MORE_DECODING
from triptych.models.hf.content import Conversation
from triptych.models.hf.encoding import Limit
from triptych.models.hf.films import sound_in_videos, video_settings, with_seconds
from triptych.models.hf.loras import Loras
from triptych.models.hf.scans import encode_scans, is_scanner
from triptych.records import Encoded

RATE = 16_000  # of models without a feature extractor of their own
UNEVEN = ("Gemma3nProcessor",)  # of a shorter recording they also encode frames that reach into a batch's padding
_RANDOM = ("temperature", "top_p", "top_k")


@dataclass(frozen=True)
class Job:
    """A conversation, and how its answer is generated."""

    conversation: Conversation
    max_tokens: int
    sampling: tuple[tuple[str, Any], ...] = ()
    stop: tuple[str, ...] = ()
    seed: int | None = None

    @property
    def group(self) -> Hashable:
        """Jobs with equal groups can share a batch. A seed belongs to one job, since a batch shares its draws."""
        group_key = object() if self.seed is not None and dict(self.sampling).get("temperature") != 0 else None
        talk = self.conversation
        return self.max_tokens, self.sampling, self.stop, talk.kinds - {"text"}, talk.in_video, talk.rate, group_key


@dataclass(frozen=True)
class Answer:
    """The text of an answer, how it ended (`stop` or `length`), tokens read and written, what was encoded, and the LoRA
    adapter that was active."""

    text: str
    finish: str
    read: int
    written: int
    encoded: tuple[Encoded, ...]
    adapter: str = ""


class TooLong(ProviderError):
    """The prompt does not fit into the model's context."""


class Engine:
    """A model and its processor. Methods run in one thread."""

    def __init__(
        self,
        model: Any,
        processor: Any,
        template: str | None = None,
        loras: Loras | None = None,
        *,
        for_template: Mapping[str, Any] | None = None,
        context: int = 0,
    ) -> None:
        self._loras = loras
        self._for_template = dict(for_template or {})
        self._context = context
        self.model: Any = model
        self.processor: Any = processor
        self.tokenizer: Any = getattr(processor, "tokenizer", processor)
        # some processors have no template of their own, and don't look for their tokenizer's
        chat_template = getattr(processor, "chat_template", None)
        self._template = template or (None if chat_template else getattr(self.tokenizer, "chat_template", None))
        self.tokenizer.padding_side = "left"
        if self.tokenizer.pad_token is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token
        self._limit = Limit(self._recording_inputs, self.rate)

    @cached_property
    def config(self) -> Any:
        """Configuration of the model, or of what an adapter was put on."""
        return self.model.config

    @cached_property
    def accepts(self) -> frozenset[str]:
        """The kinds of content that the processor takes."""
        parts = {
            "audio": ("feature_extractor", "audio_processor"),
            "image": ("image_processor",),
            "video": ("video_processor",),
        }
        kinds = {kind for kind, names in parts.items() if any(getattr(self.processor, n, None) for n in names)}
        return frozenset({"text", *kinds})

    @cached_property
    def rate(self) -> int:
        """Sampling rate in Hz that the processor requires."""
        extractor = getattr(self.processor, "feature_extractor", None) or getattr(
            self.processor, "audio_processor", None
        )
        return int(getattr(extractor, "sampling_rate", None) or RATE)

    @cached_property
    def context(self) -> int | None:
        """Number of tokens of the context; None if neither the settings nor the configuration have it."""
        if self._context:
            return self._context
        config = self.config.get_text_config() if hasattr(self.config, "get_text_config") else self.config
        return getattr(config, "max_position_embeddings", None)

    def answers(self, jobs: Sequence[Job]) -> list[Answer]:
        """Return the answers of jobs with equal groups. Raises whatever the processor or the model raises."""
        import torch

        if len(jobs) > 1 and type(self.processor).__name__ in UNEVEN and "audio" in jobs[0].conversation.kinds:
            return [self.answers([job])[0] for job in jobs]
        first = jobs[0]
        inputs = self.encode([job.conversation for job in jobs])
        width = int(inputs["input_ids"].shape[1])
        if self.context is not None and width >= self.context:
            raise TooLong(f"the prompt has {width:,} tokens, the model's context {self.context:,}", kind="too_long")
        if first.seed is not None:
            torch.manual_seed(first.seed)
        device, dtype = self.model.device, self.model.dtype
        inputs = {
            name: value.to(device, dtype if value.is_floating_point() else None) if torch.is_tensor(value) else value
            for name, value in inputs.items()
        }
        adapter = self._loras.activate(first.conversation.kinds) if self._loras is not None else ""
        sound_options = {"use_audio_in_video": True} if first.conversation.in_video else {}
        with torch.inference_mode():
            made = self.model.generate(**inputs, **sound_options, **self._generation(first))
        mask = inputs.get("attention_mask")
        read = mask.sum(-1).tolist() if mask is not None else [width] * len(jobs)
        rows = made[:, width:].tolist()
        return [self._answer(job, row, int(n), adapter) for job, row, n in zip(jobs, rows, read, strict=True)]

    def encode(self, conversations: Sequence[Conversation]) -> Any:
        """Return the model's inputs. Control tokens in a conversation's texts are encoded as plain text."""
        options: dict[str, Any] = {
            "tokenize": True,
            "add_generation_prompt": True,
            "return_dict": True,
            "return_tensors": "pt",
        }
        if self._template:
            options["chat_template"] = self._template
        options |= self._for_template
        if self.processor is self.tokenizer:
            turns = [_texts(one.messages) for one in conversations]
            return self.tokenizer.apply_chat_template(turns, padding=True, sanitize_control_tokens=True, **options)
        if type(self.processor).__name__ == "VoxtralProcessor":  # mistral-common encodes text as text by itself
            return self.processor.apply_chat_template(
                [self._messages_with_wav(one.messages) for one in conversations], **options
            )
        if is_scanner(self.processor):
            return encode_scans(self.processor, conversations)
        settings: dict[str, Any] = {"text_kwargs": {"padding": True}, **video_settings(self.processor, conversations)}
        messages = [[{**turn, "content": list(turn["content"])} for turn in one.messages] for one in conversations]
        with sound_in_videos(self.processor, conversations):
            inputs = self.processor.apply_chat_template(
                messages, processor_kwargs=settings, sanitize_control_tokens=True, **options
            )
        return with_seconds(self.processor, inputs, conversations)

    def encoded_amounts(self, conversation: Conversation) -> tuple[Encoded, ...]:
        """Return how much of each recording and video is encoded."""
        sounds = [
            Encoded("audio", one.path, round(one.seconds, 3), round(self._limit.seconds(one.seconds), 3))
            for one in conversation.sounds
        ]
        return (*sounds, *conversation.encoded)

    def _recording_inputs(self, samples: Any) -> Mapping[str, Any]:
        """Return the inputs for one recording."""
        turn = {"role": "user", "content": [{"type": "audio", "audio": samples}, {"type": "text", "text": "?"}]}
        return dict(self.encode([Conversation([turn], 0, (), ())]))

    def _messages_with_wav(self, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the messages with sounds as WAV in base64, as mistral-common takes them."""

        def block(one: Mapping[str, Any]) -> dict[str, Any]:
            if one["type"] != "audio":
                return dict(one)
            return {"type": "audio", "base64": base64.b64encode(encode_wav(one["audio"], self.rate)).decode()}

        return [{"role": turn["role"], "content": [block(one) for one in turn["content"]]} for turn in messages]

    def _generation(self, job: Job) -> dict[str, Any]:
        """Return the arguments of `generate`. Without a temperature the model's own configuration applies."""
        settings = dict(job.sampling)
        more = {name: settings.pop(name) for name in MORE_DECODING if name in settings}
        options: dict[str, Any] = {
            "max_new_tokens": job.max_tokens,
            "pad_token_id": self.tokenizer.pad_token_id,
            **more,
        }
        if settings.get("temperature") == 0:
            options |= {"do_sample": False, **dict.fromkeys(_RANDOM)}
        elif settings:
            options |= {"do_sample": True, **settings}
        if job.stop:
            options |= {"stop_strings": list(job.stop), "tokenizer": self.tokenizer}
        return options

    @cached_property
    def _end_tokens(self) -> frozenset[int]:
        """Tokens that end an answer."""
        end_tokens = getattr(self.model.generation_config, "eos_token_id", None)
        token_ids = end_tokens if isinstance(end_tokens, list) else [end_tokens]
        return frozenset(token for token in (*token_ids, self.tokenizer.eos_token_id) if token is not None)

    def _answer(self, job: Job, row: Sequence[int], read: int, adapter: str) -> Answer:
        end = next((index for index, token in enumerate(row) if token in self._end_tokens), None)
        written = row if end is None else row[: end + 1]
        text = self.tokenizer.decode(written, skip_special_tokens=True)
        stops = [at for stop in job.stop if (at := text.find(stop)) >= 0]
        finish = "length" if end is None and not stops else "stop"
        text = text[: min(stops)] if stops else text
        return Answer(text.strip(), finish, read, len(written), self.encoded_amounts(job.conversation), adapter)


def _texts(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the messages of a text model: the texts of each turn, joined."""
    return [
        {"role": turn["role"], "content": "\n".join(block["text"] for block in turn["content"])} for turn in messages
    ]
