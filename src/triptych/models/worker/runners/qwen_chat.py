"""Qwen-Audio-Chat and Qwen-VL-Chat, as their model cards ask them: `from_list_format` and `chat`, code from the Hub."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio", "image")


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, tokenizer)."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    trust = options["trust_remote_code"]
    tokenizer = AutoTokenizer.from_pretrained(source, trust_remote_code=trust)
    model = AutoModelForCausalLM.from_pretrained(
        source, device_map=options.get("device") or "auto", trust_remote_code=trust, bf16=True
    )
    return model.eval(), tokenizer


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> str:
    """Return the reply to the last turn; the turns before it are the history."""
    model, tokenizer = loaded
    system = next((_text(turn) for turn in messages if turn["role"] == "system"), "You are a helpful assistant.")
    turns = [turn for turn in messages if turn["role"] != "system"]
    history = [(_query(tokenizer, one), _text(two)) for one, two in zip(turns[:-1:2], turns[1::2])]  # noqa: B905
    fields = {"max_new_tokens": settings["max_tokens"], **_sampling(settings)}
    reply, _ = model.chat(tokenizer, query=_query(tokenizer, turns[-1]), history=history, system=system, **fields)
    return str(reply)


def _query(tokenizer: Any, turn: dict[str, Any]) -> Any:
    blocks = [{"text": one["text"]} if one["type"] == "text" else {one["type"]: one["path"]} for one in turn["content"]]
    return tokenizer.from_list_format(blocks)


def _text(turn: dict[str, Any]) -> str:
    return "\n".join(one["text"] for one in turn["content"] if one["type"] == "text")


def _sampling(settings: dict[str, Any]) -> dict[str, Any]:
    if settings.get("temperature") == 0:
        return {"do_sample": False}
    return {key: settings[key] for key in ("temperature", "top_p", "top_k") if key in settings}
