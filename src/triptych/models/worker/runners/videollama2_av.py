"""VideoLLaMA2.1-AV, as its repository asks it: `model_init` and `mm_infer`, code of a clone (branch audio_visual)."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio", "image", "video")
SECONDS = 30  # of a recording that its code encodes


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (module, model, processor, tokenizer); the code puts everything on the GPU."""
    import sys

    sys.path.insert(0, options["code"])
    import videollama2  # type: ignore[import-not-found, unused-ignore]

    return (videollama2, *videollama2.model_init(source))


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply; `skipped` for more than one medium, except a video with its recording."""
    import random

    package, model, processor, tokenizer = loaded
    blocks = [one for turn in messages for one in turn["content"] if one["type"] != "text"]
    kinds = sorted(one["type"] for one in blocks)
    if len(kinds) > 1 and kinds != ["audio", "video"]:
        return {"skipped": f"VideoLLaMA2.1-AV takes one medium, or a video with a recording, not {', '.join(kinds)}"}
    media = {one["type"]: one for one in blocks}
    random.seed(0)  # its code draws which 30 s of a longer recording it takes
    frames = model.config.num_frames
    made = {kind: processor[kind](_medium_file(one, frames)) for kind, one in media.items()}
    modal = "video" if "video" in made else next(iter(made), "text")
    processed = made if len(made) == 2 else made.get(modal)
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p") if sampled and key in settings}
    tower = model.model.audio_tower
    if modal == "image":
        model.model.audio_tower = None  # with it, the code takes a picture for a recording
    try:
        text = package.mm_infer(
            processed,
            _turns(messages),
            model=model,
            tokenizer=tokenizer,
            modal=modal,
            do_sample=sampled,
            max_new_tokens=settings["max_tokens"],
            **sampling,
        )
    finally:
        model.model.audio_tower = tower
    encoded = {one["path"]: min(one["seconds"], SECONDS) for one in blocks if one["type"] == "audio"}
    encoded |= {one["paths"][0]: min(len(one["paths"]), frames) for one in blocks if one["type"] == "video"}
    return {"text": str(text), "encoded": encoded}


def _medium_file(one: dict[str, Any], max_frames: int) -> Any:
    """Return the file of a medium; of a video the frames in the middle of `max_frames` equal parts, if it has more."""
    paths = one.get("paths") or one["path"]
    if isinstance(paths, str) or len(paths) <= max_frames:
        return paths
    return [paths[(2 * part + 1) * len(paths) // (2 * max_frames)] for part in range(max_frames)]


def _turns(messages: list[Any]) -> list[Any]:
    """Return the turns; what the system says is put before the first one, which has the medium."""
    system = [_text(turn) for turn in messages if turn["role"] == "system"]
    turns = [{"role": turn["role"], "content": _text(turn)} for turn in messages if turn["role"] != "system"]
    turns[0]["content"] = "\n".join([*system, turns[0]["content"]])
    return turns


def _text(turn: dict[str, Any]) -> str:
    """Return the text of a turn; marks of media in it become plain text."""
    text = "\n".join(one["text"] for one in turn["content"] if one["type"] == "text")
    for mark in ("<image>", "<video>", "<audio>"):
        text = text.replace(mark, mark.replace("<", "< "))
    return text
