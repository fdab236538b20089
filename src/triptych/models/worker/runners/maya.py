"""Maya, as `talk2maya.py` of its repository asks it: one picture, turns of the template `aya`, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "image")
BASE = "CohereForAI/aya-23-8B"  # its tokenizer; `-M options={"base": FOLDER}` names another


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, tokenizer, image processor)."""
    import sys

    sys.path.insert(0, options["code"])
    from llava.eval.maya.eval_utils import load_maya_model  # type: ignore[import-not-found, unused-ignore]
    from llava.utils import disable_torch_init  # type: ignore[import-not-found, unused-ignore]

    disable_torch_init()
    model, tokenizer, processor, _ = load_maya_model(options.get("base") or BASE, source, None, "finetuned")
    return model.eval(), tokenizer, processor


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply; `skipped` for more than one picture."""
    import torch
    from llava import constants, mm_utils  # type: ignore[import-not-found, attr-defined, unused-ignore]
    from llava.conversation import conv_templates  # type: ignore[import-not-found, unused-ignore]
    from PIL import Image

    model, tokenizer, processor = loaded
    paths = [one["path"] for turn in messages for one in turn["content"] if one["type"] == "image"]
    if len(paths) > 1:
        return {"skipped": f"Maya takes one picture, not {len(paths)}"}
    mark = constants.DEFAULT_IMAGE_TOKEN
    if model.config.mm_use_im_start_end:
        mark = constants.DEFAULT_IM_START_TOKEN + mark + constants.DEFAULT_IM_END_TOKEN
    before = [mark] if paths else []
    talk = conv_templates["aya"].copy()
    for turn in messages:
        before += [_text(turn)]
        if turn["role"] != "system":
            talk.append_message(talk.roles[turn["role"] == "assistant"], "\n".join(before))
            before = []
    talk.append_message(talk.roles[1], None)
    ids = (
        mm_utils.tokenizer_image_token(talk.get_prompt(), tokenizer, constants.IMAGE_TOKEN_INDEX, return_tensors="pt")
        .unsqueeze(0)
        .to(model.device)
    )
    shown = {}
    if paths:
        with Image.open(paths[0]) as opened:
            picture = opened.convert("RGB")
        pixels = mm_utils.process_images([picture], processor, model.config)[0]
        shown = {"images": pixels.unsqueeze(0).half().to(model.device), "image_sizes": [picture.size]}
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p", "top_k") if sampled and key in settings}
    with torch.inference_mode():
        made = model.generate(
            ids,
            **shown,
            do_sample=sampled,
            num_beams=1,
            max_new_tokens=settings["max_tokens"],
            use_cache=True,
            **sampling,
        )
    text = tokenizer.batch_decode(made, skip_special_tokens=True)[0].strip()
    finish = "length" if len(made[0]) >= settings["max_tokens"] else "stop"
    return {"text": text, "finish": finish, "output_tokens": len(made[0])}


def _text(turn: dict[str, Any]) -> str:
    """Return the text of a turn; a mark of a picture in it becomes plain text."""
    return "\n".join(one["text"] for one in turn["content"] if one["type"] == "text").replace("<image>", "< image>")
