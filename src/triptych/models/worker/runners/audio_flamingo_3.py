"""Audio Flamingo 3 Chat, as its repository asks it: `llava.load` and `generate_content`, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio")
MARK = "<sound>"


def load(source: str, options: dict[str, Any]) -> Any:
    """Return the model."""
    import sys
    from pathlib import Path

    import torch
    from huggingface_hub import snapshot_download

    sys.path.insert(0, options["code"])
    import llava  # type: ignore[import-not-found, unused-ignore]
    from llava import conversation  # type: ignore[import-not-found, attr-defined, unused-ignore]

    folder = source if Path(source).is_dir() else snapshot_download(source)
    model = llava.load(folder, device_map=None)
    conversation.default_conversation = conversation.conv_templates["auto"].copy()
    return model.to(options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")).eval()


def answer(model: Any, messages: list[Any], settings: dict[str, Any]) -> str | dict[str, Any]:
    """Return the reply; `skipped` unless there is one turn with at least one recording."""
    from copy import deepcopy

    from llava.media import Sound  # type: ignore[import-not-found, unused-ignore]

    blocks = [one for turn in messages for one in turn["content"]]
    if any(turn["role"] == "assistant" for turn in messages) or all(one["type"] == "text" for one in blocks):
        return {"skipped": "Audio Flamingo 3 Chat is asked one question about one or more recordings"}
    prompt = [Sound(one["path"]) if one["type"] == "audio" else _escape_marks(one["text"]) + "\n" for one in blocks]
    config = deepcopy(model.default_generation_config)
    config.max_new_tokens, config.do_sample = settings["max_tokens"], bool(settings.get("temperature"))
    for key in ("temperature", "top_p", "top_k"):
        if config.do_sample and key in settings:
            setattr(config, key, settings[key])
    return str(model.generate_content(prompt, generation_config=config))


def _escape_marks(text: str) -> str:
    """Return a text that can't be taken for the mark of a recording, `<sound>` or `<sound-1>`."""
    import re

    return re.sub(r"<(sound(?:-\d+)?>)", r"< \1", text, flags=re.IGNORECASE)
