"""Ola, as `infer.py` of its repository asks it: a recording, a picture, or a video with its recording, code of a clone.

Whisper and BEATs are read from the clone's folder, where the repository says to put them.
"""

from __future__ import annotations

from typing import Any

ACCEPTS = ("text", "audio", "image", "video")
SIZES = {
    "LOWRES_RESIZE": "384x32",
    "HIGHRES_BASE": "0x32",
    "VIDEO_RESIZE": "0x64",
    "VIDEO_MAXRES": "480",
    "VIDEO_MINRES": "288",
    "MAXRES": "1536",
    "MINRES": "0",
    "FORCE_NO_DOWNSAMPLE": "1",
    "LOAD_VISION_EARLY": "1",
    "PAD2STRIDE": "1",
}
CHUNK, CHUNKS, HZ = 480000, 25, 16000  # samples of a chunk, most chunks, samples per second


def load(source: str, options: dict[str, Any]) -> Any:
    """Return (model, tokenizer, image processor). The code reads its sizes from the environment."""
    import os
    import sys

    os.environ.update(SIZES)
    os.chdir(options["code"])
    sys.path.insert(0, options["code"])
    from ola.model.builder import load_pretrained_model  # type: ignore[import-not-found, unused-ignore]

    tokenizer, model, processor, _ = load_pretrained_model(source, None)
    processor.do_resize = processor.do_center_crop = False
    return model.to("cuda").eval().bfloat16(), tokenizer, processor


def answer(loaded: Any, messages: list[Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Return the reply; `skipped` for other media than its code takes together."""
    import torch
    from ola import constants, conversation  # type: ignore[import-not-found, unused-ignore]
    from ola.datasets import preprocess  # type: ignore[import-not-found, unused-ignore]
    from ola.mm_utils import KeywordsStoppingCriteria  # type: ignore[import-not-found, unused-ignore]

    model, tokenizer, processor = loaded
    blocks = [one for turn in messages for one in turn["content"] if one["type"] != "text"]
    kinds = sorted(one["type"] for one in blocks)
    if len(kinds) > 1 and kinds != ["audio", "video"]:
        return {"skipped": f"Ola takes one medium, or a video with a recording, not {', '.join(kinds)}"}
    media = {one["type"]: one for one in blocks}
    has_audio, seen = "audio" in media, len(media) - ("audio" in media)
    mark = constants.DEFAULT_SPEECH_TOKEN * has_audio + constants.DEFAULT_IMAGE_TOKEN * seen
    talk = conversation.conv_templates["qwen_1_5"].copy()
    before = [mark] if mark else []
    for turn in messages:
        before.append(_text(turn, constants))
        if turn["role"] != "system":
            talk.append_message(talk.roles[turn["role"] == "assistant"], "\n".join(before))
            before = []
    talk.append_message(talk.roles[1], None)
    if has_audio and not seen:
        ids = preprocess.tokenizer_speech_token(
            talk.get_prompt(), tokenizer, constants.SPEECH_TOKEN_INDEX, return_tensors="pt"
        )
    else:
        tokenized = preprocess.tokenizer_speech_image_token if has_audio else preprocess.tokenizer_image_token
        ids = tokenized(talk.get_prompt(), tokenizer, constants.IMAGE_TOKEN_INDEX, return_tensors="pt")
    ids = ids.unsqueeze(0).to(model.device)
    stop = talk.sep2 if talk.sep_style == conversation.SeparatorStyle.TWO else talk.sep
    sampled = bool(settings.get("temperature"))
    sampling = {key: settings[key] for key in ("temperature", "top_p") if sampled and key in settings}
    with torch.inference_mode():
        made = model.generate(
            inputs=ids,
            **_sight(media, processor, model),
            **_sound(media.get("audio"), model.device),
            attention_mask=ids.ne(151643).long(),
            use_cache=True,
            do_sample=sampled,
            num_beams=1,
            stopping_criteria=[KeywordsStoppingCriteria([stop], tokenizer, ids)],
            max_new_tokens=settings["max_tokens"],
            **sampling,
        )
    text = tokenizer.batch_decode(made, skip_special_tokens=True)[0].strip().removesuffix(stop).strip()
    finish = "length" if len(made[0]) >= settings["max_tokens"] else "stop"
    encoded = {one["path"]: min(one["seconds"], CHUNK * CHUNKS / HZ) for one in blocks if one["type"] == "audio"}
    return {"text": text, "finish": finish, "output_tokens": len(made[0]), "encoded": encoded}


def _text(turn: dict[str, Any], constants: Any) -> str:
    """Return the text of a turn; marks of media in it become plain text."""
    text = "\n".join(one["text"] for one in turn["content"] if one["type"] == "text")
    for mark in (constants.DEFAULT_IMAGE_TOKEN, constants.DEFAULT_SPEECH_TOKEN):
        text = text.replace(mark, mark.replace("<", "< "))
    return text


def _sight(media: dict[str, Any], processor: Any, model: Any) -> dict[str, Any]:
    """Return the arguments for a picture, a video or, without either, an empty picture."""
    import torch
    from ola.mm_utils import (  # type: ignore[import-not-found, unused-ignore]
        process_anyres_highres_image,
        process_anyres_video,
    )
    from PIL import Image

    kind = {"dtype": torch.bfloat16, "device": model.device}

    if "video" in media:
        frames = [process_anyres_video(Image.open(path), processor).unsqueeze(0) for path in media["video"]["paths"]]
        film = torch.cat(frames).to(**kind)
        return {"images": film, "images_highres": film, "modalities": "video"}
    if "image" in media:
        with Image.open(media["image"]["path"]) as opened:
            picture = opened.convert("RGB")
        low, high = process_anyres_highres_image(picture, processor)
        return {
            "images": low.unsqueeze(0).to(**kind),
            "images_highres": high.unsqueeze(0).to(**kind),
            "image_sizes": [picture.size],
            "modalities": ["image"],
        }
    empty = [torch.zeros(1, 3, 224, 224).to(**kind)]
    return {"images": empty, "images_highres": empty, "image_sizes": [(224, 224)], "modalities": ["text"]}


def _sound(one: Any, device: Any) -> dict[str, Any]:
    """Return the arguments for a recording in chunks of 30 s, or for silence if there is no recording."""
    import torch

    if one is None:
        mels, waves = torch.zeros(1, 3000, 128), torch.zeros(1, CHUNK)
    else:
        import soundfile
        import whisper  # type: ignore[import-not-found, unused-ignore]

        wave, _ = soundfile.read(one["path"], dtype="float32")
        parts = [whisper.pad_or_trim(wave[at : at + CHUNK]) for at in range(0, max(len(wave), 1), CHUNK)][:CHUNKS]
        mels = torch.stack([whisper.log_mel_spectrogram(part, n_mels=128).permute(1, 0) for part in parts])
        waves = torch.stack([torch.from_numpy(part) for part in parts])
    return {
        "speech": [mels.to(dtype=torch.bfloat16, device=device)],
        "speech_lengths": [torch.tensor([mels.shape[1]] * mels.shape[0]).to(device)],
        "speech_chunks": [torch.tensor([mels.shape[0]]).to(device)],
        "speech_wav": [waves.to(device)],
    }
