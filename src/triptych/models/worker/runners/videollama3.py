"""VideoLLaMA3, as its model card asks it: one processor call with a conversation, code from the Hub."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "image", "video")


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, processor)."""
    import torch
    from transformers import AutoModelForCausalLM, AutoProcessor

    trust = options["trust_remote_code"]
    model = AutoModelForCausalLM.from_pretrained(
        source,
        trust_remote_code=trust,
        torch_dtype=torch.bfloat16,
        device_map=options.get("device") or "auto",
        attn_implementation=options.get("attention", "flash_attention_2" if torch.cuda.is_available() else "eager"),
    )
    return model.eval(), AutoProcessor.from_pretrained(source, trust_remote_code=trust)


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply. The frames are given as pictures with their times, so the processor reads no file."""
    import torch

    model, processor = loaded
    opened = []  # type: ignore[var-annotated]
    turns = [{"role": turn["role"], "content": [_block(one, opened) for one in turn["content"]]} for turn in messages]
    inputs = processor(conversation=turns, add_system_prompt=True, add_generation_prompt=True, return_tensors="pt")
    for picture in opened:
        picture.close()
    inputs = {name: one.to(model.device) if torch.is_tensor(one) else one for name, one in inputs.items()}
    if "pixel_values" in inputs:
        inputs["pixel_values"] = inputs["pixel_values"].to(torch.bfloat16)
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p", "top_k") if sampled and key in settings}
    with torch.inference_mode():
        made = model.generate(**inputs, do_sample=sampled, max_new_tokens=settings["max_tokens"], **sampling)[0]
    text = processor.batch_decode([made], skip_special_tokens=True)[0]
    finish = "length" if len(made) >= settings["max_tokens"] else "stop"
    return {"text": text, "finish": finish, "output_tokens": len(made)}


def _block(one: dict[str, Any], opened: list[Any]) -> dict[str, Any]:
    """Return a block as the processor takes it."""
    if one["type"] == "text":
        return {"type": "text", "text": one["text"]}
    from PIL import Image

    pictures = [Image.open(path) for path in one.get("paths", [one.get("path")])]
    opened += pictures
    if one["type"] == "image":
        return {"type": "image", "image": pictures[0]}
    times = one.get("times") or [index / one["fps"] for index in range(len(pictures))]
    return {"type": "video", "video": pictures, "num_frames": len(pictures), "timestamps": times}
