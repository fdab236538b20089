"""Video-XL-2, as its model card asks it: `chat` with the path of a video, code from the Hub."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "video")


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, tokenizer)."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    trust = options["trust_remote_code"]
    model = AutoModelForCausalLM.from_pretrained(
        source,
        trust_remote_code=trust,
        torch_dtype=torch.float16,
        attn_implementation="sdpa",
        low_cpu_mem_usage=True,
        device_map=options.get("device") or ("cuda:0" if torch.cuda.is_available() else "cpu"),
    )
    model.config.enable_sparse = False
    return model.eval(), AutoTokenizer.from_pretrained(source, trust_remote_code=trust)


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> str | dict[str, Any]:
    """Return the reply; `skipped` unless there is exactly one video, which is what `chat` takes."""
    from pathlib import Path

    import torch

    model, tokenizer = loaded
    blocks = [one for turn in messages for one in turn["content"]]
    films = [one for one in blocks if one["type"] == "video"]
    if len(films) != 1:
        return {"skipped": f"Video-XL-2 takes exactly one video, not {len(films)}"}
    sampled = bool(settings.get("temperature"))
    generation: dict[str, Any] = {
        "do_sample": sampled,
        "num_beams": 1,
        "use_cache": True,
        "max_new_tokens": settings["max_tokens"],
        **{key: settings[key] if sampled else None for key in ("temperature", "top_p") if key in settings},
    }
    path = _file(films[0])
    try:
        with torch.inference_mode():
            return str(
                model.chat(
                    path,
                    tokenizer,
                    "\n".join(one["text"] for one in blocks if one["type"] == "text"),
                    chat_history=None,
                    return_history=False,
                    max_num_frames=len(films[0]["paths"]),
                    sample_fps=None,
                    max_sample_fps=None,
                    generation_config=generation,
                )
            )
    finally:
        Path(path).unlink()


def _file(film: dict[str, Any]) -> Any:
    """Return a video file of exactly the frames that Triptych chose, at their distance in time."""
    from fractions import Fraction
    from pathlib import Path

    import av
    from PIL import Image

    paths, times = film["paths"], film.get("times") or []
    rate = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else film["fps"]
    to = str(Path(paths[0]).with_suffix("")) + "-frames.mp4"
    with av.open(to, "w") as container:
        stream = None
        for path in paths:
            with Image.open(path) as picture:
                width, height = (side - side % 2 for side in picture.size)
                pixels = picture.convert("RGB").crop((0, 0, width, height))
                frame = av.VideoFrame.from_image(pixels)  # type: ignore[no-untyped-call, unused-ignore]
            if stream is None:
                stream = container.add_stream(
                    "libx264", rate=Fraction(rate).limit_denominator(1000), options={"qp": "0"}
                )
                stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
            container.mux(stream.encode(frame))
        if stream is not None:
            container.mux(stream.encode())
    return to
