"""More native classes of transformers at tiny size, as in `tiny_models`: those of the catalogue that take media."""

from __future__ import annotations

import atexit
import base64
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.tiny_models import SMALL, WHISPER, mrope, template, tokenizer, whisper

CLIP = {
    "model_type": "clip_vision_model",
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "image_size": 28,
    "patch_size": 7,
    "projection_dim": 32,
}
GEMMA = {**SMALL, "head_dim": 8, "sliding_window": 64}


def _voxtral() -> tuple[Any, Any]:
    from transformers import VoxtralConfig, VoxtralForConditionalGeneration, VoxtralProcessor

    words = _tekken()
    config = VoxtralConfig(
        audio_config={
            "hidden_size": 32,
            "intermediate_size": 128,
            "num_hidden_layers": 1,
            "num_attention_heads": 4,
            "num_mel_bins": 128,
            "max_source_positions": 1500,
        },
        text_config={"model_type": "llama", "vocab_size": words.vocab_size, "head_dim": 8, **SMALL},
        audio_token_id=24,
    )
    return VoxtralForConditionalGeneration(config), VoxtralProcessor(whisper(), words)


def _tekken() -> Any:
    """A tokenizer of mistral-common whose tokens are the 256 bytes and the marks that Voxtral uses."""
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer  # type: ignore[import-not-found, unused-ignore]
    from transformers import MistralCommonBackend

    names = {one["rank"]: str(one["token_str"].value) for one in Tekkenizer.DEPRECATED_SPECIAL_TOKENS}
    names |= {24: "[AUDIO]", 25: "[BEGIN_AUDIO]", 34: "[TRANSCRIBE]"}
    marks = [{"rank": n, "token_str": names.get(n, f"<SPECIAL_{n}>"), "is_control": True} for n in range(40)]
    letters = [{"rank": n, "token_bytes": base64.b64encode(bytes([n])).decode(), "token_str": None} for n in range(256)]
    told = {
        "config": {
            "pattern": r"\S+|\s+",
            "num_vocab_tokens": 256,
            "default_vocab_size": 296,
            "default_num_special_tokens": 40,
            "version": "v7",
        },
        "vocab": letters,
        "special_tokens": marks,
        "audio": {
            "sampling_rate": 16_000,
            "frame_rate": 12.5,
            "chunk_length_s": 30.0,
            "audio_encoding_config": {"num_mel_bins": 128, "hop_length": 160, "window_size": 400},
        },
    }
    folder = Path(tempfile.mkdtemp())  # stays: the tokenizer is saved by copying the file
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "tekken.json").write_text(json.dumps(told), encoding="utf-8")
    return MistralCommonBackend.from_pretrained(folder)


def _qwen3_omni() -> tuple[Any, Any]:
    from transformers import (
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
        Qwen3OmniMoeProcessor,
        Qwen3OmniMoeThinkerConfig,
        Qwen3OmniMoeThinkerForConditionalGeneration,
    )

    words = tokenizer(
        audio_token="<|audio_pad|>",
        image_token="<|image_pad|>",
        video_token="<|video_pad|>",
        vision_bos_token="<|vision_start|>",
        vision_eos_token="<|vision_end|>",
        audio_bos_token="<|audio_start|>",
        audio_eos_token="<|audio_end|>",
    )
    marks = {
        "audio": "audio_pad",
        "image": "image_pad",
        "video": "video_pad",
        "audio_start": "audio_start",
        "audio_end": "audio_end",
        "vision_start": "vision_start",
        "vision_end": "vision_end",
    }
    ids = {f"{name}_token_id": words.convert_tokens_to_ids(f"<|{mark}|>") for name, mark in marks.items()}
    config = Qwen3OmniMoeThinkerConfig(
        audio_config={
            "num_mel_bins": 128,
            "max_source_positions": 1500,
            "output_dim": 32,
            "downsample_hidden_size": 8,
            **WHISPER,
        },
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "depth": 2,
            "num_heads": 4,
            "out_hidden_size": 32,
            "patch_size": 16,
            "num_position_embeddings": 64,
            "deepstack_visual_indexes": [0],
        },
        text_config={
            "vocab_size": len(words),
            "rope_parameters": {**mrope(), "mrope_interleaved": True},
            "num_experts": 4,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 16,
            "head_dim": 8,
            **SMALL,
        },
        **ids,
    )
    told: dict[str, Any] = {"patch_size": 16, "size": {"shortest_edge": 32 * 32, "longest_edge": 64 * 64}}
    processor = Qwen3OmniMoeProcessor(
        Qwen2VLImageProcessor(**told),
        Qwen2VLVideoProcessor(**told),
        whisper(chunk_length=300),
        words,
        chat_template=template(
            "<|audio_start|><|audio_pad|><|audio_end|>",
            "<|vision_start|><|image_pad|><|vision_end|>",
            "<|vision_start|><|video_pad|><|vision_end|>",
        ),
    )
    processor.videos_kwargs = {"size": told["size"]}
    return Qwen3OmniMoeThinkerForConditionalGeneration(config), processor


def _gemma3n() -> tuple[Any, Any]:
    from transformers import (
        Gemma3nAudioFeatureExtractor,
        Gemma3nConfig,
        Gemma3nForConditionalGeneration,
        Gemma3nProcessor,
        SiglipImageProcessor,
    )

    words = tokenizer(
        audio_token="<audio_soft_token>",
        boa_token="<start_of_audio>",
        eoa_token="<end_of_audio>",
        image_token="<image_soft_token>",
        boi_token="<start_of_image>",
        eoi_token="<end_of_image>",
    )
    ids = {f"{name}_token_id": getattr(words, f"{name}_token_id") for name in ("boi", "eoi", "boa", "eoa")}
    size = len(words)
    config = Gemma3nConfig(
        text_config={
            **GEMMA,
            "vocab_size": size + 16,
            "vocab_size_per_layer_input": size,
            "hidden_size_per_layer_input": 8,
            "laurel_rank": 4,
            "num_hidden_layers": 5,
            "num_kv_shared_layers": 0,
            "activation_sparsity_pattern": [0.0] * 5,
            "eos_token_id": words.eos_token_id,
            "pad_token_id": words.pad_token_id,
            "bos_token_id": None,
        },
        audio_config={
            "hidden_size": 32,
            "conf_num_attention_heads": 4,
            "conf_num_hidden_layers": 1,
            "sscp_conv_channel_size": [8, 4],
            "vocab_size": 8,
            "vocab_offset": size + 8,
        },
        vision_config={
            "architecture": "mobilenetv5_300m_enc",
            "hidden_size": 2048,
            "vocab_size": 8,
            "vocab_offset": size,
            "model_args": {"channel_multiplier": 0.05},
        },
        image_token_id=words.image_token_id,
        audio_token_id=words.audio_token_id,
        **ids,
    )
    processor = Gemma3nProcessor(
        Gemma3nAudioFeatureExtractor(),
        SiglipImageProcessor(size={"height": 256, "width": 256}),
        words,
        chat_template=template("<audio_soft_token>", "<image_soft_token>"),
    )
    return Gemma3nForConditionalGeneration(config), processor


def _gemma3() -> tuple[Any, Any]:
    from transformers import Gemma3Config, Gemma3ForConditionalGeneration, Gemma3ImageProcessor, Gemma3Processor

    words = tokenizer(image_token="<image_soft_token>", boi_token="<start_of_image>", eoi_token="<end_of_image>")
    config = Gemma3Config(
        text_config={
            **GEMMA,
            "vocab_size": len(words),
            "eos_token_id": words.eos_token_id,
            "pad_token_id": words.pad_token_id,
            "bos_token_id": None,
        },
        vision_config={
            "model_type": "siglip_vision_model",
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 1,
            "num_attention_heads": 4,
            "image_size": 56,
            "patch_size": 14,
        },
        mm_tokens_per_image=4,
        boi_token_index=words.boi_token_id,
        eoi_token_index=words.eoi_token_id,
        image_token_index=words.image_token_id,
    )
    pictures = Gemma3ImageProcessor(size={"height": 56, "width": 56})
    processor = Gemma3Processor(pictures, words, template(image="<start_of_image>"), image_seq_length=4)
    return Gemma3ForConditionalGeneration(config), processor


def _qwen2_vl() -> tuple[Any, Any]:
    from transformers import (
        Qwen2VLConfig,
        Qwen2VLForConditionalGeneration,
        Qwen2VLImageProcessor,
        Qwen2VLProcessor,
        Qwen2VLVideoProcessor,
    )

    words = tokenizer(
        image_token="<|image_pad|>", video_token="<|video_pad|>", start="<|vision_start|>", end="<|vision_end|>"
    )
    turns = template("", "<|vision_start|><|image_pad|><|vision_end|>", "<|vision_start|><|video_pad|><|vision_end|>")
    marks = {"image": "image_pad", "video": "video_pad", "vision_start": "vision_start", "vision_end": "vision_end"}
    ids = {f"{name}_token_id": words.convert_tokens_to_ids(f"<|{mark}|>") for name, mark in marks.items()}
    config = Qwen2VLConfig(
        vision_config={"embed_dim": 32, "hidden_size": 32, "depth": 1, "num_heads": 4, "mlp_ratio": 2},
        text_config={"vocab_size": len(words), "rope_parameters": mrope(), **SMALL},
        **ids,
    )
    pictures = Qwen2VLImageProcessor(min_pixels=28 * 28, max_pixels=56 * 56)
    processor = Qwen2VLProcessor(pictures, words, Qwen2VLVideoProcessor(), chat_template=turns)
    return Qwen2VLForConditionalGeneration(config), processor


def _llava() -> tuple[Any, Any]:
    from transformers import CLIPImageProcessor, LlavaConfig, LlavaForConditionalGeneration, LlavaProcessor

    words = tokenizer(image_token="<image>")
    config = LlavaConfig(
        vision_config=CLIP,
        text_config={"model_type": "llama", "vocab_size": len(words), **SMALL},
        image_token_index=words.image_token_id,
        image_seq_length=16,
    )
    pictures = CLIPImageProcessor(size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28})
    processor = LlavaProcessor(
        pictures,
        words,
        patch_size=7,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=template(image="<image>\n"),
    )
    return LlavaForConditionalGeneration(config), processor


def _llava_next() -> tuple[Any, Any]:
    from transformers import (
        LlavaNextConfig,
        LlavaNextForConditionalGeneration,
        LlavaNextImageProcessor,
        LlavaNextProcessor,
    )

    words, grid = tokenizer(image_token="<image>"), [[28, 56], [56, 28]]
    config = LlavaNextConfig(
        vision_config=CLIP,
        text_config={"model_type": "llama", "vocab_size": len(words), **SMALL},
        image_token_index=words.image_token_id,
        image_grid_pinpoints=grid,
    )
    pictures = LlavaNextImageProcessor(
        size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28}, image_grid_pinpoints=grid
    )
    processor = LlavaNextProcessor(
        pictures,
        words,
        patch_size=7,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=template(image="<image>\n"),
    )
    return LlavaNextForConditionalGeneration(config), processor


def _got_ocr() -> tuple[Any, Any]:
    from transformers import GotOcr2Config, GotOcr2ForConditionalGeneration, GotOcr2ImageProcessor, GotOcr2Processor

    words = tokenizer(image_token="<imgpad>", start="<img>", end="</img>")
    config = GotOcr2Config(
        vision_config={
            "hidden_size": 32,
            "output_channels": 16,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "image_size": 1024,
            "patch_size": 16,
            "global_attn_indexes": [1],
            "mlp_dim": 64,
        },
        text_config={"model_type": "qwen2", "vocab_size": len(words), **SMALL},
        image_token_index=words.image_token_id,
    )
    processor = GotOcr2Processor(GotOcr2ImageProcessor(size={"height": 1024, "width": 1024}), words)
    return GotOcr2ForConditionalGeneration(config), processor


def _mllama() -> tuple[Any, Any]:
    from transformers import MllamaConfig, MllamaForConditionalGeneration, MllamaImageProcessor, MllamaProcessor

    words = tokenizer(image_token="<|image|>", python="<|python_tag|>")
    words.bos_token = "<|im_start|>"
    image = words.image_token_id
    config = MllamaConfig(
        vision_config={
            "hidden_size": 32,
            "num_hidden_layers": 1,
            "num_global_layers": 1,
            "attention_heads": 4,
            "intermediate_size": 64,
            "vision_output_dim": 64,
            "image_size": 28,
            "patch_size": 7,
            "max_num_tiles": 4,
            "intermediate_layers_indices": [0],
        },
        text_config={
            **SMALL,
            "vocab_size": len(words),
            "num_hidden_layers": 3,
            "cross_attention_layers": [1],
            "bos_token_id": words.bos_token_id,
            "eos_token_id": words.eos_token_id,
            "pad_token_id": words.pad_token_id,
        },
        image_token_index=image,
    )
    pictures = MllamaImageProcessor(size={"height": 28, "width": 28}, max_image_tiles=4)
    return MllamaForConditionalGeneration(config), MllamaProcessor(pictures, words, template(image="<|image|>"))


def _video_llama_3() -> tuple[Any, Any]:
    from transformers import (
        VideoLlama3Config,
        VideoLlama3ForConditionalGeneration,
        VideoLlama3ImageProcessor,
        VideoLlama3Processor,
        VideoLlama3VideoProcessor,
    )

    words = tokenizer(image_token="<|image_pad|>", video_token="<|video_pad|>")
    config = VideoLlama3Config(
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 1,
            "num_attention_heads": 4,
            "patch_size": 14,
        },
        text_config={"model_type": "qwen2", "vocab_size": len(words), **SMALL},
        image_token_id=words.image_token_id,
        video_token_id=words.video_token_id,
    )
    processor = VideoLlama3Processor(
        VideoLlama3ImageProcessor(min_pixels=28 * 28, max_pixels=56 * 56),
        words,
        VideoLlama3VideoProcessor(),
        chat_template=template(image="<|image_pad|>", video="<|video_pad|>"),
    )
    return VideoLlama3ForConditionalGeneration(config), processor


def _qwen3_vl() -> tuple[Any, Any]:
    from transformers import (
        Qwen2VLImageProcessor,
        Qwen3VLConfig,
        Qwen3VLForConditionalGeneration,
        Qwen3VLProcessor,
        Qwen3VLVideoProcessor,
    )

    words = tokenizer(
        image_token="<|image_pad|>", video_token="<|video_pad|>", start="<|vision_start|>", end="<|vision_end|>"
    )
    turns = template("", "<|vision_start|><|image_pad|><|vision_end|>", "<|vision_start|><|video_pad|><|vision_end|>")
    marks = {"image": "image_pad", "video": "video_pad", "vision_start": "vision_start", "vision_end": "vision_end"}
    ids = {f"{name}_token_id": words.convert_tokens_to_ids(f"<|{mark}|>") for name, mark in marks.items()}
    config = Qwen3VLConfig(
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "depth": 2,
            "num_heads": 4,
            "out_hidden_size": 32,
            "patch_size": 16,
            "num_position_embeddings": 64,
            "deepstack_visual_indexes": [0],
        },
        text_config={
            "vocab_size": len(words),
            "head_dim": 8,
            **SMALL,
            "rope_parameters": {**mrope(), "mrope_interleaved": True},
        },
        **ids,
    )
    pictures = Qwen2VLImageProcessor(patch_size=16, size={"shortest_edge": 32 * 32, "longest_edge": 64 * 64})
    films = Qwen3VLVideoProcessor(size={"shortest_edge": 4 * 32 * 32, "longest_edge": 64 * 64 * 64})
    return Qwen3VLForConditionalGeneration(config), Qwen3VLProcessor(pictures, words, films, chat_template=turns)


# as in `tiny_models.MODELS`
MORE: dict[str, tuple[Callable[[], tuple[Any, Any]], tuple[str, ...], tuple[str, ...]]] = {
    "voxtral": (_voxtral, ("audio",), ("mistral_common",)),
    "qwen3_omni": (_qwen3_omni, ("audio", "image", "video"), ("torchvision",)),
    "gemma3n": (_gemma3n, ("audio", "image"), ("torchvision", "timm")),
    "gemma3": (_gemma3, ("image",), ("torchvision",)),
    "qwen2_vl": (_qwen2_vl, ("image", "video"), ("torchvision",)),
    "llava": (_llava, ("image",), ("torchvision",)),
    "llava_next": (_llava_next, ("image",), ("torchvision",)),
    "got_ocr": (_got_ocr, ("image",), ("torchvision",)),
    "mllama": (_mllama, ("image",), ("torchvision",)),
    "qwen3_vl": (_qwen3_vl, ("image", "video"), ("torchvision",)),
    "video_llama_3": (_video_llama_3, ("image", "video"), ("torchvision",)),
}
