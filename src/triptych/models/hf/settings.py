"""Settings of `hf/ID`."""

from __future__ import annotations

from typing import Any

SETTINGS: dict[str, Any] = {
    "revision": "",  # commit, tag or branch on the Hub
    "class": "",  # class of transformers, where the configuration names another one
    "adapter": "",  # folder of a LoRA adapter
    "loras": "",  # none: without the LoRA adapters of the model's card
    "batch": 8,  # most Requests in a batch; halved when memory runs out
    "max_tokens": 1024,  # if the Request has no limit
    "dtype": "",  # bfloat16, float16 or float32; bfloat16 on a GPU, float32 elsewhere
    "device": "",  # cuda, cuda:1, cpu or mps; a GPU if there is one
    "device_map": "",  # auto: spread the weights over all GPUs
    "attention": "",  # sdpa, eager or flash_attention_2
    "packing": "",  # how media are sent (docs/models/packing.md); as the model's card says if not given
    "fps": 0.0,  # short for fps of the packing
    "max_frames": 0,  # short for frames of the packing
    "template": "",  # file with a chat template that replaces the model's
    "chat_template_kwargs": None,  # a JSON object for the chat template: {"enable_thinking": false}
    "context": 0,  # tokens beyond which a prompt is skipped, if not those of the configuration
    "fetch": False,  # download missing weights
}
