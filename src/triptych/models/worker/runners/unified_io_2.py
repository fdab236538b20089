"""Unified-IO 2, as its repository asks it: the preprocessor and `predict_text` of `TaskRunner`, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio", "image", "video")
PREPROCESSOR = "allenai/uio2-preprocessor"  # `-M options={"preprocessor": FOLDER}` names another
TEXT = 500  # tokens of a question; its code drops what is beyond 512 with a prefix of its own
REPLY = 512  # tokens that its decoder has positions for


def load(source: str, options: dict[str, Any]) -> Any:
    """Return its runner. The options name the file of LLaMA's tokenizer."""
    import sys

    import torch

    sys.path.insert(0, options["code"])
    from uio2.model import UnifiedIOModel  # type: ignore[import-not-found, unused-ignore]
    from uio2.preprocessing import UnifiedIOPreprocessor  # type: ignore[import-not-found, unused-ignore]
    from uio2.runner import TaskRunner  # type: ignore[import-not-found, unused-ignore]

    name = options.get("preprocessor") or PREPROCESSOR
    preprocessor = UnifiedIOPreprocessor.from_pretrained(name, tokenizer=options["tokenizer"])
    model = UnifiedIOModel.from_pretrained(source)
    device = options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")
    if device != "cpu":
        model.to_dtype(torch.bfloat16, vit_dtype=torch.float32, vqgan_dtype=torch.float32)
    return TaskRunner(model.to(device).eval(), preprocessor)


def answer(runner: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply; `skipped` for more than one picture or video, or more than one recording."""
    import torch

    blocks = [one for turn in messages for one in turn["content"]]
    text = "\n".join(one["text"] for one in blocks if one["type"] == "text")
    sounds = [one for one in blocks if one["type"] == "audio"]
    sights = [one for one in blocks if one["type"] in ("image", "video")]
    if len(sounds) > 1 or len(sights) > 1:
        return {
            "skipped": f"Unified-IO 2 takes one picture or video and one recording, not {len(sights + sounds)} media"
        }
    if any(turn["role"] == "assistant" for turn in messages):
        return {"skipped": "Unified-IO 2 takes one turn"}
    prepare = runner.uio2_preprocessor
    if (tokens := len(prepare.tokenizer.encode(text))) > TEXT:
        return {"skipped": f"Unified-IO 2 takes a text of at most {TEXT} tokens, not {tokens}"}
    max_frames = prepare.sequence_length["num_frames"] + 1
    arguments, encoded = {}, {}  # type: ignore[var-annotated]
    for one in sights:
        arguments |= _visual_argument(one, max_frames)
        if one["type"] == "video":
            encoded[one["paths"][0]] = min(len(one["paths"]), max_frames)
    for one in sounds:
        arguments["audio_inputs"], encoded[one["path"]] = _spectrograms(one, max_frames)
    example = prepare(text_inputs=text, target_modality="text", use_video_audio=False, **arguments)
    sampled = bool(settings.get("temperature"))
    chosen = {key: settings[key] for key in ("temperature", "top_p", "top_k") if sampled and key in settings}
    with torch.inference_mode():
        reply = runner.predict_text(example, min(settings["max_tokens"], REPLY), do_sample=sampled, **chosen)
    return {"text": str(reply).strip(), "encoded": encoded}


def _visual_argument(one: dict[str, Any], max_frames: int) -> dict[str, Any]:
    """Return the argument for a picture, or for a video of at most `max_frames` frames, spread evenly over it."""
    import numpy as np
    from PIL import Image

    paths = one.get("paths") or [one["path"]]
    if len(paths) == 1:
        return {"image_inputs": paths[0]}
    if len(paths) > max_frames:
        paths = [paths[part * (len(paths) - 1) // (max_frames - 1)] for part in range(max_frames)]
    frames = []
    for path in paths:
        with Image.open(path) as picture:
            frames.append(np.asarray(picture.convert("RGB")))
    return {"video_inputs": np.stack(frames)}


def _spectrograms(one: dict[str, Any], max_frames: int) -> Any:
    """Return the spectrograms of the first `max_frames` segments of a recording, and how many seconds they cover."""
    from uio2 import audio_utils, config  # type: ignore[import-not-found, unused-ignore]

    wave = audio_utils.read_audio_file(one["path"])
    spectrograms = audio_utils.extract_spectrograms_from_audio(
        wave, audio_length=len(wave) / config.AUDIO_SAMPLING_RATE
    )
    spectrograms = spectrograms[:max_frames]
    return spectrograms, min(one["seconds"], len(spectrograms) * config.AUDIO_SEGMENT_LENGTH)
