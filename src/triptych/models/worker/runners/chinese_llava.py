"""Chinese-LLaVA with Chinese-Llama-2, as `infer.py` of its repository asks it: one picture, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "image")
PATCH, START, END = "<im_patch>", "<im_start>", "<im_end>"


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, tokenizer, image processor, marks of a picture)."""
    import sys

    import torch
    from transformers import AutoTokenizer, CLIPImageProcessor, CLIPVisionModel

    sys.path.insert(0, options["code"])
    from llava import LlavaLlamaForCausalLM  # type: ignore[import-not-found, unused-ignore]

    device = options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")
    tokenizer = AutoTokenizer.from_pretrained(source)
    model = LlavaLlamaForCausalLM.from_pretrained(source, low_cpu_mem_usage=True, torch_dtype=torch.float16).to(device)
    processor = CLIPImageProcessor.from_pretrained(model.config.mm_vision_tower, torch_dtype=torch.float16)
    between = bool(getattr(model.config, "mm_use_im_start_end", False))
    tokenizer.add_tokens([PATCH, *([START, END] if between else [])], special_tokens=True)
    tower = model.get_model().vision_tower[0]
    if tower.device.type == "meta":
        name = tower.config._name_or_path
        tower = CLIPVisionModel.from_pretrained(name, torch_dtype=torch.float16, low_cpu_mem_usage=True)
    model.get_model().vision_tower[0] = tower.to(device=device, dtype=torch.float16)
    tower.config.im_patch_token = tokenizer.convert_tokens_to_ids(PATCH)
    tower.config.use_im_start_end = between
    if between:
        tower.config.im_start_token, tower.config.im_end_token = tokenizer.convert_tokens_to_ids([START, END])
    marks = PATCH * (tower.config.image_size // tower.config.patch_size) ** 2
    return model.eval(), tokenizer, processor, f"{START}{marks}{END}" if between else marks


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply; `skipped` for more than one picture."""
    import torch
    from infer import KeywordsStoppingCriteria  # type: ignore[import-not-found, unused-ignore]
    from infer_tokenize import tokenize  # type: ignore[import-not-found, unused-ignore]
    from PIL import Image

    model, tokenizer, processor, marks = loaded
    paths = [one["path"] for turn in messages for one in turn["content"] if one["type"] == "image"]
    if len(paths) > 1:
        return {"skipped": f"Chinese-LLaVA takes one picture, not {len(paths)}"}
    turns = [{"from": ROLES[turn["role"]], "value": _text(turn)} for turn in messages if turn["role"] != "system"]
    if paths:
        turns[0]["value"] += f"\n{marks}"
    system = "\n".join(_text(turn) for turn in messages if turn["role"] == "system")
    talk = {"conversations": [*turns, {"from": "gpt", "value": ""}], **({"instruction": system} if system else {})}
    ids = torch.as_tensor([tokenize(talk, tokenizer, "Chinese_llama2")]).to(model.device)
    picture = None
    if paths:
        with Image.open(paths[0]) as opened:
            pixels = processor.preprocess(opened.convert("RGB"), return_tensors="pt")["pixel_values"]
        picture = pixels.to(dtype=torch.float16, device=model.device)
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p", "top_k") if sampled and key in settings}
    with torch.inference_mode():
        made = model.generate(
            ids,
            images=picture,
            do_sample=sampled,
            max_new_tokens=settings["max_tokens"],
            use_cache=True,
            stopping_criteria=[KeywordsStoppingCriteria(["</s>"], tokenizer, ids)],
            **sampling,
        )
    written = made[0][len(ids[0]) :]
    text = tokenizer.batch_decode([written], skip_special_tokens=True)[0].strip().removesuffix("</s>").strip()
    finish = "length" if len(written) >= settings["max_tokens"] else "stop"
    return {"text": text, "finish": finish, "output_tokens": len(written)}


ROLES = {"user": "human", "assistant": "gpt"}


def _text(turn: dict[str, Any]) -> str:
    """Return the text of a turn; marks of a picture in it become plain text."""
    text = "\n".join(one["text"] for one in turn["content"] if one["type"] == "text")
    for mark in (PATCH, START, END):
        text = text.replace(mark, mark.replace("<", "< "))
    return text
