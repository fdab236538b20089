"""Baichuan-Omni-1.5, as its demo asks it, for answers in text: media as JSON between marks, code from the Hub."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio", "image", "video")
ROLES = {"system": "<B_SYS>", "user": "<C_Q>", "assistant": "<C_A>"}
FRAME = ("<videoframe_start_omni>", "<videoframe_end_omni>")
SPECIAL_TOKENS = (
    "<trainable_start>",
    "<trainable_end>",
    "<audiotext_start_baichuan>",
    "<|endoftext|>",
    *FRAME,
    *ROLES.values(),
)
TENSORS = ("input_ids", "attention_mask", "labels", "audios", "encoder_length", "bridge_length")
LISTS = ("patch_nums", "images_grid", "videos_patch_nums", "videos_grid")


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, tokenizer, marks before and behind each kind of medium)."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    trust = options["trust_remote_code"]
    model = AutoModelForCausalLM.from_pretrained(source, trust_remote_code=trust, torch_dtype=torch.bfloat16)
    model = model.to(options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")).eval()
    tokenizer = AutoTokenizer.from_pretrained(source, trust_remote_code=trust)
    model.bind_processor(tokenizer, training=False, relative_path="/")
    sight, sound = model.config.video_config, model.config.audio_config
    ids = {
        "image": (sight.image_start_token_id, sight.image_end_token_id),
        "video": (sight.video_start_token_id, sight.video_end_token_id),
        "audio": (sound.audio_start_token_id, sound.audio_end_token_id),
        "speech": (sound.audiogen_start_token_id, sound.audiogen_end_token_id),
    }
    return model, tokenizer, {kind: tuple(tokenizer.convert_ids_to_tokens(list(two))) for kind, two in ids.items()}


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply."""
    import torch

    model, tokenizer, marks = loaded
    text = "".join(ROLES[turn["role"]] + _content(turn, marks) for turn in messages) + ROLES["assistant"]
    made = model.processor([text])
    inputs = {name: getattr(made, name) for name in (*TENSORS, *LISTS, "images", "videos")}
    inputs |= {name: one.to(model.device) for name, one in inputs.items() if name in TENSORS and one is not None}
    for name in ("images", "videos"):
        if inputs[name] is not None:
            inputs[name] = [torch.tensor(one, dtype=torch.float32).to(model.device) for one in inputs[name]]
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p", "top_k") if sampled and key in settings}
    with torch.inference_mode():
        output = model.generate(
            **inputs,
            tokenizer=tokenizer,
            max_new_tokens=settings["max_tokens"],
            stop_strings=["<|endoftext|>"],
            do_sample=sampled,
            return_dict_in_generate=True,
            **sampling,
        )
    written = output.sequences[0][len(inputs["input_ids"][0]) :]
    reply = tokenizer.decode(written)
    for mark in ("<|endoftext|>", *marks["speech"]):
        reply = reply.replace(mark, "")
    max_frames = model.config.video_config.max_frame_num
    films = [one["paths"] for turn in messages for one in turn["content"] if one["type"] == "video"]
    return {
        "text": reply.strip(),
        "finish": "length" if len(written) >= settings["max_tokens"] else "stop",
        "output_tokens": len(written),
        "encoded": {paths[0]: min(len(paths), max_frames) for paths in films},
    }


def _content(turn: dict[str, Any], marks: dict[str, Any]) -> str:
    """Return the content of a turn; marks in its text become plain text."""
    import json

    parts = []
    for one in turn["content"]:
        if one["type"] == "text":
            text = one["text"]
            for mark in (*SPECIAL_TOKENS, *(mark for two in marks.values() for mark in two)):
                text = text.replace(mark, mark.replace("<", "< "))
            parts.append(text)
            continue
        if one["type"] == "video":
            inner = "".join(FRAME[0] + json.dumps({"local": path}) + FRAME[1] for path in one["paths"])
        else:
            inner = json.dumps({"path" if one["type"] == "audio" else "local": one["path"]})
        start, end = marks[one["type"]]
        parts.append(f"{start}{inner}{end}")
    return "".join(parts)
