"""DeSTA2, as its model card asks it: turns of the role `audio`, and `chat`, code from the Hub."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio")


def load(source: str, options: dict[str, Any]) -> Any:
    """Return the model, which has its tokenizer."""
    import torch
    from transformers import AutoModel

    model = AutoModel.from_pretrained(source, trust_remote_code=options["trust_remote_code"])
    return model.to(options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")).eval()


def answer(model: Any, messages: list[Any], settings: dict[str, Any]) -> str:
    """Return the reply."""
    turns = []
    for turn in messages:
        turns += [{"role": "audio", "content": one["path"]} for one in turn["content"] if one["type"] == "audio"]
        text = "\n".join(one["text"] for one in turn["content"] if one["type"] == "text")
        turns += [{"role": turn["role"], "content": text}] if text else []
    sampling = {
        key: settings[key] for key in ("temperature", "top_p") if settings.get("temperature") and key in settings
    }
    made = model.chat(turns, max_new_tokens=settings["max_tokens"], do_sample=bool(sampling), **sampling)
    return str(model.tokenizer.batch_decode(made, skip_special_tokens=True)[0])
