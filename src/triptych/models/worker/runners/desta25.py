"""DeSTA2.5-Audio, as its model card asks it: the package `desta` of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio")
AUDIO = "<|AUDIO|>"


def load(source: str, options: dict[str, Any]) -> Any:
    """Return the model."""
    import sys

    import torch

    sys.path.insert(0, options["code"])
    from desta import DeSTA25AudioModel  # type: ignore[import-not-found, unused-ignore]

    model = DeSTA25AudioModel.from_pretrained(source)
    return model.to(options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")).eval()


def answer(model: Any, messages: list[Any], settings: dict[str, Any]) -> str:
    """Return the reply; each recording is at its place in the text."""
    turns = []
    for turn in messages:
        words = [AUDIO if one["type"] == "audio" else _escape_marks(one["text"]) for one in turn["content"]]
        sounds = [{"audio": one["path"], "text": None} for one in turn["content"] if one["type"] == "audio"]
        turns.append({"role": turn["role"], "content": "\n".join(words), **({"audios": sounds} if sounds else {})})
    sampled = bool(settings.get("temperature"))
    made = model.generate(
        messages=turns,
        do_sample=sampled,
        temperature=settings.get("temperature") or 1.0,
        top_p=settings.get("top_p", 1.0),
        max_new_tokens=settings["max_tokens"],
    )
    return str(made.text[0] if isinstance(made.text, list) else made.text)


def _escape_marks(text: str) -> str:
    """Return a text that can't be taken for the mark of a recording."""
    return text.replace(AUDIO, "< |AUDIO| >")
