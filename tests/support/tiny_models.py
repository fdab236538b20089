"""Native classes of transformers at tiny size: random weights from a seed, the real processors, a tokenizer of bytes.

Everything is made from configurations, so nothing is downloaded. `save(NAME, FOLDER)` writes a model that
`from_pretrained` loads like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

TURNS = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'text' %}{{ part['text'] }}"
    "{% elif part['type'] == 'audio' %}AUDIO{% elif part['type'] == 'image' %}IMAGE"
    "{% elif part['type'] == 'video' %}VIDEO{% endif %}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SMALL = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 32_768,
}
WHISPER = {"d_model": 32, "encoder_layers": 1, "encoder_attention_heads": 4, "encoder_ffn_dim": 64}


def tokenizer(**media: str) -> Any:
    """A tokenizer whose tokens are the 256 bytes, the marks of turns, and the given names of media tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE(vocab={letter: place for place, letter in enumerate(letters)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        eos_token="<|im_end|>",
        pad_token="<|pad|>",
        extra_special_tokens={"turn_token": "<|im_start|>", **media},
        padding_side="left",
    )


def template(audio: str = "", image: str = "", video: str = "") -> str:
    """The template of turns, with the model's own tokens for media."""
    return TURNS.replace("AUDIO", audio).replace("IMAGE", image).replace("VIDEO", video)


def _text_model(name: str = "Qwen2", **more: Any) -> tuple[Any, Any]:
    """A text model of the class `NAMEForCausalLM`."""
    import transformers

    words = tokenizer()
    words.chat_template = template()
    ends = {"pad_token_id": words.pad_token_id, "eos_token_id": words.eos_token_id, "bos_token_id": None}
    config = getattr(transformers, f"{name}Config")(vocab_size=len(words), **{**SMALL, **ends, **more})
    return getattr(transformers, f"{name}ForCausalLM")(config), words


def _qwen2_audio() -> tuple[Any, Any]:
    from transformers import Qwen2AudioConfig, Qwen2AudioForConditionalGeneration, Qwen2AudioProcessor

    words = tokenizer(audio_token="<|AUDIO|>", audio_bos_token="<|audio_bos|>", audio_eos_token="<|audio_eos|>")
    turns = template(audio="<|audio_bos|><|AUDIO|><|audio_eos|>")
    config = Qwen2AudioConfig(
        audio_config={"num_mel_bins": 128, "max_source_positions": 1500, **WHISPER},
        text_config={"model_type": "qwen2", "vocab_size": len(words), **SMALL},
        audio_token_index=words.convert_tokens_to_ids("<|AUDIO|>"),
    )
    processor = Qwen2AudioProcessor(whisper(), words, chat_template=turns)
    return Qwen2AudioForConditionalGeneration(config), processor


def _audio_flamingo_3() -> tuple[Any, Any]:
    from transformers import AudioFlamingo3Config, AudioFlamingo3ForConditionalGeneration, AudioFlamingo3Processor

    words = tokenizer(audio_token="<sound>")
    config = AudioFlamingo3Config(
        audio_config={
            "model_type": "audioflamingo3_encoder",
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 1,
            "num_attention_heads": 4,
            "num_mel_bins": 128,
            "max_source_positions": 1500,
        },
        text_config={"model_type": "qwen2", "vocab_size": len(words), **SMALL},
        audio_token_id=words.convert_tokens_to_ids("<sound>"),
    )
    processor = AudioFlamingo3Processor(whisper(), words, chat_template=template(audio="<sound>"))
    return AudioFlamingo3ForConditionalGeneration(config), processor


def _granite_speech() -> tuple[Any, Any]:
    from transformers import (
        GraniteSpeechConfig,
        GraniteSpeechFeatureExtractor,
        GraniteSpeechForConditionalGeneration,
        GraniteSpeechProcessor,
    )

    words = tokenizer(audio_token="<|audio|>")
    config = GraniteSpeechConfig(
        encoder_config={
            "model_type": "granite_speech_encoder",
            "feedforward_mult": 2,
            "hidden_dim": 32,
            "input_dim": 160,
            "num_layers": 1,
            "num_heads": 4,
            "dim_head": 8,
            "output_dim": 42,
            "context_size": 200,
            "max_pos_emb": 512,
        },
        text_config={"model_type": "granite", "vocab_size": len(words), **SMALL},
        projector_config={
            "model_type": "blip_2_qformer",
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 1,
            "num_attention_heads": 4,
            "encoder_hidden_size": 32,
            "cross_attention_frequency": 1,
        },
        audio_token_index=words.convert_tokens_to_ids("<|audio|>"),
        has_lora_adapter=False,
    )
    processor = GraniteSpeechProcessor(
        GraniteSpeechFeatureExtractor(), words, chat_template=template(audio="<|audio|>")
    )
    return GraniteSpeechForConditionalGeneration(config), processor


def _qwen_omni() -> tuple[Any, Any]:
    from transformers import (
        Qwen2_5OmniProcessor,
        Qwen2_5OmniThinkerConfig,
        Qwen2_5OmniThinkerForConditionalGeneration,
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
    )

    words = tokenizer(
        audio_token="<|AUDIO|>",
        image_token="<|IMAGE|>",
        video_token="<|VIDEO|>",
        vision_bos_token="<|vision_bos|>",
        vision_eos_token="<|vision_eos|>",
        audio_bos_token="<|audio_bos|>",
        audio_eos_token="<|audio_eos|>",
    )
    turns = template(
        "<|audio_bos|><|AUDIO|><|audio_eos|>",
        "<|vision_bos|><|IMAGE|><|vision_eos|>",
        "<|vision_bos|><|VIDEO|><|vision_eos|>",
    )
    marks = {
        "audio": "AUDIO",
        "image": "IMAGE",
        "video": "VIDEO",
        "audio_start": "audio_bos",
        "audio_end": "audio_eos",
        "vision_start": "vision_bos",
        "vision_end": "vision_eos",
    }
    ids = {f"{name}_token_id": words.convert_tokens_to_ids(f"<|{mark}|>") for name, mark in marks.items()}
    config = Qwen2_5OmniThinkerConfig(
        audio_config={"num_mel_bins": 128, "max_source_positions": 1500, "output_dim": 32, "n_window": 100, **WHISPER},
        vision_config=vision(),
        text_config={"vocab_size": len(words), "rope_parameters": mrope(), **SMALL},
        **ids,
    )
    processor = Qwen2_5OmniProcessor(
        Qwen2VLImageProcessor(min_pixels=28 * 28, max_pixels=56 * 56),
        Qwen2VLVideoProcessor(),
        whisper(chunk_length=300),
        words,
        chat_template=turns,
    )
    return Qwen2_5OmniThinkerForConditionalGeneration(config), processor


def _qwen_vl() -> tuple[Any, Any]:
    from transformers import (
        Qwen2_5_VLConfig,
        Qwen2_5_VLForConditionalGeneration,
        Qwen2_5_VLProcessor,
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
    )

    words = tokenizer(
        image_token="<|image_pad|>", video_token="<|video_pad|>", start="<|vision_start|>", end="<|vision_end|>"
    )
    turns = template("", "<|vision_start|><|image_pad|><|vision_end|>", "<|vision_start|><|video_pad|><|vision_end|>")
    marks = {"image": "image_pad", "video": "video_pad", "vision_start": "vision_start", "vision_end": "vision_end"}
    ids = {f"{name}_token_id": words.convert_tokens_to_ids(f"<|{mark}|>") for name, mark in marks.items()}
    config = Qwen2_5_VLConfig(
        vision_config=vision(), text_config={"vocab_size": len(words), "rope_parameters": mrope(), **SMALL}, **ids
    )
    processor = Qwen2_5_VLProcessor(
        Qwen2VLImageProcessor(min_pixels=28 * 28, max_pixels=56 * 56),
        words,
        Qwen2VLVideoProcessor(),
        chat_template=turns,
    )
    return Qwen2_5_VLForConditionalGeneration(config), processor


def _phi4() -> tuple[Any, Any]:
    from transformers import (
        Phi4MultimodalConfig,
        Phi4MultimodalFeatureExtractor,
        Phi4MultimodalForCausalLM,
        Phi4MultimodalImageProcessor,
        Phi4MultimodalProcessor,
    )

    words = tokenizer(audio_token="<|audio|>", image_token="<|image|>")
    words.chat_template = template(audio="<|audio|>", image="<|image|>")
    config = Phi4MultimodalConfig(
        vocab_size=len(words),
        **{**SMALL, "num_hidden_layers": 1},
        pad_token_id=words.pad_token_id,
        eos_token_id=words.eos_token_id,
        bos_token_id=None,
        sliding_window=None,
        audio_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_blocks": 1,
            "num_attention_heads": 4,
            "ext_pw_out_channel": 32,
            "nemo_conv_channels": 32,
            "depthwise_separable_out_channel": 32,
            "audio_token_id": words.convert_tokens_to_ids("<|audio|>"),
        },
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "image_size": 448,
            "patch_size": 14,
            "crop_size": 448,
            "feature_layer": -1,
            "image_token_id": words.convert_tokens_to_ids("<|image|>"),
        },
    )
    processor = Phi4MultimodalProcessor(Phi4MultimodalImageProcessor(), Phi4MultimodalFeatureExtractor(), words)
    return Phi4MultimodalForCausalLM(config), processor


def _internvl() -> tuple[Any, Any]:
    from transformers import (
        GotOcr2ImageProcessor,
        InternVLConfig,
        InternVLForConditionalGeneration,
        InternVLProcessor,
        InternVLVideoProcessor,
    )

    marks = {
        "start_image_token": "<img>",
        "end_image_token": "</img>",
        "context_image_token": "<IMG_CONTEXT>",
        "video_token": "<video>",
    }
    words = tokenizer(**marks)
    config = InternVLConfig(
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 1,
            "num_attention_heads": 4,
            "image_size": [28, 28],
            "patch_size": [7, 7],
        },
        text_config={"model_type": "qwen2", "vocab_size": len(words), **SMALL},
        image_token_id=words.convert_tokens_to_ids("<IMG_CONTEXT>"),
        downsample_ratio=0.5,
        image_seq_length=4,
    )
    size = {"height": 28, "width": 28}
    processor = InternVLProcessor(
        GotOcr2ImageProcessor(size=size, max_patches=2),
        words,
        InternVLVideoProcessor(size=size),
        image_seq_length=4,
        chat_template=template(image="<IMG_CONTEXT>\n", video="<video>\n"),
    )
    return InternVLForConditionalGeneration(config), processor


def _llava_next_video() -> tuple[Any, Any]:
    from transformers import (
        LlavaNextImageProcessor,
        LlavaNextVideoConfig,
        LlavaNextVideoForConditionalGeneration,
        LlavaNextVideoProcessor,
        LlavaNextVideoVideoProcessor,
    )

    words = tokenizer(image_token="<image>", video_token="<video>")
    config = LlavaNextVideoConfig(
        vision_config={
            "model_type": "clip_vision_model",
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "image_size": 28,
            "patch_size": 7,
            "projection_dim": 32,
        },
        text_config={"model_type": "llama", "vocab_size": len(words), **SMALL},
        image_grid_pinpoints=[[28, 56], [56, 28]],
        image_token_index=words.convert_tokens_to_ids("<image>"),
        video_token_index=words.convert_tokens_to_ids("<video>"),
        vision_feature_layer=-2,
        spatial_pool_stride=2,
    )
    size, crop = {"shortest_edge": 28}, {"height": 28, "width": 28}
    processor = LlavaNextVideoProcessor(
        LlavaNextVideoVideoProcessor(size=size, crop_size=crop),
        LlavaNextImageProcessor(size=size, crop_size=crop, image_grid_pinpoints=[[28, 56], [56, 28]]),
        words,
        chat_template=template(image="<image>\n", video="<video>\n"),
        patch_size=7,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
    )
    return LlavaNextVideoForConditionalGeneration(config), processor


def _glm4v() -> tuple[Any, Any]:
    from transformers import (
        Glm4vConfig,
        Glm4vForConditionalGeneration,
        Glm4vImageProcessor,
        Glm4vProcessor,
        Glm4vVideoProcessor,
    )

    words = tokenizer(
        image_token="<|image|>",
        video_token="<|video|>",
        a="<|begin_of_image|>",
        b="<|end_of_image|>",
        c="<|begin_of_video|>",
        d="<|end_of_video|>",
    )
    ids = {f"{kind}_token_id": words.convert_tokens_to_ids(f"<|{kind}|>") for kind in ("image", "video")}
    for kind in ("image", "video"):
        ids[f"{kind}_start_token_id"] = words.convert_tokens_to_ids(f"<|begin_of_{kind}|>")
        ids[f"{kind}_end_token_id"] = words.convert_tokens_to_ids(f"<|end_of_{kind}|>")
    config = Glm4vConfig(
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "depth": 1,
            "num_heads": 4,
            "out_hidden_size": 32,
            "patch_size": 14,
            "image_size": 56,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
        },
        text_config={
            "vocab_size": len(words),
            "rope_parameters": {
                "rope_type": "default",
                "mrope_section": [2, 1, 1],
                "rope_theta": 10_000.0,
                "partial_rotary_factor": 1.0,
            },
            **SMALL,
        },
        **ids,
    )
    size = {"shortest_edge": 56 * 56, "longest_edge": 56 * 56 * 2}
    processor = Glm4vProcessor(
        Glm4vImageProcessor(size=size),
        words,
        Glm4vVideoProcessor(size={**size, "longest_edge": 56 * 56 * 40}),
        chat_template=template(
            image="<|begin_of_image|><|image|><|end_of_image|>", video="<|begin_of_video|><|video|><|end_of_video|>"
        ),
    )
    return Glm4vForConditionalGeneration(config), processor


def whisper(chunk_length: int = 30) -> Any:
    from transformers import WhisperFeatureExtractor

    return WhisperFeatureExtractor(feature_size=128, chunk_length=chunk_length)


def vision() -> dict[str, Any]:
    return {
        "hidden_size": 32,
        "intermediate_size": 64,
        "depth": 1,
        "num_heads": 4,
        "out_hidden_size": 32,
        "embed_dim": 32,
        "fullatt_block_indexes": [0],
        "window_size": 112,
        "patch_size": 14,
    }


def mrope() -> dict[str, Any]:
    return {"rope_type": "default", "mrope_section": [2, 1, 1], "rope_theta": 10_000.0}


# name -> (what makes it, the kinds of media that it takes, further modules that it needs)
MODELS: dict[str, tuple[Callable[[], tuple[Any, Any]], tuple[str, ...], tuple[str, ...]]] = {
    "text": (_text_model, (), ()),
    "llama": (partial(_text_model, "Llama"), (), ()),
    "qwen3": (partial(_text_model, "Qwen3", head_dim=8), (), ()),
    "cohere": (partial(_text_model, "Cohere"), (), ()),
    "phi3": (partial(_text_model, "Phi3"), (), ()),
    "gemma2": (partial(_text_model, "Gemma2", head_dim=8), (), ()),
    "gpt_oss": (
        partial(_text_model, "GptOss", head_dim=8, num_local_experts=4, num_experts_per_tok=2, sliding_window=64),
        (),
        (),
    ),
    "qwen2_audio": (_qwen2_audio, ("audio",), ()),
    "audio_flamingo_3": (_audio_flamingo_3, ("audio",), ()),
    "granite_speech": (_granite_speech, ("audio",), ("torchaudio",)),
    "qwen_omni": (_qwen_omni, ("audio", "image", "video"), ("torchvision",)),
    "phi4": (_phi4, ("audio", "image"), ("torchvision",)),
    "qwen_vl": (_qwen_vl, ("image", "video"), ("torchvision",)),
    "internvl": (_internvl, ("image", "video"), ("torchvision",)),
    "llava_next_video": (_llava_next_video, ("image", "video"), ("torchvision",)),
    "glm4v": (_glm4v, ("image", "video"), ("torchvision",)),
}


def models() -> dict[str, tuple[Callable[[], tuple[Any, Any]], tuple[str, ...], tuple[str, ...]]]:
    """Every tiny model: those of this file and of `tiny_media_models`."""
    from tests.support.tiny_media_models import MORE

    return {**MODELS, **MORE}


def save(name: str, folder: Path) -> Path:
    """Write a tiny model and its processor; returns the folder."""
    import torch

    torch.manual_seed(0)
    model, processor = models()[name][0]()
    words = getattr(processor, "tokenizer", processor)
    model.generation_config.eos_token_id = words.eos_token_id
    model.generation_config.pad_token_id = words.pad_token_id
    model.eval().save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
