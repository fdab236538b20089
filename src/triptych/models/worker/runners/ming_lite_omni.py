"""Ming-Lite-Omni, as its repository asks it: turns of the role `HUMAN` and its own processor, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio", "image", "video")
ROLES = {"user": "HUMAN", "assistant": "ASSISTANT"}
MARKS = ("<image>", "<video>", "<audio>", "<IMAGE>", "<VIDEO>", "<AUDIO>", "<role>", "<|endoftext|>")
FLOATS = ("pixel_values", "pixel_values_videos", "audio_feats")


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, processor)."""
    import sys

    import torch
    from transformers import AutoProcessor

    sys.path.insert(0, options["code"])
    from modeling_bailingmm import (  # type: ignore[import-not-found, unused-ignore]
        BailingMMNativeForConditionalGeneration,
    )

    trust = options["trust_remote_code"]
    model = BailingMMNativeForConditionalGeneration.from_pretrained(
        source, torch_dtype=torch.bfloat16, low_cpu_mem_usage=True, trust_remote_code=trust
    )
    device = options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")
    processor = AutoProcessor.from_pretrained(options["code"], trust_remote_code=trust)
    return model.to(device).eval(), processor


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply."""
    import torch

    model, processor = loaded
    turns = _turns(messages)
    text = processor.apply_chat_template(turns, add_generation_prompt=True)
    images, videos, audios = processor.process_vision_info(turns)
    whisper = {"use_whisper_encoder": True} if audios else {}
    inputs = processor(
        text=[text], images=images, videos=videos, audios=audios, return_tensors="pt", audio_kwargs=whisper
    ).to(model.device)
    for name in FLOATS:
        if name in inputs:
            inputs[name] = inputs[name].to(dtype=torch.bfloat16)
    sampled = bool(settings.get("temperature"))
    usable = ("temperature", "top_p", "top_k", "no_repeat_ngram_size") if sampled else ("no_repeat_ngram_size",)
    sampling = {key: settings[key] for key in usable if key in settings}
    with torch.inference_mode():
        made = model.generate(
            **inputs,
            max_new_tokens=settings["max_tokens"],
            do_sample=sampled,
            use_cache=True,
            eos_token_id=processor.gen_terminator,
            **whisper,
            **sampling,
        )[0]
    written = made[len(inputs["input_ids"][0]) :]
    reply = processor.batch_decode([written], skip_special_tokens=True, clean_up_tokenization_spaces=False)[0]
    finish = "length" if len(written) >= settings["max_tokens"] else "stop"
    return {"text": reply, "finish": finish, "output_tokens": len(written)}


def _turns(messages: list[Any]) -> list[Any]:
    """Return the turns. There is no role for the system; what it says is put before the first turn."""
    system = [one for turn in messages if turn["role"] == "system" for one in turn["content"]]
    turns = [turn for turn in messages if turn["role"] != "system"]
    all_turns = [{"role": ROLES[turn["role"]], "content": [_block(one) for one in turn["content"]]} for turn in turns]
    texts = [{"type": "text", "text": _block(one)["text"] + "\n"} for one in system]
    all_turns[0]["content"] = [*texts, *all_turns[0]["content"]]
    return all_turns


def _block(one: dict[str, Any]) -> dict[str, Any]:
    """Return a block as the processor takes it; marks in a text become plain text."""
    if one["type"] == "text":
        text = one["text"]
        for mark in MARKS:
            text = text.replace(mark, mark.replace("<", "< "))
        return {"type": "text", "text": text}
    return {"type": one["type"], one["type"]: one["paths"] if one["type"] == "video" else one["path"]}
