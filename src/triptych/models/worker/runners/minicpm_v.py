"""MiniCPM-V (the first), as its model card asks it: one picture and `chat`, code from the Hub."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "image")


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, tokenizer)."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    trust = options["trust_remote_code"]
    model = AutoModel.from_pretrained(source, trust_remote_code=trust, torch_dtype=torch.bfloat16)
    device = options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")
    return model.to(device=device, dtype=torch.bfloat16).eval(), AutoTokenizer.from_pretrained(
        source, trust_remote_code=trust
    )


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> str | dict[str, Any]:
    """Return the reply; `skipped` unless there is exactly one picture, which is all that the model takes."""
    from PIL import Image

    model, tokenizer = loaded
    paths = [one["path"] for turn in messages for one in turn["content"] if one["type"] == "image"]
    if len(paths) != 1:
        return {"skipped": f"MiniCPM-V takes exactly one picture, not {len(paths)}"}
    turns = [
        {
            "role": "user" if turn["role"] == "system" else turn["role"],
            "content": "\n".join(one["text"] for one in turn["content"] if one["type"] == "text"),
        }
        for turn in messages
    ]
    sampled = settings.get("temperature") != 0
    sampling = {key: settings[key] for key in ("temperature", "top_p", "top_k") if sampled and key in settings}
    with Image.open(paths[0]) as picture:
        reply, _, _ = model.chat(
            image=picture.convert("RGB"),
            msgs=turns,
            context=None,
            tokenizer=tokenizer,
            sampling=sampled,
            max_new_tokens=settings["max_tokens"],
            **sampling,
        )
    return str(reply)
