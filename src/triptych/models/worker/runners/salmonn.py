"""SALMONN, as `cli_inference.py` of its repository asks it: one recording of at most 30 s, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio")
MARK = "<SpeechHere>"


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, feature extractor, generation settings). The options name Vicuna, Whisper and BEATs."""
    import sys
    from pathlib import Path

    import torch
    import yaml  # type: ignore[import-untyped, unused-ignore]
    from transformers import WhisperFeatureExtractor

    sys.path.insert(0, options["code"])
    from models.salmonn import SALMONN  # type: ignore[import-not-found, unused-ignore]

    config = yaml.safe_load((Path(options["code"]) / "configs" / "decode_config.yaml").read_text(encoding="utf-8"))
    arguments: dict[str, Any] = {
        "llama_path": options["vicuna"],
        "whisper_path": options["whisper"],
        "beats_path": options["beats"],
        "ckpt": _file(source),
        "prompt_path": "",
    }
    model = SALMONN.from_config({**config["model"], **arguments})
    device = options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")
    extractor = WhisperFeatureExtractor.from_pretrained(options["whisper"])
    return model.to(device).eval(), extractor, config["model"]["prompt_template"], config["generate"]


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> str | dict[str, Any]:
    """Return the reply; `skipped` unless there is one turn with one recording."""
    import torch
    from utils import prepare_one_sample  # type: ignore[import-not-found, unused-ignore]

    model, extractor, template, config = loaded
    blocks = [one for turn in messages for one in turn["content"]]
    sounds = [one["path"] for one in blocks if one["type"] == "audio"]
    if len(sounds) != 1 or any(turn["role"] == "assistant" for turn in messages):
        return {"skipped": f"SALMONN takes one question about one recording, not {len(sounds)} recordings"}
    words = "\n".join(one["text"] for one in blocks if one["type"] == "text").replace(MARK, "< SpeechHere>")
    sampled = bool(settings.get("temperature"))
    fields = {**config, "max_new_tokens": settings["max_tokens"], "do_sample": sampled}
    if sampled:
        fields["num_beams"] = 1
        fields.update({key: settings[key] for key in ("temperature", "top_p") if key in settings})
    samples = prepare_one_sample(sounds[0], extractor, cuda_enabled=torch.cuda.is_available())
    with torch.inference_mode(), torch.cuda.amp.autocast(dtype=torch.float16):
        prompt = template.format(f"<Speech>{MARK}</Speech> {words.strip()}")
        text = str(model.generate(samples, fields, prompts=[prompt])[0])
    return text.replace("<s>", "").replace("</s>", "").strip()


def _file(source: str) -> str:
    """Return the file of weights, downloading it if that is allowed. Raises FileNotFoundError if there is not one."""
    from pathlib import Path

    from huggingface_hub import snapshot_download

    folder = Path(source) if Path(source).is_dir() else Path(snapshot_download(source))
    files = sorted(folder.glob("*.pth"))
    if len(files) != 1:
        raise FileNotFoundError(f"expected one file *.pth in {folder}, found {len(files)}")
    return str(files[0])
