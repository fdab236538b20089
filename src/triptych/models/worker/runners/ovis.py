"""Ovis1.5, as its model card asks it: one picture, its own formatter and tokenizers, code from the Hub."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "image")


def load(source: str, options: dict[str, Any]) -> Any:
    """Return the model, which has its tokenizers."""
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(
        source, torch_dtype=torch.bfloat16, multimodal_max_length=8192, trust_remote_code=options["trust_remote_code"]
    )
    return model.to(options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")).eval()


def answer(model: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply; `skipped` for more than one picture, which is all that the model takes."""
    import torch
    from PIL import Image

    words, pictures = model.get_text_tokenizer(), model.get_visual_tokenizer()
    paths = [one["path"] for turn in messages for one in turn["content"] if one["type"] == "image"]
    if len(paths) > 1:
        return {"skipped": f"Ovis1.5 takes one picture, not {len(paths)}"}
    text = "\n".join(one["text"] for turn in messages for one in turn["content"] if one["type"] == "text")
    query = f"<image>\n{text.replace('<image>', '< image >')}" if paths else text
    _, ids = model.get_conversation_formatter().format_query(query)
    ids = torch.unsqueeze(ids, dim=0).to(device=model.device)
    pixels = [None]
    if paths:
        with Image.open(paths[0]) as picture:
            pixels = [pictures.preprocess_image(picture.convert("RGB")).to(dtype=pictures.dtype, device=model.device)]
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p", "top_k") if sampled and key in settings}
    with torch.inference_mode():
        made = model.generate(
            ids,
            pixel_values=pixels,
            attention_mask=torch.ne(ids, words.pad_token_id),
            do_sample=sampled,
            max_new_tokens=settings["max_tokens"],
            eos_token_id=model.generation_config.eos_token_id,
            pad_token_id=words.pad_token_id,
            use_cache=True,
            **sampling,
        )[0]
    finish = "length" if len(made) >= settings["max_tokens"] else "stop"
    return {"text": words.decode(made, skip_special_tokens=True), "finish": finish, "output_tokens": len(made)}
