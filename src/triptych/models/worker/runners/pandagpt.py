"""PandaGPT, as its repository asks it: one sum of the embeddings of all media before the text, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio", "image", "video")
SECONDS, FRAMES = 6, 10  # of a recording and of a video that its code encodes: three clips of 2 s, five of two frames
NARROW = {"top_p": 0.01, "temperature": 1.0}  # the code always samples; this takes the most probable token


def load(source: str, options: dict[str, Any]) -> Any:
    """Return the model. The options name the folders of Vicuna and ImageBind."""
    import sys
    from pathlib import Path

    import torch
    from huggingface_hub import snapshot_download

    sys.path.insert(0, options["code"])
    from model.openllama import OpenLLAMAPEFTModel  # type: ignore[import-not-found, unused-ignore]

    folder = Path(source) if Path(source).is_dir() else Path(snapshot_download(source))
    model = OpenLLAMAPEFTModel(
        model="openllama_peft",
        imagebind_ckpt_path=options["imagebind"],
        vicuna_ckpt_path=options["vicuna"],
        delta_ckpt_path=str(folder / "pytorch_model.pt"),
        stage=2,
        max_tgt_len=128,
        lora_r=32,
        lora_alpha=32,
        lora_dropout=0.1,
    )
    model.load_state_dict(torch.load(str(folder / "pytorch_model.pt"), map_location="cpu"), strict=False)
    return model.eval().half().cuda()


def answer(model: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply; `skipped` without a medium, since the code can't be asked about a text alone."""
    from pathlib import Path

    import torch

    blocks = [one for turn in messages for one in turn["content"]]
    if all(one["type"] == "text" for one in blocks):
        return {"skipped": "PandaGPT takes no question without a picture, recording or video"}
    films = [_file(one) for one in blocks if one["type"] == "video"]
    sampled = bool(settings.get("temperature"))
    sampling = {"top_p": settings.get("top_p", 1.0), "temperature": settings["temperature"]} if sampled else NARROW
    try:
        with torch.inference_mode():
            reply = str(
                model.generate(
                    {
                        "prompt": _prompt(messages),
                        "max_tgt_len": settings["max_tokens"],
                        "modality_embeds": [],
                        "image_paths": [one["path"] for one in blocks if one["type"] == "image"],
                        "audio_paths": [one["path"] for one in blocks if one["type"] == "audio"],
                        "video_paths": films,
                        "thermal_paths": [],
                        **sampling,
                    }
                )
            ).strip()
    finally:
        for path in films:
            Path(path).unlink()
    encoded = {one["path"]: min(one["seconds"], SECONDS) for one in blocks if one["type"] == "audio"}
    encoded |= {one["paths"][0]: min(len(one["paths"]), FRAMES) for one in blocks if one["type"] == "video"}
    return {"text": reply, "encoded": encoded}


def _prompt(messages: list[Any]) -> str:
    """Return the text after the media; the code writes `### Human:` before it and `### Assistant:` behind it."""
    system = [_text(turn) for turn in messages if turn["role"] == "system"]
    prompt = "\n".join([*system, ""]) if system else ""
    turns = [turn for turn in messages if turn["role"] != "system"]
    for index, turn in enumerate(turns):
        if turn["role"] == "assistant":
            prompt += f"\n### Assistant: {_text(turn)}\n###"
        else:
            prompt += f" Human: {_text(turn)}" if index else _text(turn)
    return prompt


def _text(turn: dict[str, Any]) -> str:
    """Return the text of a turn; the mark of turns in it becomes plain text."""
    return "\n".join(one["text"] for one in turn["content"] if one["type"] == "text").replace("###", "# # #")


def _file(film: dict[str, Any]) -> str:
    """Return a video file of exactly the frames that Triptych chose, at their distance in time."""
    from fractions import Fraction
    from pathlib import Path

    import av
    from PIL import Image

    paths, times = film["paths"], film.get("times") or []
    rate = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else film["fps"]
    to = str(Path(paths[0]).with_suffix("")) + "-frames.mp4"
    with av.open(to, "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(rate).limit_denominator(1000), options={"qp": "0"})
        for path in paths:
            with Image.open(path) as picture:
                width, height = (side - side % 2 for side in picture.size)
                frame = av.VideoFrame.from_image(  # type: ignore[no-untyped-call, unused-ignore]
                    picture.convert("RGB").crop((0, 0, width, height))
                )
            if path == paths[0]:
                stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return to
