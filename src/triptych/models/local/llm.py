"""A small language model in this process: llama.cpp through xllamacpp, greedy, one thread by default."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.errors import ProviderError
from triptych.models.local.openmp import provide_openmp
from triptych.records import Usage
from triptych.records.packages import need

CONTEXT = 4096


class TooLong(Exception):
    """The prompt doesn't fit the context."""


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """The text written by the model; `cut` if it reached the token limit."""

    text: str
    usage: Usage
    cut: bool


_Loaded = tuple[Path, int, int]  # weights, threads, context
_stored: dict[_Loaded, list[Any]] | None = None


@contextmanager
def keep_models() -> Iterator[None]:
    """In this block, the instances of a model that is closed are kept for the next one with the same weights."""
    global _stored
    before, _stored = _stored, {} if _stored is None else _stored
    try:
        yield
    finally:
        _stored = before


class Llm:
    """A language model, loaded on first use; safe to call from several threads: `instances` calls run at a time.

    Each instance has its own context over the same weights (the file is memory-mapped). Two instances with one thread
    each use two cores; two threads of one instance wait for each other and are slower than one (measured: 10 to 20
    times slower if another process is busy).
    """

    def __init__(self, weights: Path, *, threads: int = 1, instances: int = 1, context: int = CONTEXT) -> None:
        self._weights, self._threads, self._context = weights, threads, context
        self._idle: list[Any] = []
        self._loading = threading.Lock()
        self._free = threading.Semaphore(instances)

    def chat(
        self,
        messages: Sequence[Mapping[str, str]],
        max_tokens: int,
        only: Sequence[str] = (),
        schema: Mapping[str, Any] | None = None,
    ) -> GeneratedText:
        """Answer a chat with the model's own template; with `only`, one of these texts, with `schema`, JSON that fits
        it. Raises TooLong or ProviderError."""
        body: dict[str, Any] = {"messages": [dict(m) for m in messages], "max_tokens": max_tokens}
        if only:
            body["grammar"] = choice_grammar(only)
        if schema is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": {"schema": dict(schema)}}
        reply = self._ask("handle_chat_completions", body)
        return _generated(reply, str(reply["choices"][0]["message"].get("content") or ""))

    def complete(self, prompt: str, max_tokens: int, only: Sequence[str] = ()) -> GeneratedText:
        """Go on with a text up to the end of the line, or with one of `only`. Raises TooLong or ProviderError."""
        body: dict[str, Any] = {"prompt": prompt, "n_predict": max_tokens}
        body |= {"grammar": choice_grammar(only)} if only else {"stop": ["\n"]}
        reply = self._ask("handle_completions", body)
        return _generated(reply, str(reply["choices"][0]["text"]))

    def close(self) -> None:
        """Release the model's memory, except within `keep_models`."""
        if _stored is not None:
            _stored.setdefault(self._loaded_parts, []).extend(self._idle)
        self._idle.clear()

    @property
    def _loaded_parts(self) -> _Loaded:
        return self._weights, self._threads, self._context

    def _ask(self, method: str, body: dict[str, Any]) -> dict[str, Any]:
        with self._free:
            server, used_before = self._take_instance()
            if used_before:  # what it holds of another model's prompts is not counted as this one's cached tokens
                body = {**body, "cache_prompt": False}
            try:
                reply: dict[str, Any] = getattr(server, method)({**body, "temperature": 0, "seed": 0})
            finally:
                self._idle.append(server)
        if error := reply.get("error"):
            if error.get("type") == "exceed_context_size_error":
                raise TooLong(str(error.get("message")))
            raise ProviderError(f"the local language model: {error.get('message')}", kind="bad_request")
        return reply

    def _take_instance(self) -> tuple[Any, bool]:
        """An instance that nobody uses, and whether it is another model's that was kept."""
        with self._loading:
            if self._idle:
                return self._idle.pop(), False
            stored = _stored.get(self._loaded_parts) if _stored is not None else None
            return (stored.pop(), True) if stored else (self._load(), False)

    def _load(self) -> Any:
        provide_openmp()
        llama = need("xllamacpp", "the local language model")
        params = llama.CommonParams()
        params.model.path = str(self._weights)
        params.n_ctx, params.n_parallel = self._context, 1
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self._threads
        params.warmup, params.verbosity = False, -1
        try:
            return llama.Server(params)
        except RuntimeError as error:
            raise ProviderError(
                f"the local language model can't be loaded: {error}", kind="internal", fatal=True
            ) from None


def usage_sum(one: Usage, other: Usage) -> Usage:
    """The tokens of two calls."""

    def total(a: int | None, b: int | None) -> int | None:
        return None if a is None or b is None else a + b

    return Usage(
        total(one.input_tokens, other.input_tokens),
        total(one.output_tokens, other.output_tokens),
        cached_tokens=total(one.cached_tokens, other.cached_tokens),
    )


def choice_grammar(texts: Sequence[str]) -> str:
    """A grammar that allows one of these texts and nothing else."""
    return "root ::= " + " | ".join(json.dumps(text, ensure_ascii=False) for text in texts)


def _generated(reply: Mapping[str, Any], text: str) -> GeneratedText:
    counted = reply.get("usage") or {}
    cached = (counted.get("prompt_tokens_details") or {}).get("cached_tokens")
    usage = Usage(counted.get("prompt_tokens"), counted.get("completion_tokens"), cached_tokens=cached)
    return GeneratedText(text, usage, reply["choices"][0].get("finish_reason") == "length")
