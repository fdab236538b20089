"""Audio Flamingo 2, as `inference.py` of its repository asks it: one recording in windows, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio")
MARK = "<audio>"


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, tokenizer, settings of the audio encoder, type of the audio's numbers)."""
    import json
    import os
    import sys
    from pathlib import Path

    import torch
    import yaml  # type: ignore[import-untyped, unused-ignore]
    from huggingface_hub import snapshot_download
    from safetensors.torch import load_file

    language = options.get("language")
    if language and Path(language).is_dir():
        language = str(Path(language).resolve())
    sys.path.insert(0, options["code"])
    os.chdir(options["code"])
    from src.factory import create_model_and_transforms  # type: ignore[import-not-found, unused-ignore]
    from utils import get_cast_dtype  # type: ignore[import-not-found, unused-ignore]

    folder = Path(source) if Path(source).is_dir() else Path(snapshot_download(source))
    config = yaml.safe_load(Path("configs", "inference.yaml").read_text(encoding="utf-8"))
    clap = config["clap_config"]
    clap["checkpoint"] = str(folder / clap["checkpoint"])
    paths = {"lang_encoder_path": language, "tokenizer_path": language} if language else {}
    model, tokenizer = create_model_and_transforms(
        **{**config["model_config"], "cache_dir": None, **paths},
        clap_config=clap,
        use_local_files=False,
        gradient_checkpointing=False,
        freeze_lm_embeddings=config["train_config"]["freeze_lm_embeddings"],
    )
    weights = {}
    for name in json.loads((folder / "safe_ckpt" / "metadata.json").read_text(encoding="utf-8")):
        weights.update(load_file(str(folder / "safe_ckpt" / f"{name}.safetensors")))
    model.load_state_dict(weights, strict=False)
    device = options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")
    return model.to(device).eval(), tokenizer, clap, get_cast_dtype(config["train_config"]["precision"]), device


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply; `skipped` unless there is one turn with one recording."""
    import torch
    from inference import load_audio  # type: ignore[import-not-found, unused-ignore]

    model, tokenizer, clap, kind, device = loaded
    blocks = [one for turn in messages for one in turn["content"]]
    sounds = [one for one in blocks if one["type"] == "audio"]
    if len(sounds) != 1 or any(turn["role"] == "assistant" for turn in messages):
        return {"skipped": f"Audio Flamingo 2 takes one question about one recording, not {len(sounds)} recordings"}
    windows, mask = load_audio(sounds[0]["path"], clap)
    words = "\n".join(one["text"] for one in blocks if one["type"] == "text").lower()  # as in its training
    text = f"{MARK}{words.replace(MARK, '< audio>').strip()}{tokenizer.sep_token}"
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p", "top_k") if sampled and key in settings}
    with torch.no_grad():
        made = model.generate(
            audio_x=windows.to(device, dtype=kind).unsqueeze(0),
            audio_x_mask=mask.to(device, dtype=kind).unsqueeze(0),
            lang_x=tokenizer(text, return_tensors="pt")["input_ids"].to(device),
            eos_token_id=tokenizer.eos_token_id,
            max_new_tokens=settings["max_tokens"],
            do_sample=sampled,
            **sampling,
        )[0]
    reply = tokenizer.decode(made).split(tokenizer.sep_token)[-1]
    for mark in (tokenizer.eos_token, tokenizer.pad_token, "<|endofchunk|>"):
        reply = reply.replace(mark, "")
    step = clap["window_length"] - clap["window_overlap"]
    seconds = len(windows) * step + clap["window_overlap"]
    return {"text": reply.strip(), "encoded": {sounds[0]["path"]: min(sounds[0]["seconds"], seconds)}}
