"""Step-Audio 2, as its repository asks it: the class `StepAudio2`, turns of the role `human`, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio")
ROLES = {"user": "human"}


def load(source: str, options: dict[str, Any]) -> Any:
    """Return the model, which chooses the GPU by itself."""
    import sys

    sys.path.insert(0, options["code"])
    from stepaudio2 import StepAudio2  # type: ignore[import-not-found, unused-ignore]

    return StepAudio2(source)


def answer(model: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply as text; no speech is made of it."""
    turns = [
        {"role": ROLES.get(turn["role"], turn["role"]), "content": [_block(one) for one in turn["content"]]}
        for turn in messages
    ]
    for turn in turns:
        if turn["role"] != "human":
            turn["content"] = "\n".join(one["text"] for one in turn["content"] if one["type"] == "text")
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p") if sampled and key in settings}
    turns.append({"role": "assistant", "content": None})
    tokens, text, _ = model(turns, max_new_tokens=settings["max_tokens"], do_sample=sampled, **sampling)
    written = len(tokens) + 1  # the class leaves out the last one, which ends the turn
    return {"text": text, "finish": "length" if written >= settings["max_tokens"] else "stop", "output_tokens": written}


def _block(one: dict[str, Any]) -> dict[str, Any]:
    if one["type"] == "text":
        return {"type": "text", "text": _escape_marks(one["text"])}
    return {"type": "audio", "audio": one["path"]}


def _escape_marks(text: str) -> str:
    """Return a text without the marks of turns and recordings, which the class would take for its own."""
    for mark in ("<|BOT|>", "<|EOT|>", "<audio_start>", "<audio_end>", "<audio_patch>", "<tts_start>"):
        text = text.replace(mark, mark.replace("<", "< "))
    return text
