"""VITA-1.5, as its repository asks it: media at their places in the text, code of a clone."""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio", "image", "video")
IMAGE, AUDIO = "<image>", "<audio>"
KIND = "qwen2p5_instruct"  # of the language model and of the turns


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, tokenizer, audio processor). The options name the folders of the two encoders."""
    import sys

    import torch

    sys.path.insert(0, options["code"])
    from vita.model.builder import load_pretrained_model  # type: ignore[import-not-found, unused-ignore]
    from vita.util.utils import disable_torch_init  # type: ignore[import-not-found, unused-ignore]

    disable_torch_init()
    tokenizer, model, _, _ = load_pretrained_model(
        source, None, "VITA-1.5", KIND, mm_vision_tower=options["vision"], mm_audio_encoder=options["audio"]
    )
    model.resize_token_embeddings(len(tokenizer))
    tower = model.get_vision_tower()
    if not tower.is_loaded:
        tower.load_model()
    encoder = model.get_audio_encoder()
    encoder.to(dtype=torch.float16)
    return model.eval(), tokenizer, encoder.audio_processor


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply."""
    import torch
    from vita import conversation  # type: ignore[import-not-found, unused-ignore]
    from vita.util import mm_utils  # type: ignore[import-not-found, unused-ignore]

    model, tokenizer, processor = loaded
    talk = conversation.conv_templates[KIND].copy()
    pictures, sounds = [], []  # type: ignore[var-annotated]
    system = "\n".join(_words(turn, model, pictures, sounds) for turn in messages if turn["role"] == "system")
    for turn in messages:
        if turn["role"] == "system":
            continue
        words = _words(turn, model, pictures, sounds)
        talk.append_message(talk.roles[turn["role"] == "assistant"], f"{system}\n{words}" if system else words)
        system = ""
    talk.append_message(talk.roles[1], None)
    films = any(one["type"] == "video" for turn in messages for one in turn["content"])
    prompt = talk.get_prompt("video" if films else "image" if pictures else "lang")
    tokenized = mm_utils.tokenizer_image_audio_token if sounds else mm_utils.tokenizer_image_token
    ids = tokenized(prompt, tokenizer, return_tensors="pt").unsqueeze(0).to(model.device)
    seen = torch.cat(pictures) if pictures else torch.zeros((1, 3, 448, 448))
    stop = talk.sep2 if talk.sep_style == conversation.SeparatorStyle.TWO else talk.sep
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p", "top_k") if sampled and key in settings}
    with torch.inference_mode():
        made = model.generate(
            ids,
            images=seen.to(dtype=model.dtype, device=model.device),
            audios=_audio_features(sounds, processor, model.device),
            do_sample=sampled,
            num_beams=1,
            max_new_tokens=settings["max_tokens"],
            use_cache=True,
            stopping_criteria=[mm_utils.KeywordsStoppingCriteria([stop], tokenizer, ids)],
            shared_v_pid_stride=None,
            **sampling,
        )
    text = tokenizer.batch_decode(made, skip_special_tokens=False)[0].strip()
    finish = "length" if len(made[0]) >= settings["max_tokens"] else "stop"
    return {"text": text.removesuffix(stop).strip(), "finish": finish, "output_tokens": len(made[0])}


def _words(turn: dict[str, Any], model: Any, pictures: list[Any], sounds: list[Any]) -> str:
    """Return the text of a turn with marks where its media are; the media are added to the lists."""
    from PIL import Image
    from vita.util.data_utils_video_audio_neg_patch import (  # type: ignore[import-not-found, unused-ignore]
        dynamic_preprocess,
    )

    words = []
    for one in turn["content"]:
        if one["type"] == "text":
            words.append(one["text"].replace(IMAGE, "< image>").replace(AUDIO, "< audio>"))
            continue
        if one["type"] == "audio":
            sounds.append(one["path"])
            words.append(AUDIO)
            continue
        parts = [Image.open(path).convert("RGB") for path in one.get("paths", [one.get("path")])]
        if one["type"] == "image":
            parts, _ = dynamic_preprocess(parts[0], min_num=1, max_num=12, image_size=448, use_thumbnail=True)
        pictures.append(model.process_images(parts, model.config))
        words.append(IMAGE * len(parts))
    return "\n".join(words)


def _audio_features(sounds: list[Any], processor: Any, device: Any) -> dict[str, Any]:
    """Return the features of the recordings and their lengths; silence if there is none, as the repository does."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    all_features = [processor.process(path) for path in sounds] or [(torch.zeros(400, 80), 60)]
    return {
        "audios": pad_sequence([features for features, _ in all_features], batch_first=True).half().to(device),
        "lengths": torch.tensor([len(features) for features, _ in all_features]).half().to(device),
        "lengths_for_llm": torch.tensor([length for _, length in all_features]).to(device),
    }
